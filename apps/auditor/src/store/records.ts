import { statementCheck, type DatabaseCheck } from './database-check.ts';

const COLUMNS = `id, sales_channel_id, operation, idempotency_key, trader_id, status, message, transaction_id,
  ledger_sequence`;

/** Selects current and archived tasks, and those that ended before the archive existed. */
export const EVERY_TASK = `(
  select ${COLUMNS} from task union all select ${COLUMNS} from task_archive union all select ${COLUMNS} from task_before
)`;

/** Invariants of the database of tasks. */
export const taskChecks: readonly DatabaseCheck[] = [
  statementCheck('task-keys', 'tasks', {
    about: 'An idempotency key has one task per channel and operation, including the archive',
    rows: `from ${EVERY_TASK} as task`,
    violations: `
      select min(id) as id, format('%s tasks of key %s in %s', count(*), idempotency_key, sales_channel_id) as detail
      from ${EVERY_TASK} as task group by sales_channel_id, operation, idempotency_key having count(*) > 1`,
  }),
  statementCheck('tasks-waiting', 'tasks', {
    about: 'The tasks that wait for the ledger are exactly those that it has not answered',
    rows: 'from (select from task union all select from waiting_task) as either',
    violations: `
      select coalesce(task_id, id) as id, format('task %s, waits as %s', id, task_id) as detail
      from (select id, sales_channel_id from task where status = 'PENDING' and transaction_id is null) as task
      full join waiting_task on task_id = id and waiting_task.sales_channel_id = task.sales_channel_id
      where id is null or task_id is null`,
  }),
  statementCheck('task-places', 'tasks', {
    about: 'Each recorded sequence belongs to the task that ended with it',
    rows: 'from ledger_place',
    violations: `
      select coalesce(task_id, id) as id,
        format('task %s, sequence %s, place %s', id, ledger_sequence, sequence) as detail
      from (select * from task where ledger_sequence is not null) as task
      full join ledger_place on task_id = id and sequence = ledger_sequence
        and ledger_place.sales_channel_id = task.sales_channel_id
      where id is null or task_id is null`,
  }),
  statementCheck('task-references', 'tasks', {
    about: 'A reference belongs to a task of its channel, including the archive',
    rows: 'from task_reference',
    violations: `
      select task_id as id, format('reference of %s without a task', task_reference.sales_channel_id) as detail
      from task_reference
      left join ${EVERY_TASK} as task on task.id = task_id and task.sales_channel_id = task_reference.sales_channel_id
      where task.id is null and not exists (select from dropped_archive)`,
  }),
  statementCheck('archived-keys', 'tasks', {
    about: 'An archived task can be found by its idempotency key',
    rows: 'from task_archive',
    violations: `
      select id, format('key %s is not found', idempotency_key) as detail from task_archive
      left join archived_key on archived_key.task_id = id and archived_key.ended_at = task_archive.ended_at
        and key_hash = substring(
          sha256(convert_to(sales_channel_id || '/' || operation || '/' || idempotency_key, 'UTF8')) for 8
        )::bigint
      where archived_key.task_id is null`,
  }),
];

/** Invariants of the databases of other services. */
export const recordChecks: readonly DatabaseCheck[] = [
  statementCheck('trader-keys', 'traders', {
    about: 'An idempotency key refers to one trader of its channel',
    rows: "from idempotency_key where operation = 'traders.CreateTrader'",
    violations: `
      select key as id, format('key of %s names %s', scope, convert_from(answer, 'UTF8')) as detail
      from idempotency_key left join trader
        on trader.id = convert_from(answer, 'UTF8') and 'channel/' || trader.sales_channel_id = scope
      where operation = 'traders.CreateTrader' and (trader.id is null or kept_until is not null)`,
  }),
  statementCheck('proposals', 'traders', {
    about: 'Each accepted proposal has the trader of its account holder, and each such trader has its proposal',
    rows: 'from proposal',
    violations: `
      select coalesce(proposal.id, trader.id) as id, format('proposal %s (%s), trader %s', proposal.id, proposal.status,
        trader.id) as detail
      from proposal full join trader on trader.sales_channel_id = proposal.sales_channel_id
        and trader.account_holder_id = proposal.account_holder_id
      where (trader.account_holder_id is not null or proposal.id is not null) and (
        (proposal.status = 'ACCEPTED') is distinct from (trader.id is not null)
        or proposal.trader_id is distinct from trader.id
      )`,
  }),
  statementCheck('event-times', 'events', {
    about: 'The event times of a channel strictly increase up to the last assigned time',
    rows: 'from event',
    violations: `
      select coalesce(event.id, head.sales_channel_id) as id,
        format('created %s, previous %s, last %s', created_at, before, last_created_at) as detail
      from (
        select *, lag(created_at) over log as before, lead(created_at) over log is null as is_last
        from event window log as (partition by sales_channel_id order by created_at, id)
      ) as event full join log_head as head using (sales_channel_id)
      where event.created_at <= event.before or head.sales_channel_id is null
        or coalesce(event.is_last, true) and head.last_created_at
          is distinct from coalesce(event.created_at, '1970-01-01T00:00:00Z')`,
  }),
  ...(['events', 'tasks'] as const).map((name) =>
    statementCheck(`${name}-progress`, name, {
      about: 'The recorded sequences of a consumer match the changes that it applied',
      rows: 'from ledger_progress',
      violations: `
        with known as (
          select sales_channel_id, ${name === 'events' ? 'sequence' : 'ledger_sequence'} as sequence
          from ${name === 'events' ? 'event' : `${EVERY_TASK} as task`}
        )
        select sales_channel_id as id, format('sequence %s, recorded %s', sequence, applied) as detail
        from known left join ledger_progress using (sales_channel_id)
        where sequence is not null and (applied is null or not applied @> sequence)`,
    }),
  ),
];
