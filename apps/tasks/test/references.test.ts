import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@saleschannel/auth';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asUser, removeMarkers, catchFailure } from '@saleschannel/testing';
import { archiveTasks } from '../src/jobs/archive.ts';
import { createArchiveMonth } from '../src/store/archive.ts';
import { removeDroppedMetadata } from '../src/store/references.ts';
import { REPORTED, report, STATUS_CHANGED, statusChange } from './support/events.ts';
import { asset, ISSUANCE, offramp, retirement, trade, type Scene, type StartTransfer } from './support/requests.ts';
import { toRefusal, startTasks, type Tasks } from './support/tasks.ts';
import { waitForTrade } from './support/trades.ts';

/** References and metadata of transfers. */

type Listed = ReplyOf<'tasks.ListTasks'>['tasks'][number];
type Filter = NonNullable<SentTo<'tasks.ListTasks'>['filter']>;

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

const listAll = async (filter: Filter, ascending = false, channel = scene.channel): Promise<Listed[]> => {
  const page = { limit: 100, offset: '0' };
  return removeMarkers(await tasks.gateway.ListTasks({ filter, ascending, page }, await asUser(channel, BOTH))).tasks;
};
const findIds = async (filter: Filter, channel = scene.channel) =>
  (await listAll(filter, false, channel)).map(({ task }) => task?.id);

const used = {
  code: 'request-refused',
  detail: 'The reference names another transfer.',
  violations: ['#/externalReference external-reference-used'],
};

async function endTask(id: string, status: 'SUCCESS' | 'FAILED', sequence: number): Promise<void> {
  const fields = { sequence: String(sequence), transactionId: `transaction-of-${id}` };
  await tasks.publisher.publish(STATUS_CHANGED, [statusChange(scene, id, status, fields)]);
  await waitForTrade(tasks, scene, id, (task) => task.status === status);
}

const archive = () =>
  archiveTasks(tasks.database, { from: 'task', endedBefore: new Date(Date.now() + 60_000), after: '' });

