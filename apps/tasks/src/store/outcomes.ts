import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { query, recordset, sql, sqlState, type EntityManager } from '@saleschannel/database';
import type { LedgerConflict } from '@saleschannel/messaging';
import type { Outcome, Task } from '../domain/task.ts';
import { changeColumns, taskColumns, selectPast } from './tasks.ts';

/** A change that contradicts a task, or whose task is unknown. */
export interface Disagreement extends Omit<LedgerConflict, 'known'> {
  readonly taskId: string;
  /** The conflicting state. Null if the task is unknown. */
  readonly known: string | null;
}

/** An outcome of a task whose sales channel is known. */
export type OutcomeInChannel = Outcome & { readonly salesChannelId: string };

/** Finds the channels of tasks by id, in all partitions. Leaves out archived tasks. */
export async function findChannels(em: EntityManager, taskIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; channel: string }>(
    em,
    sql`select id, sales_channel_id as channel from task where id = any(${taskIds}::text[])`,
  );
  return new Map(rows.map(({ id, channel }) => [id, channel]));
}

interface ApplyOptions {
  /** Tasks to return when they end. */
  readonly followed: readonly string[];
  /** Fails on any disagreement ({@link isDisagreement}), so that statement and commit can share a round trip. */
  readonly mustAgree: boolean;
}

const DIVISION_BY_ZERO = '22012';

/** True if {@link applyOutcomes} failed because of a disagreement: its statement then divides by zero. */
export const isDisagreement = (error: unknown): boolean => sqlState(error) === DIVISION_BY_ZERO;

const outcomeColumns = { ...changeColumns, message: 'text' } as const;

/**
 * Writes the outcomes of open tasks, unless a change contradicts a task: another task has its sequence, or its own task
 * ended differently. Ended tasks do not change. Returns the disagreements and the followed tasks that ended. Reads and
 * writes in one statement, on one snapshot, and locks rows in a fixed order to avoid deadlocks between batches.
 */
export async function applyOutcomes(
  em: EntityManager,
  outcomes: readonly OutcomeInChannel[],
  changes: readonly TransactionStatusChanged[],
  { followed, mustAgree }: ApplyOptions,
): Promise<{ readonly disagreements: readonly Disagreement[]; readonly ended: ReadonlyMap<string, Task> }> {
  const sorted = outcomes.toSorted((one, other) => (one.taskId < other.taskId ? -1 : 1));
  const rows = await query<Disagreement & { readonly ended: Task | null }>(
    em,
    sql`with disagreement as materialized (
          select placed."salesChannelId", placed.sequence, placed."transactionId", placed."taskId",
            case
              when other.task_id is not null then format('that of task %s', other.task_id)
              when task.status = 'PENDING' then 'that of a task that ended long ago'
              when task.id is not null
                then format('%s of transaction %s, sequence %s', task.status, task.transaction_id, task.ledger_sequence)
            end as known
          from ${recordset('placed', changeColumns, changes)}
          left join task on task.id = placed."taskId" and task.sales_channel_id = placed."salesChannelId"
          left join ledger_place as other on other.sales_channel_id = placed."salesChannelId"
            and other.sequence = placed.sequence and other.task_id <> placed."taskId"
          left join ledger_progress as progress on progress.sales_channel_id = placed."salesChannelId"
          where task.id is null or other.task_id is not null
            or task.status = 'PENDING' and progress.applied @> placed.sequence
            or task.status <> 'PENDING' and (
              (task.status, task.transaction_id) is distinct from (placed.status, placed."transactionId")
              or task.ledger_sequence <> placed.sequence
            )
        ), outcome as materialized (
          select * from ${recordset('given', outcomeColumns, sorted)}
          where not exists (select from disagreement where known is not null)
        ), answered as (
          delete from waiting_task using outcome
          where waiting_task.sales_channel_id = outcome."salesChannelId" and waiting_task.task_id = outcome."taskId"
        ), written as (
          update task set status = outcome.status, message = outcome.message,
            transaction_id = coalesce(outcome."transactionId", task.transaction_id),
            ledger_sequence = outcome.sequence, updated_at = now()
          from outcome
          where task.id = outcome."taskId" and task.sales_channel_id = outcome."salesChannelId"
            and task.status = 'PENDING'
          returning task.sales_channel_id, task.ledger_sequence, ${taskColumns}
        ), placed as (
          insert into ledger_place (sales_channel_id, sequence, task_id)
          select sales_channel_id, ledger_sequence, id from written where ledger_sequence is not null
        )
        select disagreement.*, null::json as ended from disagreement
        where 1 / (not ${mustAgree}::boolean or "taskId" is null)::int = 1
        union all
        select null, null, null, null, null, to_json(written) from written
        where id = any(${followed}::text[]) and status <> 'PENDING'`,
  );
  const disagreements = rows.filter(({ ended }) => ended === null);
  const tasks = rows.flatMap(({ ended }) => ended ?? []);
  return { disagreements, ended: new Map(tasks.map((task) => [task.id, task])) };
}

/** Returns the changes whose task ended differently, and the changes without a task. */
export function findPastDisagreements(
  em: EntityManager,
  changes: readonly TransactionStatusChanged[],
): Promise<Disagreement[]> {
  return query(
    em,
    sql`select placed."salesChannelId", placed.sequence, placed."transactionId", placed."taskId",
          case
            when past.status is not null
              then format('%s of transaction %s, sequence %s', past.status, past.transaction_id, past.ledger_sequence)
          end as known
        from ${recordset('placed', changeColumns, changes)}
        left join lateral (
          ${selectPast(
            (table) => sql`
              select status, transaction_id, ledger_sequence from ${table}
              where id = placed."taskId" and sales_channel_id = placed."salesChannelId"`,
          )}
        ) as past on true
        where past.status is null
          or (past.status, past.transaction_id) is distinct from (placed.status, placed."transactionId")
          or past.ledger_sequence <> placed.sequence`,
  );
}
