import {
  isoTimestamp,
  join,
  query,
  queryFirst,
  raw,
  recordset,
  send,
  sql,
  type EntityManager,
} from '@saleschannel/database';
import type { ResponseOf } from '@saleschannel/grpc';
import type { LedgerConflict } from '@saleschannel/messaging';
import type { TimeRange } from '@saleschannel/primitives/validation';

/** Recorded types. Later releases may add more. */
export const eventTypes = ['TRANSACTION_STATUS_CHANGE'] as const;

export const MAX_EVENTS_PER_PAGE = 1_000;

type EventType = (typeof eventTypes)[number];

/** An event to be recorded. */
export interface NewEvent {
  readonly id: string;
  readonly salesChannelId: string;
  readonly eventType: EventType;
  /** Date-time at which the change became effective. */
  readonly eventAt: string;
  readonly transactionId: string;
  readonly status: string;
  /** Undefined in changes published by the first release. */
  readonly sequence: string | undefined;
}

/** An event of a channel's log. Times are ISO 8601 in UTC with milliseconds. */
export interface RecordedEvent extends Omit<NewEvent, 'salesChannelId' | 'sequence'> {
  /** Time of recording. Strictly increases per channel. */
  readonly createdAt: string;
}

/** A page of a channel's log. An event must meet every condition. */
export interface EventSelection {
  readonly salesChannelId: string;
  readonly createdAt: TimeRange;
  readonly eventType: EventType | undefined;
  readonly descending: boolean;
  readonly limit: number;
}

/** Inserts heads for channels without one. */
export async function createHeads(em: EntityManager, salesChannelIds: readonly string[]): Promise<void> {
  await query(
    em,
    sql`insert into log_head (sales_channel_id)
        select id from unnest(${salesChannelIds}::text[]) as channel(id) order by id
        on conflict (sales_channel_id) do nothing`,
  );
}

/**
 * Locks the heads of the channels until the transaction ends, in one order to avoid deadlocks. Returns the number of
 * heads.
 */
export async function lockHeads(em: EntityManager, salesChannelIds: readonly string[]): Promise<number> {
  const locked = await query(
    em,
    sql`select 1 from log_head where sales_channel_id = any(${salesChannelIds}::text[])
        order by sales_channel_id
        for update`,
  );
  return locked.length;
}

/**
 * Finds events that contradict the log: another change has their sequence, they have another sequence, or their
 * transaction ended differently. An earlier statement must have locked the heads of their channels.
 */
export function findConflicts(em: EntityManager, events: readonly NewEvent[]): Promise<LedgerConflict[]> {
  const columns = { salesChannelId: 'text', sequence: 'bigint', transactionId: 'text', status: 'text' } as const;
  const sequenced = recordset(
    'sequenced',
    columns,
    events.filter(({ sequence }) => sequence !== undefined),
  );
  return query(
    em,
    sql`select sequenced."salesChannelId", sequenced.sequence, sequenced."transactionId",
          format('%s of transaction %s, sequence %s', event.status, event.transaction_id, event.sequence) as known
        from ${sequenced} cross join lateral (
          select * from event
          where sales_channel_id = sequenced."salesChannelId" and event.sequence = sequenced.sequence
          union
          select * from event
          where sales_channel_id = sequenced."salesChannelId" and transaction_id = sequenced."transactionId"
        ) as event
        where event.transaction_id <> sequenced."transactionId" or event.status <> sequenced.status
          or event.sequence <> sequenced.sequence`,
  );
}

/**
 * Appends the events to their channels. An earlier statement of the transaction must have locked their heads, so that
 * this one sees all committed events. Times continue from the head, one millisecond apart, in the given order. A change
 * that the log has, by transaction and status, uses none. Without `on conflict`: a duplicate id or time is an error,
 * not a lost event.
 */
