import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { Admission } from '../src/operations/admission.ts';
import type { AuthorizedTransfer } from '../src/operations/check-transfers.ts';
import { report, REPORTED } from './support/events.ts';
import { asset, trade, type Scene, type StartTransfer } from './support/requests.ts';
import { startTasks, type Task, type Tasks } from './support/tasks.ts';
import { waitForTrade } from './support/trades.ts';

const TOTAL = 8;
const PER_CHANNEL = 4;

let tasks: Tasks;
beforeAll(async () => {
  const variables = { TASKS_WAITING_MAX: String(TOTAL), TASKS_WAITING_PER_CHANNEL_MAX: String(PER_CHANNEL) };
  // No ledger consumes the announcements, so every task waits.
  tasks = await startTasks({ hasLedger: false, variables });
});
afterAll(() => tasks.stop());

/** Starts transfers one after another, and returns the status or error code of each. */
async function startSeveral(count: number, scene: Scene): Promise<string[]> {
  const outcomes: string[] = [];
  for (let index = 0; index < count; index++) {
    const [result] = await tasks.startAll([await trade(scene)]);
    outcomes.push(result?.task?.status ?? result?.problem?.code ?? 'nothing');
  }
  return outcomes;
}

/** Returns the task of a transfer, if there is room. The next count finds the slots freed by answers. */
async function tryToStart(transfer: StartTransfer): Promise<Task | undefined> {
  const [result] = await tasks.startAll([transfer]);
  return result?.task ?? undefined;
}

test('transfers are refused while too many tasks wait for the ledger, per channel and in total', async () => {
  const [first, second, third] = [tasks.newScene(), tasks.newScene(), tasks.newScene()];
  const known = await trade(first);
  const { task } = await tasks.start(known);

  // A channel cannot exceed its limit.
  expect(await startSeveral(4, first)).toEqual(['PENDING', 'PENDING', 'PENDING', 'unavailable']);
  const refused = await trade(first);
  const [result] = await tasks.startAll([refused]);
  expect(result?.problem).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  expect(await tasks.count(refused.idempotencyKey)).toBe(0);

  // A retry gets its task.
  expect(await tasks.start(known)).toMatchObject({ task: { id: task.id }, replayed: true });

  // Other channels continue up to the total. A channel with nothing waiting is always admitted.
  expect(await startSeveral(5, second)).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING', 'unavailable']);
  expect(await startSeveral(2, third)).toEqual(['PENDING', 'unavailable']);

  // Answers of the ledger free slots. A refused request has not used its key.
  const answered = await tasks.service.sql<{ id: string }>('select id from task where sales_channel_id = $1', [
    first.channel,
  ]);
  const outcomes = answered.map(({ id }) => report(id, 'SUCCESS'));
  await tasks.publisher.publish(REPORTED, outcomes);
  await waitForTrade(tasks, first, task.id, ({ status }) => status === 'SUCCESS');
  expect(await eventually(() => tryToStart(refused), 'room')).toMatchObject({ status: 'PENDING' });
  await tasks.service.sql('delete from waiting_task');
});

test('concurrent transfers cannot exceed the limit', async () => {
  const [scene, before] = [tasks.newScene(), tasks.newScene()];
  // Waits for a count without the tasks of earlier tests, because only then is there room for two tasks of a channel.
  for (const transfer of [await trade(before), await trade(before)])
    await eventually(() => tryToStart(transfer), 'room for others');
  const requests = await Promise.all(Array.from({ length: 40 }, () => trade(scene)));
  const calls = Array.from({ length: 20 }, (_, index) => tasks.startAll(requests.slice(index * 2, index * 2 + 2)));
  const results = (await Promise.all(calls)).flat();
  expect(new Set(results.flatMap(({ problem }) => problem?.code ?? []))).toEqual(new Set(['unavailable']));
  // Tasks that are stored during a count may count twice, so for a moment fewer may be accepted, but never more.
  const refused = requests.filter((_request, index) => !results[index]?.task);
  expect(refused.length).toBeGreaterThanOrEqual(requests.length - PER_CHANNEL);
  const room = PER_CHANNEL - (requests.length - refused.length);
  for (const request of refused.slice(0, room)) await eventually(() => tryToStart(request), 'the rest of the room');
  expect(await tasks.startRefused(await trade(scene))).toMatchObject({ code: 'unavailable' });
  const stored = await tasks.service.sql('select 1 from task where sales_channel_id = $1', [scene.channel]);
  expect(stored).toHaveLength(PER_CHANNEL);
});

test('a large transfer uses the slots of many small ones', async () => {
  await tasks.service.sql('delete from waiting_task');
  const scene = tasks.newScene();
  // About 130 KB of JSON: more than all slots of a channel.
  const large = await trade(scene, { assets: Array.from({ length: 1_000 }, (_, index) => asset(index + 1, '12.5')) });
  await eventually(() => tryToStart(large), 'room for the large one');
  expect(await startSeveral(1, scene)).toEqual(['unavailable']);
  // Other channels are not affected.
  expect(await startSeveral(1, tasks.newScene())).toEqual(['PENDING']);
});

test('waiting tasks are counted less often while there is plenty of room', async () => {
  let counts = 0;
  const em = () => {
    counts += 1;
    return tasks.database.em();
  };
  const database = { ...tasks.database, em };
  const { channel } = tasks.newScene();
  const admission = new Admission({ total: 1_000, perChannel: 20 });
  const reserve = (count: number) => {
    const transfers = Array.from({ length: count }, () => ({ salesChannelId: channel, transfer: { assets: [] } }));
    return admission.reserve(database, transfers as unknown as AuthorizedTransfer[]);
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