describe('a reference', () => {
  test('is announced with the metadata, and both are absent if not given', async () => {
    const notes = { externalReference: 'PO 4711/“Ω” \\ "x"', metadata: { project: 'Fjörd, "2"', 'cost-centre': '' } };
    const { task } = await tasks.start(await trade(scene, {}, notes));
    expect(await tasks.waitForAnnouncement(task.id)).toMatchObject(notes);
    const plain = await tasks.start(await retirement(scene, {}, { metadata: {} }));
    const announced = await tasks.waitForAnnouncement(plain.task.id);
    for (const name of Object.keys(notes)) expect(announced).not.toHaveProperty(name);
  });

  test('is unique in a channel across all types, even after the task has failed', async () => {
    const externalReference = newId();
    const { task } = await tasks.start(await trade(scene, {}, { externalReference }));
    const others = async () => [
      await trade(scene, {}, { externalReference }),
      await retirement(scene, {}, { externalReference, metadata: { a: 'b' } }),
      await offramp(scene, {}, { externalReference }),
    ];
    for (const other of await others()) expect(await tasks.startRefused(other)).toEqual(used);
    await tasks.publisher.publish(REPORTED, [report(task.id, 'REFUSED', { transactionId: null, reason: 'gone' })]);
    await waitForTrade(tasks, scene, task.id, ({ status }) => status === 'FAILED');
    for (const other of await others()) expect(await tasks.startRefused(other)).toEqual(used);
    await archive();
    for (const other of await others()) expect(await tasks.startRefused(other)).toEqual(used);
    const elsewhere = tasks.newScene();
    expect(await tasks.start(await trade(elsewhere, {}, { externalReference }))).toMatchObject({ replayed: false });
  });

  test('is compared by its visible characters', async () => {
    for (const externalReference of ['PO-1å', 'po-1å', 'PO-1a', 'PO_1å', 'PO%1å'])
      await tasks.start(await trade(scene, {}, { externalReference }));
    for (const externalReference of ['PO-1å', ' PO-1å', 'PO-1å ', 'PO-\u200d1å', 'PO-1a\u030a'])
      expect(await tasks.startRefused(await trade(scene, {}, { externalReference }))).toEqual(used);
  });

  test('and metadata are part of the request of an idempotency key', async () => {
    const first = { idempotencyKey: newId(), externalReference: newId(), metadata: { a: '1', b: '2' } };
    const { task } = await tasks.start(await trade(scene, {}, first));
    const again = { ...first, metadata: { b: '2', a: '1' } };
    expect(await tasks.start(await trade(scene, {}, again))).toEqual({ task, replayed: true });
    const { idempotencyKey, externalReference, metadata } = first;
    for (const other of [
      { idempotencyKey },
      { idempotencyKey, metadata },
      { idempotencyKey, externalReference },
      { ...first, externalReference: newId() },
      { ...first, metadata: { a: '1' } },
      { ...first, metadata: { a: '1', b: '3' } },
    ])
      expect(await tasks.startRefused(await trade(scene, {}, other))).toMatchObject({ code: 'idempotency-key-reused' });
    // Refused requests used nothing.
    const free = await trade(scene, {}, { externalReference: newId() });
    expect(await tasks.start(free)).toMatchObject({ replayed: false });
  });

  test('and metadata may have names of object members', async () => {
    const notes = {
      idempotencyKey: newId(),
      externalReference: 'constructor',
      metadata: { constructor: 'a', hasOwnProperty: 'b', toString: 'c', length: '', 10: 'd', 9: 'e', 'a.b:c-d_': 'f' },
    };
    const { task } = await tasks.start(await trade(scene, {}, notes));
    expect(await tasks.waitForAnnouncement(task.id)).toMatchObject({ metadata: notes.metadata });
    const metadata = Object.fromEntries(Object.entries(notes.metadata).toReversed()) as Record<string, string>;
    expect(await tasks.start(await trade(scene, {}, { ...notes, metadata }))).toEqual({ task, replayed: true });
    for (const [name, value] of Object.entries(metadata))
      expect(await findIds({ metadata: { [name]: value } })).toEqual([task.id]);
    for (const name of ['valueOf', 'constructor']) expect(await findIds({ metadata: { [name]: '' } })).toEqual([]);
  });

  test('of a refused request stays free', async () => {
    const externalReference = newId();
    const refusals = [
      await trade(scene, { buyerId: 'nobody' }, { externalReference }),
      await trade(scene, {}, { externalReference, roles: [] }),
      await trade(scene, {}, { externalReference, metadata: { 'a b': '' } }),
    ];
    for (const refusal of refusals) await tasks.startRefused(refusal);
    const idempotencyKey = newId();
    await tasks.start(await trade(scene, {}, { idempotencyKey }));
    // The reference is claimed before the key.
    const reused = await trade(scene, {}, { idempotencyKey, externalReference });
    expect(await tasks.startRefused(reused)).toMatchObject({ code: 'idempotency-key-reused' });
    expect(await tasks.start(await trade(scene, {}, { externalReference }))).toMatchObject({ replayed: false });
  });

  test('that is used does not hide other faults of a request', async () => {
    const externalReference = newId();
    await tasks.start(await trade(scene, {}, { externalReference }));
    tasks.neighbours.faults.set(`${ISSUANCE}_901`, { code: 'bundle-start', detail: 'gone' });
    const gone = await trade(scene, { assets: [asset(901, '1')] }, { externalReference });
    expect((await tasks.startRefused(gone)).violations).toContain('#/assets/0/start bundle-start');
  });
});

describe('in one call', () => {
  test('the first transfer with a reference uses it, and other transfers succeed', async () => {
    const externalReference = newId();
    const [first, second, third, fourth] = await tasks.startAll([
      await trade(scene, {}, { externalReference }),
      await trade(scene, {}, { externalReference }),
      await trade(scene),
      await retirement(scene, {}, { externalReference: newId(), metadata: { a: 'b' } }),
    ]);
    expect(toRefusal(second)).toEqual(used);
    for (const started of [first, third, fourth]) expect(started).toMatchObject({ replayed: false });
    await tasks.waitForAnnouncement(String(fourth?.task?.id));
    expect(tasks.countAnnouncements(String(first?.task?.id))).toBe(1);
  });

  test('the next transfer uses a reference if the key of the first one is used', async () => {
    const [idempotencyKey, externalReference] = [newId(), newId()];
    await tasks.start(await trade(scene, {}, { idempotencyKey }));
    const [first, second, third] = await tasks.startAll([
      await trade(scene, {}, { idempotencyKey, externalReference }),
      await trade(scene, {}, { externalReference }),
      await trade(scene, {}, { externalReference }),
    ]);
    expect(toRefusal(first)).toMatchObject({ code: 'idempotency-key-reused' });
    expect(second).toMatchObject({ replayed: false });
    expect(toRefusal(third)).toEqual(used);
    expect(await findIds({ externalReference })).toEqual([second?.task?.id]);
  });
});

/** Runs concurrent calls and groups the results of their transfers. */
const startCalls = async (calls: readonly StartTransfer[][]) => {
  const results = (await Promise.all(calls.map((transfers) => tasks.startAll([...transfers])))).flat();
  return {
    started: results.filter(({ task, replayed }) => task && !replayed),
    replayed: results.filter(({ replayed }) => replayed),
    refused: results.filter(({ problem }) => problem).map(toRefusal),
  };
};

