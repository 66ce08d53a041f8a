import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { Admission } from '../src/operations/admission.ts';
import type { AdmittedTransfer } from '../src/operations/admit-transfer.ts';
import { report, REPORTED } from './support/events.ts';
import { asset, trade, type Scene, type StartTransfer } from './support/requests.ts';
import { startTasks, type Task, type Tasks } from './support/tasks.ts';
import { tradeBecomes } from './support/trades.ts';

const IN_ALL = 8;
const PER_CHANNEL = 4;

let tasks: Tasks;
beforeAll(async () => {
  const variables = { TASKS_WAITING_MAX: String(IN_ALL), TASKS_WAITING_PER_CHANNEL_MAX: String(PER_CHANNEL) };
  // Nobody takes the announcements: every task waits for the ledger.
  tasks = await startTasks({ hasLedger: false, variables });
});
afterAll(() => tasks.stop());

/** What becomes of so many transfers, one after another. */
async function tryTimes(count: number, scene: Scene): Promise<string[]> {
  const outcomes: string[] = [];
  for (let index = 0; index < count; index++) {
    const [result] = await tasks.startAll([await trade(scene)]);
    outcomes.push(result?.task?.status ?? result?.problem?.code ?? 'nothing');
  }
  return outcomes;
}

/** The task of a transfer, once there is room for it: what is answered makes room with the next count. */
async function tryAgain(transfer: StartTransfer): Promise<Task | undefined> {
  const [result] = await tasks.startAll([transfer]);
  return result?.task ?? undefined;
}

test('while too many tasks wait for the ledger, new ones are refused, of each channel and in all', async () => {
  const [first, second, third] = [tasks.newScene(), tasks.newScene(), tasks.newScene()];
  const known = await trade(first);
  const { task } = await tasks.start(known);

  // One channel has its share, and no more than that.
  expect(await tryTimes(4, first)).toEqual(['PENDING', 'PENDING', 'PENDING', 'unavailable']);
  const refused = await trade(first);
  const [result] = await tasks.startAll([refused]);
  expect(result?.problem).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  expect(await tasks.count(refused.idempotencyKey)).toBe(0);

  // Whoever has a task is answered with it.
  expect(await tasks.start(known)).toMatchObject({ task: { id: task.id }, replayed: true });

  // Others go on until there is no room at all. A channel that has nothing waiting is let in all the same.
  expect(await tryTimes(5, second)).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING', 'unavailable']);
  expect(await tryTimes(2, third)).toEqual(['PENDING', 'unavailable']);

  // Each answer of the ledger makes room. A refused request has not used up its key.
  const answered = await tasks.service.sql<{ id: string }>('select id from task where sales_channel_id = $1', [
    first.channel,
  ]);
  const outcomes = answered.map(({ id }) => report(id, 'SUCCESS'));
  await tasks.publisher.publish(REPORTED, outcomes);
  await tradeBecomes(tasks, first, task.id, ({ status }) => status === 'SUCCESS');
  expect(await eventually(() => tryAgain(refused), 'room')).toMatchObject({ status: 'PENDING' });
  await tasks.service.sql('delete from waiting_task');
});

test('of any number of transfers at once no more are accepted than there is room for', async () => {
  const [scene, before] = [tasks.newScene(), tasks.newScene()];
  // What waited before this test is not counted any more: only then there is room for two of a channel.
  for (const transfer of [await trade(before), await trade(before)])
    await eventually(() => tryAgain(transfer), 'room for others');
  const requests = await Promise.all(Array.from({ length: 40 }, () => trade(scene)));
  const calls = Array.from({ length: 20 }, (_, index) => tasks.startAll(requests.slice(index * 2, index * 2 + 2)));
  const results = (await Promise.all(calls)).flat();
  expect(new Set(results.flatMap(({ problem }) => problem?.code ?? []))).toEqual(new Set(['unavailable']));
  // What is being stored while others are counted may count twice, so there may be fewer for a moment. Never more.
  const refused = requests.filter((_request, index) => !results[index]?.task);
  expect(refused.length).toBeGreaterThanOrEqual(requests.length - PER_CHANNEL);
  const room = PER_CHANNEL - (requests.length - refused.length);
  for (const request of refused.slice(0, room)) await eventually(() => tryAgain(request), 'the rest of the room');
  expect(await tasks.refused(await trade(scene))).toMatchObject({ code: 'unavailable' });
  const stored = await tasks.service.sql('select 1 from task where sales_channel_id = $1', [scene.channel]);
  expect(stored).toHaveLength(PER_CHANNEL);
});

test('a large transfer takes the places of many small ones', async () => {
  await tasks.service.sql('delete from waiting_task');
  const scene = tasks.newScene();
  // About 130 KB of JSON: more than all places of a channel.
  const large = await trade(scene, { assets: Array.from({ length: 1_000 }, (_, place) => asset(place + 1, '12.5')) });
  await eventually(() => tryAgain(large), 'room for the large one');
  expect(await tryTimes(1, scene)).toEqual(['unavailable']);
  // Others are not concerned.
  expect(await tryTimes(1, tasks.newScene())).toEqual(['PENDING']);
});

test('what waits is counted seldom while there is plenty of room, and often otherwise', async () => {
  let counts = 0;
  const em = () => {
    counts += 1;
    return tasks.database.em();
  };
  const database = { ...tasks.database, em };
  const { channel } = tasks.newScene();
  const admission = new Admission({ inAll: 1_000, perChannel: 20 });
  const reserve = (count: number) => {
    const transfers = Array.from({ length: count }, () => ({ salesChannelId: channel, transfer: { assets: [] } }));
    return admission.reserve(database, transfers as unknown as AdmittedTransfer[]);
  };
  let now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    await reserve(1);
    now += 900;
    await reserve(1);
    expect(counts).toBe(1);
    now += 200;
    await reserve(5);
    expect(counts).toBe(2);
    now += 101;
    await reserve(1);
    expect(counts).toBe(3);
  } finally {
    clock.mockRestore();
  }
});
