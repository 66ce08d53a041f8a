import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asUser, toAuditorUrl, callAs, eventually, execute, catchFailure } from '@saleschannel/testing';
import { archiveTasks, archiveInTransaction } from '../src/jobs/archive.ts';
import type { EndedTaskTable } from '../src/store/archive.ts';
import { dropMonths, createArchiveMonth, removeDroppedKeys } from '../src/store/archive.ts';
import { report, REPORTED, STATUS_CHANGED, statusChange } from './support/events.ts';
import { ISSUANCE, range, trade, type KeyedTransfer, type Scene } from './support/requests.ts';
import { messageTypes, startTasks, type Task, type Tasks } from './support/tasks.ts';
import { waitForDeadLetter, waitForEvents, readTrade, waitForTrade } from './support/trades.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

/** A batch of all ended tasks, of any age. */
const all = (from: EndedTaskTable = 'task') => ({ from, endedBefore: new Date(Date.now() + 60_000), after: '' });

async function startTask(): Promise<{ request: KeyedTransfer; id: string }> {
  const request = await trade(scene);
  const { task } = await tasks.start(request);
  return { request, id: task.id };
}

async function startAndEndTask(sequence = 1): Promise<{ request: KeyedTransfer; id: string; task: Task }> {
  const { request, id } = await startTask();
  await tasks.publisher.publish(STATUS_CHANGED, [
    statusChange(scene, id, 'SUCCESS', { sequence: String(sequence), transactionId: `transaction-of-${id}` }),
  ]);
  const task = await waitForTrade(tasks, scene, id, ({ status }) => status === 'SUCCESS');
  return { request, id, task };
}

const findTables = async (id: string): Promise<string[]> => {
  const rows = await tasks.service.sql<{ place: string }>(
    `select 'task' as place from task where id = $1 union all select 'task_archive' from task_archive where id = $1
     union all select 'task_before' from task_before where id = $1`,
    [id],
  );
  return rows.map(({ place }) => place);
};

/** Moves a task to `task_before`, where the migration left ended tasks. */
async function moveToTaskBefore(id: string): Promise<void> {
  await tasks.service.sql('alter table task disable trigger task_kept');
  await tasks.service.sql(
    `insert into task_before (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, status, message,
       transaction_id, request, ledger_sequence, created_at, updated_at)
     select id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, status, message, transaction_id,
       jsonb_build_object('assets', assets, 'traceparent', ''), ledger_sequence, created_at, updated_at
     from task where id = $1`,
    [id],
  );
  await tasks.service.sql('delete from task where id = $1', [id]);
  await tasks.service.sql('alter table task enable trigger task_kept');
}

