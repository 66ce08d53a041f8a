import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@saleschannel/auth';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { asUser, removeMarkers, catchFailure, catchFailures } from '@saleschannel/testing';
import { archiveTasks } from '../src/jobs/archive.ts';
import { createArchiveMonth, removeDroppedExceptions } from '../src/store/archive.ts';
import { report, REPORTED, STATUS_CHANGED, statusChange } from './support/events.ts';
import { offramp, retirement, trade, type Scene } from './support/requests.ts';
import { startTasks, type Tasks } from './support/tasks.ts';
import { waitForEvents, startTrade, waitForTrade } from './support/trades.ts';

type Listed = ReplyOf<'tasks.ListTasks'>['tasks'][number];
type Query = Omit<SentTo<'tasks.ListTasks'>, 'page'>;

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

const BOTH: readonly Role[] = ['TRANSACTION_ADMINISTRATOR', 'ASSET_OFFRAMPER'];

async function page(query: Query, page: SentTo<'tasks.ListTasks'>['page'], roles = BOTH, channel = scene.channel) {
  return removeMarkers(await tasks.gateway.ListTasks({ ...query, page }, await asUser(channel, roles)));
}

/** Reads the whole list, in pages of this size. */
async function listAll(query: Query = {}, limit = 2, roles = BOTH): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let after: string | undefined; ;) {
    const found = await page(
      query,
      after === undefined ? { limit, offset: '0' } : { limit, offset: '0', after },
      roles,
    );
    all.push(...found.tasks);
    if (found.next === undefined) return all;
    expect(found.tasks).toHaveLength(limit);
    after = found.next;
  }
}
const toIds = (found: readonly Listed[]): (string | undefined)[] => found.map(({ task }) => task?.id);

let sequence = 0;
const change = (id: string, status: 'SUCCESS' | 'REJECTED' | 'FAILED') =>
  statusChange(scene, id, status, { sequence: String(++sequence), transactionId: `transaction-of-${id}` });
const endAs = async (id: string, status: 'SUCCESS' | 'REJECTED' | 'FAILED'): Promise<void> => {
  await tasks.publisher.publish(STATUS_CHANGED, [change(id, status)]);
  await waitForTrade(tasks, scene, id, (task) => task.status === status);
};
const reserve = async (id: string): Promise<void> => {
  await tasks.publisher.publish(REPORTED, [report(id, 'RESERVED', { transactionId: `transaction-of-${id}` })]);
  await waitForTrade(tasks, scene, id, (task) => task.transactionId !== undefined);
};
const archive = () =>
  archiveTasks(tasks.database, { from: 'task', endedBefore: new Date(Date.now() + 60_000), after: '' });
const listExceptional = () =>
  tasks.service.sql('select id, status from exceptional_task where sales_channel_id = $1 order by id', [scene.channel]);

