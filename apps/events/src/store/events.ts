import { isoTimestamp, query, type EntityManager } from '@saleschannel/database';
import type { TimeRange } from '../domain/time-range.ts';

/** An event as the log keeps it; times are ISO 8601 in UTC. */
export interface StoredEvent {
  id: string;
  eventType: string;
  createdAt: string;
  eventAt: string;
  transactionId: string;
  status: string;
}

export interface NewEvent {
  id: string;
  salesChannelId: string;
  eventType: string;
  eventAt: string;
  transactionId: string;
  status: string;
}

export interface EventSelection {
  salesChannelId: string;
  createdAt: TimeRange;
  eventType: string | undefined;
  descending: boolean;
  limit: number;
}

const channelRows = (salesChannelIds: string[]): string => JSON.stringify(salesChannelIds.map((id) => ({ id })));

/** Makes head rows for channels that have none yet. */
export async function createHeads(em: EntityManager, salesChannelIds: string[]): Promise<void> {
  await query(
    em,
    `insert into event_head (sales_channel_id)
     select id from jsonb_to_recordset(?::jsonb) as channel(id text) order by id
     on conflict (sales_channel_id) do nothing`,
    [channelRows(salesChannelIds)],
  );
}

/** Locks the heads of the channels until the transaction ends, in the order of their ids so that two writers never wait for each other. Returns how many there are. */
export async function lockHeads(em: EntityManager, salesChannelIds: string[]): Promise<number> {
  const locked = await query(
    em,
    `select 1 from event_head
     where sales_channel_id in (select id from jsonb_to_recordset(?::jsonb) as channel(id text))
     order by sales_channel_id
     for update`,
    [channelRows(salesChannelIds)],
  );
  return locked.length;
}

/**
 * Appends the events to their channels, whose heads the transaction must have locked in an earlier statement: only then does this one see every event that was
 * committed before. Times go on from the head, one millisecond apart, in the order given; an event that is there already takes none. Returns how many are new.
 */
export async function appendEvents(em: EntityManager, events: NewEvent[]): Promise<number> {
  const rows = events.map((event, ordinal) => ({ ...event, ordinal }));
  const [result] = await query<{ appended: number }>(
    em,
    `with given as (
       select distinct on (id) *
       from jsonb_to_recordset(?::jsonb) as entry(
         "ordinal" int, id text, "salesChannelId" text, "eventType" text, "eventAt" timestamptz, "transactionId" text, status text
       )
       order by id, "ordinal"
     ), fresh as (
       select given.*, row_number() over (partition by "salesChannelId" order by "ordinal") as place
       from given
       where not exists (select 1 from event where event.id = given.id)
     ), base as materialized (
       select sales_channel_id, greatest(date_trunc('milliseconds', clock_timestamp()), last_created_at + interval '1 millisecond') as first_created_at
       from event_head
       where sales_channel_id in (select "salesChannelId" from fresh)
     ), appended as (
       insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status)
       select sales_channel_id, first_created_at + (place - 1) * interval '1 millisecond', id, "eventType", "eventAt", "transactionId", status
       from fresh join base on sales_channel_id = "salesChannelId"
       on conflict (id) do nothing
       returning sales_channel_id, created_at
     ), last as (
       select sales_channel_id, max(created_at) as created_at, count(*)::int as events from appended group by sales_channel_id
     ), moved as (
       update event_head set last_created_at = last.created_at from last where event_head.sales_channel_id = last.sales_channel_id
     )
     select coalesce(sum(events), 0)::int as appended from last`,
    [JSON.stringify(rows)],
  );
  return result?.appended ?? 0;
}

/** A page of one channel's log: a range scan of the primary key that reads no more than the page, at any depth. */
export async function listEvents(em: EntityManager, selection: EventSelection): Promise<StoredEvent[]> {
  const { fromMs, toMs } = selection.createdAt;
  const conditions = ['sales_channel_id = ?'];
  const params: unknown[] = [selection.salesChannelId];
  const add = (condition: string, value: unknown): void => {
    conditions.push(condition);
    params.push(value);
  };
  if (fromMs !== undefined) add('created_at >= ?::timestamptz', new Date(fromMs).toISOString());
  if (toMs !== undefined) add('created_at <= ?::timestamptz', new Date(toMs).toISOString());
  if (selection.eventType !== undefined) add('event_type = ?', selection.eventType);
  return query<StoredEvent>(
    em,
    `select id, event_type as "eventType", ${isoTimestamp('event.created_at')} as "createdAt", ${isoTimestamp('event_at')} as "eventAt",
       transaction_id as "transactionId", status
     from event
     where ${conditions.join(' and ')}
     order by event.created_at ${selection.descending ? 'desc' : 'asc'}
     limit ?`,
    [...params, selection.limit],
  );
}
