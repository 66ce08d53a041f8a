import type { TransferType } from '@saleschannel/contracts';
import type { EntityManager, PageRequest } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import type { TaskFilter } from '../src/domain/task.ts';
import { schema } from '../src/store/schema.ts';
import { selectTasks } from '../src/store/task-lists.ts';
import { countOpenTasks } from '../src/store/waiting.ts';

/**
 * Two alternating channels with 20,000 current tasks each, as many in three months of the archive, and some in
 * `task_before`. One in a hundred failed, few were rejected, few wait for the ledger or an approval. One trader has
 * nearly all tasks, another one few.
 */
const columns = 'id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, status, message, created_at';
const tasks = (table: string, lead: string, count: number, since: string, more: string, values: string) => `
  insert into ${table} (${columns}, ${more})
  select '${lead}' || lpad(n::text, 20, '0'), case n % 2 when 0 then 'large' else 'other' end,
    case when n % 500 = 0 then 'OFFRAMP' when n % 8 = 0 then 'RETIREMENT' else 'TRADE' end, '${lead}' || n, 'f',
    case when n % 2 = 1 then 'others' when n % 1000 = 0 then 'few' else 'most' end,
    case when n % 2000 = 0 then 'REJECTED' when n % 100 = 0 then 'FAILED' else 'SUCCESS' end, 'm',
    timestamptz '${since}' + n * interval '1 minute', ${values}
  from generate_series(1, ${count}) as n`;
const at = `timestamptz '2026-01-15 00:00Z' + n % 3 * interval '1 month'`;

const fill = `
  select make_archive_month('2026-01-01'), make_archive_month('2026-02-01'), make_archive_month('2026-03-01');
  ${tasks('task', 'cn', 40_000, '2026-04-01 00:00Z', 'assets, updated_at', `'[]', now()`)};
  ${tasks('task_archive', 'ca', 40_000, '2026-01-01 00:00Z', 'assets, ended_at', `'[]', ${at}`)};
  ${tasks('task_before', 'cb', 4_000, '2025-01-01 00:00Z', 'request, updated_at', `'{}', now()`)};
  insert into task (${columns}, assets)
  select 'cw' || n, 'large', 'TRADE', 'w' || n, 'f', 'most', 'PENDING', 'm', now() + n * interval '1 second', '[]'
  from generate_series(1, 60) as n;
  insert into waiting_task (sales_channel_id, task_id, request)
  select 'large', 'cw' || n, '{}' from generate_series(1, 30) as n;
  insert into exceptional_task
    (id, sales_channel_id, operation, idempotency_key, trader_id, status, message, created_at)
  select id, sales_channel_id, operation, idempotency_key, trader_id, status, message, created_at from task
  where status in ('FAILED', 'REJECTED') or id in (select 'cw' || n from generate_series(31, 60) as n);
  insert into task_reference (sales_channel_id, external_reference, task_id)
  select sales_channel_id, 'reference of ' || id, id from task
  union all select sales_channel_id, 'reference of ' || id, id from task_archive;
  insert into task_metadata (sales_channel_id, pair, operation, created_at, task_id)
  select sales_channel_id, sha256(convert_to(pair, 'UTF8')), operation, created_at, id
  from (
    select sales_channel_id, operation, created_at, id from task
    union all select sales_channel_id, operation, created_at, id from task_archive
  ) as noted cross join unnest(array['shop=all', 'order=' || id]) as pair;
`;

const everyType: readonly TransferType[] = ['TRADE', 'RETIREMENT', 'OFFRAMP'];
const tasksBy =
  (filter: Partial<TaskFilter>, types = everyType, descending = true) =>
  (em: EntityManager, page: PageRequest) => {
    const whole = { createdAt: { fromMs: undefined, toMs: undefined }, ...filter };
    return selectTasks(em, 'large', { filter: whole, types, descending }, page);
  };
const aDay = { fromMs: Date.parse('2026-04-02T00:00:00Z'), toMs: Date.parse('2026-04-03T00:00:00Z') };

planTests({
  schema,
  fill,
  lists: {
    'all tasks, newest first': tasksBy({}),
    'all tasks, oldest first': tasksBy({}, everyType, false),
    'of one type': tasksBy({}, ['OFFRAMP']),
    'of a day': tasksBy({ createdAt: aDay }),
    'of a trader that has nearly all': tasksBy({ traderId: 'most' }),
    'of a trader that has few': tasksBy({ traderId: 'few' }),
    'of an unknown trader': tasksBy({ traderId: 'nobody' }),
    'that succeeded': tasksBy({ status: 'SUCCESS' }),
    'that failed': tasksBy({ status: 'FAILED' }),
    'that were rejected': tasksBy({ status: 'REJECTED' }),
    'that failed, of a trader that has few': tasksBy({ status: 'FAILED', traderId: 'few' }),
    'that wait': tasksBy({ status: 'PENDING' }),
    'with a reference, current': tasksBy({ externalReference: 'reference of cn00000000000000020000' }),
    'with a reference, in the archive': tasksBy({ externalReference: 'reference of ca00000000000000020000' }),
    'with an unknown reference': tasksBy({ externalReference: 'none', status: 'SUCCESS', traderId: 'few' }),
    'with metadata that nearly all have': tasksBy({ metadata: { name: 'shop', value: 'all' } }),
    'with metadata that nearly all have, oldest first': tasksBy(
      { metadata: { name: 'shop', value: 'all' } },
      everyType,
      false,
    ),
    'with metadata that nearly all have, of a day': tasksBy({
      metadata: { name: 'shop', value: 'all' },
      createdAt: aDay,
    }),
    'with metadata that nearly all have, that succeeded': tasksBy({
      metadata: { name: 'shop', value: 'all' },
      status: 'SUCCESS',
    }),
    'with metadata that nearly all have, that were rejected': tasksBy({
      metadata: { name: 'shop', value: 'all' },
      status: 'REJECTED',
    }),
    'with metadata that nearly all have, that wait': tasksBy({
      metadata: { name: 'shop', value: 'all' },
      status: 'PENDING',
    }),
    'with metadata that one task has': tasksBy({ metadata: { name: 'order', value: 'ca00000000000000020000' } }),
    'with metadata that no task has': tasksBy({ metadata: { name: 'order', value: 'none' } }),
    'of one type that wait, of a trader': tasksBy({ status: 'PENDING', traderId: 'most' }, ['TRADE']),
  },
  others: {
    'the open tasks of a channel': (em) => countOpenTasks(em, 'large'),
  },
});