describe.each([
  ['the archive', 'task_archive', () => archiveTasks(tasks.database, all())],
  ['the table of earlier ends', 'task_before', moveToTaskBefore],
] as const)('a task in %s', (_name, table, move) => {
  test('is read, found by its key in both generations of the API, and not created again', async () => {
    const { request, id, task } = await startAndEndTask();
    await move(id);
    expect(await findTables(id)).toEqual([table]);
    expect(await readTrade(tasks, scene, id)).toEqual(task);
    expect(await tasks.start(request)).toEqual({ task, replayed: true });
    const { idempotencyKey } = request;
    const old = { assets: [{ range: { start: '1', end: '5' }, unitPrice: '12.5' }] };
    const again = await trade(scene, old, { idempotencyKey, previousGeneration: true });
    expect(await tasks.start(again)).toEqual({ task, replayed: true });
    const other = await trade(scene, { assets: [{ range: range(1, 4), unitPrice: '12.5' }] }, { idempotencyKey });
    expect(await tasks.startRefused(other)).toMatchObject({ code: 'idempotency-key-reused' });
    // A retry gets its task even if its selections are no longer possible.
    tasks.neighbours.faults.set(`${ISSUANCE}_1`, { code: 'bundle-start', detail: 'gone' });
    expect(await tasks.start(request)).toEqual({ task, replayed: true });
    tasks.neighbours.faults.clear();
    expect(await findTables(id)).toEqual([table]);
    const waiting = await tasks.service.sql('select from waiting_task where sales_channel_id = $1', [scene.channel]);
    expect(waiting).toEqual([]);
  });

  test('is hidden from other channels, and found by an operator', async () => {
    const { id } = await startAndEndTask();
    await move(id);
    const other = tasks.newScene();
    const request = { type: messageTypes.TRADE, traderId: scene.seller, taskId: id };
    const stranger = await asUser(other.channel, ['TRANSACTION_ADMINISTRATOR']);
    expect((await catchFailure(tasks.gateway.GetTask(request, stranger))).code).toBe('not-found');
    const admin = await callAs('admin', 'lookUp', tasks.service.address, 'tasks');
    const { things } = await admin.LookUp({ id });
    expect(things).toMatchObject([{ kind: 'task', facts: { taskId: id, status: 'SUCCESS' } }]);
    admin.close();
  });

  test('accepts repeated changes and refuses contradicting ones', async () => {
    const { id, task } = await startAndEndTask();
    await move(id);
    const [same, other] = ['SUCCESS', 'REJECTED'] as const;
    const change = { sequence: '1', transactionId: `transaction-of-${id}` };
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(scene, id, same, change)]);
    await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS', { transactionId: `transaction-of-${id}` })]);
    await waitForEvents(tasks, scene);
    const denied = statusChange(scene, id, other, { ...change, sequence: '2' });
    const { id: next } = await startTask();
    // Another task has its sequence.
    const taken = statusChange(scene, next, 'SUCCESS', { ...change, transactionId: 'another' });
    for (const each of [denied, taken]) {
      await tasks.publisher.publish(STATUS_CHANGED, [each]);
      expect(await waitForDeadLetter(tasks, each.eventId)).toMatchObject({
        reason: expect.stringContaining(`sequence ${each.sequence} of channel ${scene.channel}`),
      });
    }
    expect(await readTrade(tasks, scene, id)).toEqual(task);
    expect((await readTrade(tasks, scene, next)).status).toBe('PENDING');
  });
});