test.each([1, 5, 40])('one of 40 concurrent requests with one reference succeeds: %d per call', async (size) => {
  const externalReference = newId();
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? trade(scene, {}, { externalReference }) : retirement(scene, {}, { externalReference }),
    ),
  );
  const calls = Array.from({ length: 40 / size }, (_, index) => all.slice(index * size, (index + 1) * size));
  const { started, refused } = await startCalls(calls);
  expect(started).toHaveLength(1);
  expect(refused).toEqual(Array.from({ length: 39 }, () => used));
  const [{ task } = {}] = started;
  await tasks.waitForAnnouncement(String(task?.id));
  const stored = await tasks.service.sql('select id from task where sales_channel_id = $1', [scene.channel]);
  expect(stored).toEqual([{ id: task?.id }]);
  const waiting = await tasks.service.sql('select task_id from waiting_task where sales_channel_id = $1', [
    scene.channel,
  ]);
  expect(waiting).toEqual([{ task_id: task?.id }]);
});

test('calls with the same references and keys in opposite orders do not deadlock', async () => {
  const transfers = await Promise.all(
    Array.from({ length: 30 }, () => trade(scene, {}, { externalReference: newId(), metadata: { a: 'b' } })),
  );
  const { started, replayed, refused } = await startCalls(
    Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? transfers : transfers.toReversed())),
  );
  expect(refused).toEqual([]);
  expect(started).toHaveLength(30);
  expect(replayed).toHaveLength(330);
});

describe('lists', () => {
  test('show and find current and archived tasks by reference, only in their channel', async () => {
    const externalReference = newId();
    const { task } = await tasks.start(await trade(scene, {}, { externalReference, metadata: { a: 'b' } }));
    await tasks.start(await trade(scene));
    const found = { type: 'TRADE', traderId: scene.seller, createdAt: expect.any(String), externalReference };
    expect(await listAll({ externalReference })).toEqual([{ task, ...found }]);
    expect((await listAll({})).map((each) => each.externalReference)).toEqual([undefined, externalReference]);
    expect(await findIds({ externalReference, status: 'PENDING', metadata: { a: 'b' } })).toEqual([task.id]);
    for (const filter of [
      { externalReference: newId() },
      { externalReference, type: 'OFFRAMP' },
      { externalReference, status: 'SUCCESS' },
      { externalReference, traderId: scene.buyer },
      { externalReference, metadata: { a: 'c' } },
    ])
      expect(await findIds(filter)).toEqual([]);
    expect(await findIds({ externalReference }, tasks.newScene().channel)).toEqual([]);
    await endTask(task.id, 'SUCCESS', 1);
    await archive();
    expect(await listAll({ externalReference })).toEqual([
      { task: { ...task, ...ended, transactionId: `transaction-of-${task.id}` }, ...found },
    ]);
  });

  const ended = { status: 'SUCCESS', message: 'The transaction is complete.' };

  test('find current and archived tasks of every status by metadata, in both orders and in pages', async () => {
    const metadata = { project: 'Fjord', 'a=b': 'c' };
    expect(toRefusal((await tasks.startAll([await trade(scene, {}, { metadata })]))[0])).toMatchObject({
      code: 'invalid-request',
    });
    const notes = { metadata: { project: 'Fjord', owner: 'Åse' } };
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push((await tasks.start(await trade(scene, {}, notes))).task.id);
    const retired = (await tasks.start(await retirement(scene, {}, notes))).task.id;
    await tasks.start(await trade(scene, {}, { metadata: { project: 'Fjord 2', owner: 'Fjord' } }));
    await tasks.start(await trade(scene));
    const [waiting, reserved, failed, archived, ...done] = ids as [string, string, string, string, ...string[]];
    await tasks.publisher.publish(REPORTED, [report(reserved, 'RESERVED', { transactionId: 'transaction' })]);
    await waitForTrade(tasks, scene, reserved, (task) => task.transactionId !== undefined);
    await endTask(failed, 'FAILED', 1);
    await endTask(archived, 'SUCCESS', 2);
    await archive();
    for (const [index, id] of done.entries()) await endTask(id, 'SUCCESS', index + 3);
    const project = { metadata: { project: 'Fjord' } };
    const expected = [...ids, retired].toReversed();
    expect(await findIds(project)).toEqual(expected);
    expect((await listAll(project, true)).map(({ task }) => task?.id)).toEqual(expected.toReversed());
    expect(await findIds({ metadata: { owner: 'Åse' }, type: 'RETIREMENT' })).toEqual([retired]);
    expect(await findIds({ ...project, status: 'PENDING' })).toEqual([retired, reserved, waiting]);
    expect(await findIds({ ...project, status: 'FAILED' })).toEqual([failed]);
    expect(await findIds({ ...project, status: 'SUCCESS' })).toEqual([...done.toReversed(), archived]);
    expect(await findIds({ ...project, traderId: scene.buyer })).toEqual([]);
    expect(await findIds({ metadata: { project: 'fjord' } })).toEqual([]);
    expect(await findIds({ metadata: { owner: 'Fjord 2' } })).toEqual([]);
    expect(await findIds(project, tasks.newScene().channel)).toEqual([]);
    const pages: (string | undefined)[] = [];
    const user = await asUser(scene.channel, BOTH);
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const page = { limit: 2, offset: '0', ...(after === undefined ? {} : { after }) };
      const found = await tasks.gateway.ListTasks({ filter: project, page }, user);
      pages.push(...found.tasks.map(({ task }) => task?.id));
      after = found.next;
    }
    expect(pages).toEqual(expected);
  });

  test.each([
    [{ externalReference: '' }],
    [{ externalReference: 'x'.repeat(101) }],
    [{ externalReference: 'a\u202Eb' }],
    [{ metadata: { a: 'b', c: 'd' } }],
    [{ metadata: { 'a b': 'c' } }],
    [{ metadata: { a: 'x'.repeat(501) } }],
  ])('refuse %j', async (filter) => {
    expect(await catchFailure(listAll(filter))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: '$filter' }],
    });
  });
});

