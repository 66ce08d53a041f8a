import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@saleschannel/database';
import { lowestIdAt, newId } from '@saleschannel/primitives';
import {
  createTestDatabase,
  execute,
  openPlans,
  openTestDatabase,
  toOwnerUrl,
  planModes,
  toRuntimeUrl,
  type Plans,
  type TestDatabase,
} from '@saleschannel/testing';
import { lockEnded } from '../src/store/archive.ts';
import { applyOutcomes, findChannels } from '../src/store/outcomes.ts';
import { schema } from '../src/store/schema.ts';
import { findTasks, findTasksByKey, insertTasks } from '../src/store/tasks.ts';
import { WaitingCounter } from '../src/store/waiting.ts';
import { statusChange } from './support/events.ts';

/** Costs of the statements on tasks with a long history: 30,000 current tasks, and as many in each other table. */

const MONTHS = 3;
const request = `'{"assets": [{"start": "i_1", "end": "i_1"}]}'`;
const rows = (table: string, id: string, end: string, more: { names: string; values: string }) => `
  insert into ${table} (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, status, message,
    ${more.names}, ${end})
  select '${id}' || lpad(n::text, 20, '0'), 'c' || n % 40, 'TRADE', '${table}-' || n, 'f', 't', 'SUCCESS', 'm',
    ${more.values}, timestamptz '2026-01-15 00:00Z' + n % ${MONTHS} * interval '1 month'
  from generate_series(1, 30000) as n;`;
const fill = `
  ${[1, 2, 3].map((month) => `select make_archive_month('2026-0${month}-01');`).join('\n')}
  ${rows('task', 'cn', 'updated_at', { names: 'assets', values: `'[]'` })}
  ${rows('task_before', 'cb', 'updated_at', { names: 'request', values: request })}
  ${rows('task_archive', 'ca', 'ended_at', { names: 'assets, created_at', values: `'[]', now()` })}
  insert into archived_key (key_hash, task_id, ended_at)
  select task_key_hash(sales_channel_id, operation, idempotency_key), id, ended_at from task_archive;
  insert into ledger_place (sales_channel_id, sequence, task_id)
  select 'c1', n, 'cn' from generate_series(1, 30000) as n;
  insert into ledger_progress values ('c1', '{[1,30001)}');
  vacuum analyze`;

let created: TestDatabase;
let plans: Plans;
beforeAll(async () => {
  created = await createTestDatabase();
  const database = await openTestDatabase({
    url: toOwnerUrl(created.url),
    poolMax: 2,
    ...schema,
  });
  await database.migrate().finally(() => database.stop());
  plans = await openPlans(toRuntimeUrl(created.url));
  for (const statement of fill.split(';')) await execute(created.url, statement);
}, 120_000);
afterAll(async () => {
  await plans.close();
  await created.drop();
});

const KEYS = 20;
const several = <T>(make: (index: number) => T): T[] => Array.from({ length: KEYS }, (_, index) => make(index));
const path = (id: string) => (index: number) => ({
  index,
  id: `${id}${String(40 * (index + 1) + 1).padStart(20, '0')}`,
  salesChannelId: 'c1',
  type: 'TRADE' as const,
  traderId: 't',
});
const key = (table: string) => (index: number) => ({
  salesChannelId: 'c1',
  type: 'TRADE' as const,
  idempotencyKey: `${table}-${40 * (index + 1) + 1}`,
});
const newTasks = () =>
  several(() => ({
    id: newId(),
    salesChannelId: 'c1',
    type: 'TRADE' as const,
    idempotencyKey: newId(),
    fingerprint: 'f',
    traderId: 't',
    request: { assets: [{ start: 'i_1', end: 'i_1', unitPrice: '1' }] } as never,
  }));