export function insertEvents(em: EntityManager, events: readonly NewEvent[]): void {
  const entry = recordset(
    'entry',
    {
      ordinal: 'int',
      id: 'text',
      salesChannelId: 'text',
      eventType: 'text',
      eventAt: 'timestamptz',
      transactionId: 'text',
      status: 'text',
      sequence: 'bigint',
    },
    events.map((event, ordinal) => ({ ...event, ordinal })),
  );
  send(
    em,
    sql`with unique_entry as (
          select distinct on ("salesChannelId", "transactionId", status) * from ${entry}
          order by "salesChannelId", "transactionId", status, ordinal
        ), new_entry as (
          select unique_entry.*, row_number() over (partition by "salesChannelId" order by ordinal) as position
          from unique_entry
          where not exists (
            select 1 from event
            where event.sales_channel_id = unique_entry."salesChannelId"
              and event.transaction_id = unique_entry."transactionId"
              and event.status = unique_entry.status
          )
        ), base as materialized (
          select sales_channel_id,
            greatest(
              date_trunc('milliseconds', clock_timestamp()), last_created_at + interval '1 millisecond'
            ) as first_created_at
          from log_head
          where sales_channel_id in (select "salesChannelId" from new_entry)
        ), appended as (
          insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence)
          select sales_channel_id, first_created_at + (position - 1) * interval '1 millisecond', id,
            "eventType", "eventAt", "transactionId", status, sequence
          from new_entry join base on sales_channel_id = "salesChannelId"
          returning sales_channel_id, created_at
        ), last as (
          select sales_channel_id, max(created_at) as created_at from appended group by sales_channel_id
        )
        update log_head set last_created_at = last.created_at
        from last where log_head.sales_channel_id = last.sales_channel_id`,
  );
}

const eventColumns = sql`id, event_type as "eventType", ${isoTimestamp('event.created_at')} as "createdAt",
  ${isoTimestamp('event_at')} as "eventAt", transaction_id as "transactionId", status`;

/** Finds an event of a channel by its id. */
export const findEvent = (em: EntityManager, salesChannelId: string, id: string): Promise<RecordedEvent | undefined> =>
  queryFirst(em, sql`select ${eventColumns} from event where id = ${id} and sales_channel_id = ${salesChannelId}`);

/** Finds the last event of a channel. */
export async function findNewestEvent(em: EntityManager, salesChannelId: string): Promise<RecordedEvent | undefined> {
  const createdAt = { fromMs: undefined, toMs: undefined };
  const [newest] = await listEvents(em, {
    salesChannelId,
    createdAt,
    eventType: undefined,
    descending: true,
    limit: 1,
  });
  return newest;
}

/** Finds the id of a channel's last event before a time. */
export async function findPreviousEventId(
  em: EntityManager,
  salesChannelId: string,
  createdAt: string,
): Promise<string | undefined> {
  const previous = await queryFirst<{ id: string }>(
    em,
    sql`select id from event where sales_channel_id = ${salesChannelId} and created_at < ${createdAt}::timestamptz
        order by created_at desc limit 1`,
  );
  return previous?.id;
}

/** Reads the time of the last event of each channel. Leaves out channels without events. */
export async function readHeads(
  em: EntityManager,
  salesChannelIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ salesChannelId: string; last: string }>(
    em,
    sql`select sales_channel_id as "salesChannelId", ${isoTimestamp('last_created_at')} as last from log_head
        where sales_channel_id = any(${salesChannelIds}::text[]) and last_created_at > to_timestamp(0)`,
  );
  return new Map(rows.map(({ salesChannelId, last }) => [salesChannelId, last]));
}

/** Reads a page of one channel's log: a range scan of the primary key, no longer than the page at any depth. */
export function listEvents(em: EntityManager, selection: EventSelection): Promise<RecordedEvent[]> {
  const { salesChannelId, createdAt, eventType, descending, limit } = selection;
  const conditions = [sql`sales_channel_id = ${salesChannelId}`];
  if (createdAt.fromMs !== undefined) conditions.push(sql`created_at >= ${timestamp(createdAt.fromMs)}`);
  if (createdAt.toMs !== undefined) conditions.push(sql`created_at <= ${timestamp(createdAt.toMs)}`);
  if (eventType !== undefined) conditions.push(sql`event_type = ${eventType}`);
  return query(
    em,
    sql`select ${eventColumns} from event
        where ${join(conditions, ' and ')}
        order by event.created_at ${raw(descending ? 'desc' : 'asc')}
        limit ${limit}`,
  );
}

const timestamp = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;

type FoundRecord = NonNullable<ResponseOf<'lookUp.LookUp'>['things']>[number];

/** Finds the event with the id, in any channel. */
export const findRecords = (em: EntityManager, id: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`select 'event' as kind, jsonb_build_object(
          'eventId', id, 'eventType', event_type, 'salesChannelId', sales_channel_id,
          'transactionId', transaction_id, 'status', status, 'createdAt', ${isoTimestamp('created_at')}
        ) as facts
        from event where id = ${id}`,
  );
