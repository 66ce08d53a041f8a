import type { TransactionStatusChanged } from '@saleschannel/contracts';
import {
  empty,
  isoTimestamp,
  lockNames,
  query,
  queryFirst,
  recordset,
  send,
  sql,
  type EntityManager,
} from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import type { ChannelRange, OverdueRange } from '../domain/reconciliation.ts';
import type { StatusChange } from '../domain/transaction.ts';

const changeColumns = {
  salesChannelId: 'text',
  sequence: 'bigint',
  transactionId: 'text',
  taskId: 'text',
  status: 'text',
  reason: 'text',
  eventId: 'text',
  effectiveAt: 'timestamptz',
  traceparent: 'text',
} as const;

/** Last sequences of locked channels. */
type LockedSequences = ReadonlyMap<string, bigint>;

/**
 * Locks the heads of channels until the commit, in a fixed order, and reads their last sequences. Call this after all
 * other locks except those of the audit trails, so that transactions cannot deadlock and sequences follow the order of
 * commits.
 */
export async function lockSequences(em: EntityManager, channelIds: readonly string[]): Promise<LockedSequences> {
  const [, rows] = await Promise.all([
    // A channel without changes has no row to lock, and new rows would be locked in no fixed order.
    lockNames(
      em,
      channelIds.map((id) => `sequence of ${id}`),
    ),
    query<{ id: string; last: string }>(
      em,
      sql`select sales_channel_id as id, last from channel_sequence
          where sales_channel_id = any(${channelIds}::text[]) order by sales_channel_id for no key update`,
    ),
  ]);
  return new Map(rows.map(({ id, last }) => [id, BigInt(last)]));
}

export type NumberedChange = StatusChange & { readonly sequence: string };

/** Numbers changes within their channels, in order, and stores them. */
function insertStatusChanges(
  em: EntityManager,
  locked: LockedSequences,
  changes: readonly StatusChange[],
): NumberedChange[] {
  const last = new Map(locked);
  const numbered = changes.map((change) => {
    const sequence = (last.get(change.salesChannelId) ?? 0n) + 1n;
    last.set(change.salesChannelId, sequence);
    return { ...change, sequence: String(sequence) };
  });
  send(
    em,
    sql`with added as (
          insert into status_change (
            sales_channel_id, sequence, transaction_id, task_id, status, reason, event_id, effective_at, traceparent
          )
          select "salesChannelId", sequence, "transactionId", "taskId", status, reason, "eventId", "effectiveAt",
            nullif(traceparent, '')
          from ${recordset('change', changeColumns, numbered)}
          returning sales_channel_id, sequence
        )
        insert into channel_sequence (sales_channel_id, last)
        select sales_channel_id, max(sequence) from added group by sales_channel_id order by sales_channel_id
        on conflict (sales_channel_id) do update set last = excluded.last`,
  );
  return numbered;
}

const CHANNELS_PER_PAGE = 1_000;

/** Counts all changes of status of the ledger. An int8 as text. */
export async function countChanges(em: EntityManager): Promise<string> {
  const row = await queryFirst<{ changes: string }>(
    em,
    sql`select coalesce(sum(last), 0)::bigint::text as changes from channel_sequence`,
  );
  return row?.changes ?? '0';
}

/** Reads the last sequences of all channels, or of one. */
export async function readLastSequences(
  em: EntityManager,
  salesChannelId: string | undefined,
): Promise<Map<string, bigint>> {
  const condition = salesChannelId === undefined ? empty : sql`and sales_channel_id = ${salesChannelId}`;
  const byChannel = new Map<string, bigint>();
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: { id: string; last: string }[] = await query(
      em,
      sql`select sales_channel_id as id, last from channel_sequence
          where sales_channel_id > ${after} ${condition} order by sales_channel_id limit ${CHANNELS_PER_PAGE}`,
    );
    for (const { id, last } of page) byChannel.set(id, BigInt(last));
    after = page.length < CHANNELS_PER_PAGE ? undefined : page.at(-1)?.id;
  }
  return byChannel;
}

const rangeColumns = { salesChannelId: 'text', first: 'bigint', last: 'bigint' } as const;

/** Reads the changes in the ranges that are old enough, as integration events, by channel and sequence. */
export function readChanges(
  em: EntityManager,
  ranges: readonly OverdueRange[],
  limit: number,
): Promise<(TransactionStatusChanged & { readonly sequence: string })[]> {
  return query(
    em,
    sql`select distinct on (change.sales_channel_id, change.sequence)
          change.event_id as "eventId", change.sales_channel_id as "salesChannelId", change.sequence,
          change.transaction_id as "transactionId", change.task_id as "taskId", change.status, change.reason,
          ${isoTimestamp('change.effective_at')} as "effectiveAt", coalesce(change.traceparent, '') as traceparent
        from ${recordset('wanted', { ...rangeColumns, olderThanSeconds: 'int' }, ranges)} cross join lateral (
          select * from status_change
          where sales_channel_id = wanted."salesChannelId" and sequence between wanted.first and wanted.last
            and recorded_at <= clock_timestamp() - make_interval(secs => wanted."olderThanSeconds")
          order by sequence limit ${limit}
        ) as change
        order by change.sales_channel_id, change.sequence limit ${limit}`,
  );
}

/** Age of the oldest change in the ranges, in seconds. 0 if there is none. */
export async function findOldestAge(em: EntityManager, ranges: readonly ChannelRange[]): Promise<number> {
  if (ranges.length === 0) return 0;
  const row = await queryFirst<{ seconds: number }>(
    em,
    sql`select coalesce(extract(epoch from clock_timestamp() - min(change.recorded_at)), 0)::float8 as seconds
        from ${recordset('wanted', rangeColumns, ranges)} cross join lateral (
          select recorded_at from status_change
          where sales_channel_id = wanted."salesChannelId" and sequence between wanted.first and wanted.last
          order by sequence limit 1
        ) as change`,
  );
  return row?.seconds ?? 0;
}

const STATUS_CHANGED = 'inventory.transaction.status-changed.v1';

/** True if the oldest change of status in the outbox is older than this. */
export async function isOutboxStuck(em: EntityManager, seconds: number): Promise<boolean> {
  const row = await queryFirst<{ isOld: boolean }>(
    em,
    sql`select created_at < clock_timestamp() - make_interval(secs => ${seconds}) as "isOld"
        from outbox where type = ${STATUS_CHANGED} order by id limit 1`,
  );
  return row?.isOld ?? false;
}

/** Key of the advisory lock that lets one replica at a time republish. */
const RECONCILIATION_LOCK = 7_301_002;

/** Takes the lock until the transaction ends. If another replica has it, waits for it or returns false. */
export async function takeReconciliationLock(em: EntityManager, waits: boolean): Promise<boolean> {
  if (waits) {
    await query(em, sql`select pg_advisory_xact_lock(${RECONCILIATION_LOCK})`);
    return true;
  }
  const row = await queryFirst<{ isLocked: boolean }>(
    em,
    sql`select pg_try_advisory_xact_lock(${RECONCILIATION_LOCK}) as "isLocked"`,
  );
  return row?.isLocked ?? false;
}

/**
 * Numbers and stores changes of status, and enqueues their integration events.
 * @param sequences locked after everything else except the audit trails (ADR 14)
 */
export function announceChanges(em: EntityManager, sequences: LockedSequences, changes: readonly StatusChange[]): void {
  if (changes.length === 0) return;
  enqueue(em, 'inventory.transaction.status-changed.v1', insertStatusChanges(em, sequences, changes));
}