const reads: [string, (em: EntityManager) => Promise<{ length: number } | undefined>, number | undefined][] = [
  ['current tasks by path', (em) => findTasks(em, several(path('cn'))), KEYS],
  ['archived tasks by path', (em) => findTasks(em, several(path('ca'))), KEYS],
  ['tasks of task_before by path', (em) => findTasks(em, several(path('cb'))), KEYS],
  ['unknown tasks', (em) => findTasks(em, several(path('cx'))), 0],
  ['current tasks by key', (em) => findTasksByKey(em, several(key('task')), true), KEYS],
  ['archived tasks by key', (em) => findTasksByKey(em, several(key('task_archive')), true), KEYS],
  ['tasks of task_before by key', (em) => findTasksByKey(em, several(key('task_before')), true), KEYS],
  ['free keys', (em) => findTasksByKey(em, several(key('none')), false), 0],
  [
    'channels',
    async (em) => [
      ...(await findChannels(
        em,
        several((index) => path('cn')(index).id),
      )),
    ],
    KEYS,
  ],
  ['new tasks', async (em) => [...(await insertTasks(em, newTasks()))], KEYS],
  [
    'outcomes',
    async (em) => {
      const events = several((index) =>
        statusChange({ channel: 'c1' }, path('cn')(index).id, 'SUCCESS', { sequence: String(40_000 + index) }),
      );
      const { disagreements } = await applyOutcomes(
        em,
        events.map((event) => ({ ...event, message: 'm', sequence: event.sequence })),
        events,
        { followed: events.map(({ taskId }) => taskId), mustAgree: false },
      );
      return [...disagreements];
    },
    KEYS,
  ],
  [
    'tasks old enough for the archive',
    (em) => lockEnded(em, 'task', { endedBefore: new Date(), idsBelow: 'cz', after: '', limit: KEYS }),
    KEYS,
  ],
  [
    'no tasks old enough for the archive',
    (em) => lockEnded(em, 'task', { endedBefore: new Date(0), idsBelow: lowestIdAt(0), after: '', limit: KEYS }),
    0,
  ],
];

/** Pages of tables and indexes per key: three months, eight partitions, a row and its index. */
const MAX_PAGES_PER_KEY = 40;

describe.each(planModes)('with %s', (mode) => {
  test.each(reads)('%s: by index', async (_name, read, found) => {
    const result = await read(plans.em);
    if (found !== undefined) expect(result).toHaveLength(found);
    // Explaining runs the statement again, which fails for new tasks.
    const { fullScans, pages } = await plans.measureRead(mode, (em) => read(em).catch(() => undefined));
    expect(fullScans).toEqual([]);
    expect(pages).toBeLessThan(MAX_PAGES_PER_KEY * KEYS);
  });

  test('counting waiting tasks reads nothing else', async () => {
    const { pages } = await plans.measureRead(mode, (em) => new WaitingCounter().count(em));
    expect(pages).toBeLessThan(MAX_PAGES_PER_KEY);
  });
});

test('a count skips tasks answered long ago, and includes all that wait', async () => {
  const longAgo = lowestIdAt(Date.now() - 3_600_000);
  const insert = (id: string, count: number): Promise<void> =>
    execute(
      created.url,
      `insert into waiting_task (sales_channel_id, task_id, request)
       select 'c' || n % 4, '${id}' || lpad(n::text, 16, '0'), repeat(' ', 1000)
       from generate_series(1, ${count}) as n`,
    );
  const answer = (which: string): Promise<void> => execute(created.url, `delete from waiting_task where ${which}`);
  const counter = new WaitingCounter();
  await answer('true');
  await insert(longAgo, 1);
  await insert(lowestIdAt(Date.now() - 1_800_000), 1);
  await insert(lowestIdAt(Date.now()), 2);
  await expect(counter.count(plans.em)).resolves.toMatchObject({ total: 4 });
  await answer(`task_id like '${longAgo}%'`);
  await expect(counter.count(plans.em)).resolves.toMatchObject({ total: 3 });
  await insert(longAgo, 4_000);
  await answer(`task_id like '${longAgo}%'`);
  const { pages } = await plans.measureRead('force_generic_plan', (em) => counter.count(em));
  expect(pages).toBeLessThan(2 * MAX_PAGES_PER_KEY);
  await expect(counter.count(plans.em)).resolves.toMatchObject({ total: 3 });
});