describe('the archive', () => {
  test('receives ended tasks of both tables, but no open or recent ones', async () => {
    const [old, before, young] = [await startAndEndTask(1), await startAndEndTask(2), await startAndEndTask(3)];
    const { id: open } = await startTask();
    await moveToTaskBefore(before.id);
    await tasks.service.sql('alter table task disable trigger task_guard');
    await tasks.service.sql("update task set updated_at = updated_at - interval '2 days' where id = $1", [old.id]);
    await tasks.service.sql('alter table task enable trigger task_guard');
    // Ids begin with their creation time, which is today for all: only `updated_at` is old.
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000);
    expect(await archiveTasks(tasks.database, { ...all(), endedBefore: yesterday })).toMatchObject({ count: 0 });
    await archiveTasks(tasks.database, all('task_before'));
    expect(await findTables(before.id)).toEqual(['task_archive']);
    await archiveTasks(tasks.database, all());
    expect(await findTables(old.id)).toEqual(['task_archive']);
    expect(await findTables(young.id)).toEqual(['task_archive']);
    expect(await findTables(open)).toEqual(['task']);
    expect(await readTrade(tasks, scene, before.id)).toEqual(before.task);
    const places = await tasks.service.sql('select from ledger_place where sales_channel_id = $1', [scene.channel]);
    expect(places).toEqual([]);
  });

  test('receives a task during a retry of its request, which gets this task', async () => {
    const { request, id, task } = await startAndEndTask();
    const moved = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const archiving = tasks.database.transaction(async (em) => {
      await archiveInTransaction(em, all());
      moved.resolve();
      await mayCommit.promise;
    });
    await moved.promise;
    const again = tasks.start(request);
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into task %'`;
    await eventually(async () => (await tasks.service.sql(waiting)).length > 0, 'a request that waits for the archive');
    mayCommit.resolve();
    await archiving;
    expect(await again).toEqual({ task, replayed: true });
    expect(await findTables(id)).toEqual(['task_archive']);
    expect(await tasks.count(request.idempotencyKey)).toBe(0);
  });

  test('receives each task once from concurrent replicas', async () => {
    for (let sequence = 1; sequence <= 8; sequence++) await startAndEndTask(sequence);
    const counts = await Promise.all([1, 2, 3].map(() => archiveTasks(tasks.database, all())));
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(8);
    const kept = await tasks.service.sql('select from task_archive where sales_channel_id = $1', [scene.channel]);
    expect(kept).toHaveLength(8);
  });

  test('protects the key of a task while it moves', async () => {
    const { request, id, task } = await startAndEndTask();
    const gate = Promise.withResolvers<void>();
    const moved = Promise.withResolvers<void>();
    const moving = tasks.database.transaction(async (em) => {
      await archiveInTransaction(em, all());
      moved.resolve();
      await gate.promise;
    });
    await moved.promise;
    const repeated = tasks.start(request);
    // The retry has read the archive and waits for the row that is being deleted.
    await eventually(async () => {
      const waiting = await tasks.service.sql(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0 && true;
    }, 'a request that waits');
    gate.resolve();
    await moving;
    expect(await repeated).toEqual({ task, replayed: true });
    expect(await findTables(id)).toEqual(['task_archive']);
    expect(tasks.countAnnouncements(id)).toBe(1);
  });

  test('is required before a task can be deleted', async () => {
    const { id } = await startAndEndTask();
    expect(await catchFailure(tasks.service.sql('delete from task where id = $1', [id]))).toMatchObject({
      code: '23000',
    });
    const { id: open } = await startTask();
    expect(await catchFailure(tasks.service.sql('delete from task where id = $1', [open]))).toMatchObject({
      code: '23000',
    });
    await moveToTaskBefore(id);
    expect(await catchFailure(tasks.service.sql('delete from task_before where id = $1', [id]))).toMatchObject({
      code: '23000',
    });
  });

  test('drops whole months past retention, whose keys become free', async () => {
    const { request, id } = await startAndEndTask();
    await tasks.service.sql('alter table task disable trigger task_guard');
    await tasks.service.sql("update task set updated_at = now() - interval '5 months' where id = $1", [id]);
    await tasks.service.sql('alter table task enable trigger task_guard');
    await archiveTasks(tasks.database, all());
    const kept = await startAndEndTask(2);
    await archiveTasks(tasks.database, all());
    expect(await dropMonths(tasks.database.em(), 6)).toBe(0);
    expect(await dropMonths(tasks.database.em(), 3)).toBe(1);
    expect(await removeDroppedKeys(tasks.database.em(), 100)).toBe(1);
    expect(await removeDroppedKeys(tasks.database.em(), 100)).toBe(0);
    expect(await findTables(id)).toEqual([]);
    expect(await tasks.start(request)).toMatchObject({ replayed: false });
    expect(await tasks.start(kept.request)).toEqual({ task: kept.task, replayed: true });
  });

  test('keeps recent months, and refuses read-only users that create or drop months', async () => {
    await createArchiveMonth(tasks.database.em(), '2020-01-01');
    await createArchiveMonth(tasks.database.em(), '2020-01-01');
    const young = "select drop_archive_month((now() - interval '1 month')::date)";
    expect(await catchFailure(tasks.service.sql(young))).toMatchObject({ code: '23000' });
    for (const statement of ["make_archive_month('2020-01-01')", "drop_archive_month('2020-01-01')"])
      expect(await catchFailure(execute(toAuditorUrl(tasks.service.databaseUrl), `select ${statement}`))).toMatchObject(
        {
          code: '42501',
        },
      );
    expect(await dropMonths(tasks.database.em(), 3)).toBe(1);
  });
});

test('the job creates the coming months and archives `task_before`', async () => {
  const own = await startTasks({ variables: { TASK_ARCHIVE_SECONDS: '1' } });
  await own.service
    .sql(`insert into task_before (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id,
      status, message, request, updated_at)
    select 'c0000' || n, 'c', 'TRADE', 'key-' || n, 'f', 's', 'FAILED', 'm', '{"assets": [{"start": "a", "end": "b"}]}',
      now() - n * interval '1 day'
    from generate_series(1, 1200) as n`);
  await eventually(
    async () => (await own.service.sql('select from task_before limit 1')).length === 0 && true,
    'an empty table',
  );
  expect(
    await own.service.sql('select from task_archive where assets = \'[{"start": "a", "end": "b"}]\''),
  ).toHaveLength(1_200);
  const next = await own.service.sql<{ there: boolean }>(
    "select to_regclass(to_char(now() + interval '1 month', '\"task_archive_\"YYYY_MM')) is not null as there",
  );
  expect(next).toEqual([{ there: true }]);
  await own.stop();
});