describe('ListTasks', () => {
  test('lists all types of tasks, newest or oldest first, in pages of any size', async () => {
    const one = (await tasks.start(await trade(scene))).task;
    const two = (await tasks.start(await retirement(scene))).task;
    const three = (await tasks.start(await offramp(scene))).task;
    const all = await listAll();
    expect(all).toEqual([
      { task: three, type: 'OFFRAMP', traderId: scene.onboarded, createdAt: expect.any(String) },
      { task: two, type: 'RETIREMENT', traderId: scene.seller, createdAt: expect.any(String) },
      { task: one, type: 'TRADE', traderId: scene.seller, createdAt: expect.any(String) },
    ]);
    for (const { createdAt } of all) expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await listAll({ ascending: true }, 1)).toEqual(all.toReversed());
    expect(await listAll({}, 1_000)).toEqual(all);
    expect(toIds((await page({}, { limit: 1, offset: '2' })).tasks)).toEqual([one.id]);
  });

  test("lists only types for which the user has the role, and no other channel's tasks", async () => {
    const one = (await tasks.start(await trade(scene))).task.id;
    const two = (await tasks.start(await offramp(scene))).task.id;
    expect(toIds(await listAll({}, 5, ['TRANSACTION_ADMINISTRATOR']))).toEqual([one]);
    expect(toIds(await listAll({}, 5, ['ASSET_OFFRAMPER']))).toEqual([two]);
    expect(await listAll({ filter: { type: 'OFFRAMP' } }, 5, ['TRANSACTION_ADMINISTRATOR'])).toEqual([]);
    expect((await page({}, { limit: 5 }, BOTH, tasks.newScene().channel)).tasks).toEqual([]);
    const answer = tasks.gateway.ListTasks({ page: { limit: 1 } }, await asUser(scene.channel, ['ASSET_VIEWER']));
    expect(await catchFailure(answer)).toMatchObject({ code: 'forbidden' });
  });

  test('filters by status, current and archived', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await startTrade(tasks, scene));
    const [waiting, reserved, approved, rejected, refused, done] = ids as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await reserve(reserved);
    await reserve(approved);
    await reserve(rejected);
    const pending = async () => new Set(toIds(await listAll({ filter: { status: 'PENDING' } })));
    expect(await pending()).toEqual(new Set(ids));
    await endAs(approved, 'SUCCESS');
    await endAs(rejected, 'REJECTED');
    await tasks.publisher.publish(REPORTED, [report(refused, 'REFUSED', { transactionId: null, reason: 'gone' })]);
    await waitForTrade(tasks, scene, refused, ({ status }) => status === 'FAILED');
    await endAs(done, 'SUCCESS');
    const all = await listAll();
    const expectStatuses = async (): Promise<void> => {
      for (const [status, expected] of Object.entries({
        PENDING: [waiting, reserved],
        SUCCESS: [approved, done],
        REJECTED: [rejected],
        FAILED: [refused],
      })) {
        const found = await listAll({ filter: { status } }, 1);
        expect(new Set(toIds(found))).toEqual(new Set(expected));
        expect(found).toEqual(all.filter(({ task }) => task?.status === status));
      }
    };
    await expectStatuses();
    // Tasks that succeeded have no row there.
    expect(await listExceptional()).toHaveLength(3);
    await archive();
    expect(await listAll()).toEqual(all);
    await expectStatuses();
  });

  test('with any combination of filters returns the filtered whole list', async () => {
    await startTrade(tasks, scene);
    await tasks.start(await retirement(scene));
    await tasks.start(await trade(scene, { buyerId: scene.seller }, { traderId: scene.buyer }));
    await endAs(await startTrade(tasks, scene), 'FAILED');
    await archive();
    const all = await listAll();
    const times = all.map(({ createdAt }) => createdAt).toSorted();
    for (const type of [undefined, 'TRADE', 'RETIREMENT', 'OFFRAMP'])
      for (const status of [undefined, 'PENDING', 'FAILED', 'SUCCESS'])
        for (const traderId of [undefined, scene.seller, scene.buyer, 'nobody'])
          for (const gte of [undefined, times[2]]) {
            const filter = {
              ...(type && { type }),
              ...(status && { status }),
              ...(traderId && { traderId }),
              ...(gte && { createdAt: { gte } }),
            };
            const expected = all.filter(
              (each) =>
                (type === undefined || each.type === type) &&
                (status === undefined || each.task?.status === status) &&
                (traderId === undefined || each.traderId === traderId) &&
                (gte === undefined || each.createdAt >= gte),
            );
            expect(await listAll({ filter }, 3)).toEqual(expected);
          }
  });

  test('continues after a cursor while tasks end and are archived, without gaps or duplicates', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await startTrade(tasks, scene));
    const first = await page({}, { limit: 2, offset: '0' });
    expect(toIds(first.tasks)).toEqual([ids[4], ids[3]]);
    for (const id of ids) await endAs(id, 'SUCCESS');
    await startTrade(tasks, scene);
    await archive();
    const second = await page({}, { limit: 5, offset: '0', after: first.next ?? 'none' });
    expect(toIds(second.tasks)).toEqual([ids[2], ids[1], ids[0]]);
    expect(second.next).toBeUndefined();
  });

  test.each([
    [{ filter: { type: 'ONRAMP' } }, { limit: 1 }, '$filter'],
    [{ filter: { status: 'DONE' } }, { limit: 1 }, '$filter'],
    [{ filter: { createdAt: { gte: 'yesterday' } } }, { limit: 1 }, '$filter'],
    [{}, { limit: 0 }, '$limit'],
    [{}, { limit: 1_001 }, '$limit'],
    [{}, { limit: 1, offset: '100001' }, '$offset'],
    [{}, { limit: 1, after: 'x' }, '$after'],
  ])('%j %j is refused', async (query, requested, parameter) => {
    const failure = await catchFailure(page(query, { offset: '0', ...requested }));
    expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ parameter }] });
  });

  test('a cursor is valid only for its channel, filter, order and types', async () => {
    for (let count = 0; count < 2; count += 1) await startTrade(tasks, scene);
    const { next } = await page({}, { limit: 1 });
    const after = { limit: 1, after: String(next) };
    const other = tasks.newScene();
    await startTrade(tasks, other);
    const answers = [
      page({}, after, BOTH, other.channel),
      page({}, after, ['TRANSACTION_ADMINISTRATOR']),
      page({ ascending: true }, after),
      page({ filter: { type: 'TRADE' } }, after),
    ];
    for (const failure of await catchFailures(answers))
      expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ code: 'cursor' }] });
  });

  test('list rows of a dropped month are removed', async () => {
    const id = await startTrade(tasks, scene);
    await endAs(id, 'FAILED');
    await waitForEvents(tasks, scene);
    await createArchiveMonth(tasks.database.em(), '2020-01-01');
    await tasks.service.sql(`update exceptional_task set ended_at = '2020-01-31T23:59:59Z' where id = $1`, [id]);
    expect(toIds(await listAll({ filter: { status: 'FAILED' } }))).toContain(id);
    await tasks.service.sql(`insert into dropped_archive (month) values ('2020-01-01')`);
    expect(await removeDroppedExceptions(tasks.database.em(), 100)).toBe(1);
    expect(await removeDroppedExceptions(tasks.database.em(), 100)).toBe(0);
    expect(toIds(await listAll({ filter: { status: 'FAILED' } }))).not.toContain(id);
  });
});
