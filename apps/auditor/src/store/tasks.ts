import { statementCheck, type DatabaseCheck } from './statement-check.ts';

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