test.each([
  [{ externalReference: '' }, '#/externalReference minLength'],
  [{ externalReference: 'x'.repeat(101) }, '#/externalReference maxLength'],
  [{ externalReference: 'a\nb' }, '#/externalReference pattern'],
  [{ externalReference: 'a\u2066b' }, '#/externalReference pattern'],
  [{ metadata: { a: 'x'.repeat(501) } }, '#/metadata/a maxLength'],
  [{ metadata: { a: 'b\u0007' } }, '#/metadata/a pattern'],
  [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, ''])) }, '#/metadata maxProp'],
])('%j is refused', async (notes, violation) => {
  const { code, violations } = await tasks.startRefused(await trade(scene, {}, notes));
  expect(code).toBe('invalid-request');
  expect(violations).toEqual([expect.stringContaining(violation)]);
});

test('the largest reference and metadata are stored and found', async () => {
  const externalReference = '🌲'.repeat(100);
  const names = Array.from({ length: 20 }, (_, index) => `k${'.'.repeat(37)}${String(index).padStart(2, '0')}`);
  const metadata = Object.fromEntries(names.map((name) => [name, '🌲'.repeat(500)]));
  const { task } = await tasks.start(await trade(scene, {}, { externalReference, metadata }));
  expect(await tasks.waitForAnnouncement(task.id)).toMatchObject({ externalReference, metadata });
  const last = { metadata: { [names.at(-1) ?? 'none']: '🌲'.repeat(500) } };
  expect(await findIds({ externalReference, ...last })).toEqual([task.id]);
  expect(await findIds(last)).toEqual([task.id]);
});

describe('the database', () => {
  test('refuses changes of a reference, and a second task with it', async () => {
    const externalReference = newId();
    const { task } = await tasks.start(await trade(scene, {}, { externalReference }));
    for (const statement of [
      'delete from task_reference where task_id = $1',
      "update task_reference set external_reference = 'other' where task_id = $1",
    ])
      expect(await catchFailure(tasks.service.sql(statement, [task.id]))).toMatchObject({ code: '23000' });
    const twice = `insert into task_reference (sales_channel_id, external_reference, task_id) values ($1, $2, 'other')`;
    expect(await catchFailure(tasks.service.sql(twice, [scene.channel, externalReference]))).toMatchObject({
      code: '23505',
    });
  });

  test('drops the metadata of tasks whose month was dropped, but keeps references', async () => {
    const notes = { externalReference: newId(), metadata: { a: newId() } };
    const { task } = await tasks.start(await trade(scene, {}, notes));
    const kept = await tasks.start(await trade(scene, {}, { metadata: notes.metadata }));
    await endTask(task.id, 'SUCCESS', 1);
    await archive();
    expect(await findIds({ metadata: notes.metadata })).toEqual([kept.task.id, task.id]);
    const em = tasks.database.em();
    await createArchiveMonth(em, '2020-01-01');
    await tasks.service.sql(`delete from task_archive where id = '${task.id}'`);
    await tasks.service.sql(`insert into dropped_archive (month) values (date_trunc('month', now())::date)`);
    expect(await removeDroppedMetadata(em, 100)).toBe(1);
    expect(await removeDroppedMetadata(em, 100)).toBe(0);
    await tasks.service.sql('delete from dropped_archive');
    expect(await findIds({ metadata: notes.metadata })).toEqual([kept.task.id]);
    const again = await trade(scene, {}, { externalReference: notes.externalReference });
    expect(await tasks.startRefused(again)).toEqual(used);
  });
});
