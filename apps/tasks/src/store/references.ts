import type { TransferRequested, TransferType } from '@saleschannel/contracts';
import {
  pairDigest,
  query,
  queryFirst,
  raw,
  recordset,
  send,
  sql,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import { toStoredReferences, type MetadataPair } from '@saleschannel/primitives/validation';

/** References and metadata of sales channels, stored apart from the tasks (ADR 43). */

interface ReferredTask {
  readonly id: string;
  readonly salesChannelId: string;
  readonly type: TransferType;
  readonly request: Pick<TransferRequested, 'externalReference' | 'metadata'>;
}

const byReference = (one: ReferredTask, other: ReferredTask): number => {
  const [a, b] = [one, other].map(({ salesChannelId, request }) => `${salesChannelId}/${request.externalReference}`);
  if (a === undefined || b === undefined || a === b) return 0;
  return a < b ? -1 : 1;
};

const referenceColumns = { salesChannelId: 'text', externalReference: 'text', id: 'text' } as const;

/**
 * Claims the references of tasks before the tasks are inserted. Returns the ids of the tasks whose reference was free.
 * The first of equal references in a call wins. Inserts in a fixed order to avoid deadlocks between calls.
 */
export async function claimReferences(em: EntityManager, tasks: readonly ReferredTask[]): Promise<ReadonlySet<string>> {
  const rows = tasks
    .toSorted(byReference)
    .map(({ request: { externalReference }, ...task }) => ({ ...task, externalReference }));
  const taken = await query<{ id: string }>(
    em,
    sql`insert into task_reference (sales_channel_id, external_reference, task_id)
        select "salesChannelId", "externalReference", id from ${recordset('wanted', referenceColumns, rows)}
        on conflict (sales_channel_id, external_reference) do nothing
        returning task_id as id`,
  );
  return new Set(taken.map(({ id }) => id));
}

const taskColumns = { salesChannelId: 'text', id: 'text' } as const;

/** Releases references that this transaction claimed for tasks that it did not insert. */
export function releaseReferences(em: EntityManager, tasks: readonly ReferredTask[]): void {
  if (tasks.length === 0) return;
  send(
    em,
    sql`delete from task_reference using ${recordset('given', taskColumns, tasks)}
        where task_reference.task_id = given.id and task_reference.sales_channel_id = given."salesChannelId"`,
  );
}

const metadataColumns = { salesChannelId: 'text', type: 'text', id: 'text', name: 'text', value: 'text' } as const;

/** Inserts the metadata of tasks that this transaction inserted. */
export function insertMetadata(em: EntityManager, tasks: readonly ReferredTask[]): void {
  const rows = tasks.flatMap(({ salesChannelId, type, id, request: { metadata = {} } }) =>
    Object.entries(metadata).map(([name, value]) => ({ salesChannelId, type, id, name, value })),
  );
  if (rows.length === 0) return;
  send(
    em,
    // `now()` is the start of the transaction, so it equals the creation time of the tasks.
    sql`insert into task_metadata (sales_channel_id, pair, operation, created_at, task_id)
        select "salesChannelId", ${pairDigest(raw('name'), raw('value'))}, type, now(), id
        from ${recordset('given', metadataColumns, rows)}`,
  );
}

/** Selects the reference of the row `task`. */
export const selectReference = (salesChannelId: string): Sql => sql`(
  select external_reference from task_reference
  where task_reference.task_id = task.id and task_reference.sales_channel_id = ${salesChannelId}
)`;

const listColumns = raw(
  'id, sales_channel_id, operation, trader_id, status, idempotency_key, message, transaction_id, created_at',
);

/** Selects the task of a row, from the archive only if it is not current. */
const selectTask = (salesChannelId: string, row: Sql): Sql => sql`(
  select ${listColumns} from task where id = ${row}.task_id and sales_channel_id = ${salesChannelId}
  union all
  select ${listColumns} from task_archive where id = ${row}.task_id and sales_channel_id = ${salesChannelId}
  limit 1
)`;

/** Selects the task with a reference, as `task`. */
export const selectByReference = (salesChannelId: string, externalReference: string): Sql => sql`
  (
    select task_id from task_reference
    where sales_channel_id = ${salesChannelId}
      and external_reference = any(${toStoredReferences(externalReference)}::text[]) offset 0
  ) as reference
  cross join lateral ${selectTask(salesChannelId, raw('reference'))} as task`;

const toPairDigest = ({ name, value }: MetadataPair): Sql => pairDigest(sql`${name}::text`, sql`${value}::text`);

/** Selects tasks with a metadata member, as `task`, in the order of the index (operation, created_at, id). */
export const selectByMetadata = (salesChannelId: string, pair: MetadataPair): Sql => sql`
  (
    select entry.task_id as id, entry.sales_channel_id, entry.operation, entry.created_at, found.trader_id,
      found.status, found.idempotency_key, found.message, found.transaction_id
    from task_metadata as entry cross join lateral ${selectTask(salesChannelId, raw('entry'))} as found
    where entry.sales_channel_id = ${salesChannelId} and entry.pair = ${toPairDigest(pair)}
  ) as task`;

/** Matches the row `task` by its metadata. A subquery, because the planner could start a join at either side. */
export const hasMetadata = (salesChannelId: string, pair: MetadataPair): Sql => sql`
  (
    select true from task_metadata as entry
    where entry.sales_channel_id = ${salesChannelId} and entry.pair = ${toPairDigest(pair)}
      and entry.operation = task.operation and entry.created_at = task.created_at and entry.task_id = task.id
  ) is true`;

/** Removes metadata of tasks whose month was dropped, up to a limit. Returns their number. */
export async function removeDroppedMetadata(em: EntityManager, limit: number): Promise<number> {
  const row = await queryFirst<{ count: number }>(
    em,
    sql`with gone as (
          delete from task_metadata where ctid = any(array(
            select entry.ctid from task_metadata as entry
            where entry.created_at < (select (max(month) + interval '1 month') at time zone 'UTC' from dropped_archive)
              and not exists (
                select from task where id = entry.task_id and sales_channel_id = entry.sales_channel_id
              )
              and not exists (
                select from task_archive where id = entry.task_id and sales_channel_id = entry.sales_channel_id
              )
            order by entry.created_at limit ${limit}
          ))
          returning 1
        )
        select count(*)::int as count from gone`,
  );
  return row?.count ?? 0;
}
