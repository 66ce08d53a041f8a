import { raw, sql, type Sql } from '@saleschannel/database';
import { MESSAGE_BYTES_AT_MOST } from './envelope-bodies.ts';

/** Statements of the relay on the tables `outbox` and `outbox_refused`. */

export interface OutboxRow {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** A row together with how many rows there were to choose from. */
export interface ReadRow extends OutboxRow {
  readonly ahead: number;
}

export const MESSAGES_PER_ROUND = 100;

/**
 * The oldest rows, about as many bytes as one message may have: PostgreSQL knows the length of a text without reading
 * it. One row that is larger comes alone.
 * @param floor the rows up to this id are gone
 */
export const readRows = (withoutTypes: ReadonlySet<string>, withoutIds: Iterable<string>, floor: string): Sql => sql`
  with ahead as materialized (
    select id, octet_length(body) as bytes from outbox
    where id > ${floor}::bigint and type <> all(${[...withoutTypes]}::text[])
      and id <> all(${[...withoutIds]}::bigint[])
    order by id limit ${raw(String(MESSAGES_PER_ROUND))}
  ), summed as (
    select id, bytes, sum(bytes) over (order by id) as total from ahead
  )
  select outbox.id, outbox.type, outbox.body, (select count(*)::int from ahead) as ahead
  from summed join outbox on outbox.id = summed.id
  where summed.total <= ${raw(String(MESSAGE_BYTES_AT_MOST))} or summed.total = summed.bytes
  order by outbox.id`;

export const deleteRows = (ids: readonly string[]): Sql => sql`delete from outbox where id = any(${ids}::bigint[])`;

/** Puts other messages in the place of one. They are as old as it was. */
export const replaceRow = (id: string, bodies: readonly string[]): Sql => sql`
  with gone as (delete from outbox where id = ${id} returning type, created_at)
  insert into outbox (type, body, created_at)
  select gone.type, part.body, gone.created_at from gone cross join unnest(${bodies}::text[]) as part (body)`;

/** Takes a row out of the way of the others, and keeps the body that is refused with the reason. */
export const setRowAside = ({ id, body, reason }: { id: string; body: string; reason: string }): Sql => sql`
  with gone as (delete from outbox where id = ${id} returning id, type, created_at)
  insert into outbox_refused (id, type, body, created_at, reason)
  select id, type, ${body}, created_at, ${reason} from gone`;

/** Removes events that were refused and handled so long ago, the oldest ones first, and tells their ids. */
export const deleteHandled = (days: number, atMost: number): Sql => sql`
  delete from outbox_refused where id = any(array(
    select id from outbox_refused where handled_at < now() - make_interval(days => ${days}) order by id limit ${atMost}
  ))
  returning id`;

/** Which transactions are under way, and the lowest id behind the floor. All int8 as text. */
export interface Edge {
  /** Every transaction below it has ended. */
  readonly xmin: string;
  /** No transaction has reached it yet. */
  readonly xmax: string;
  readonly lowest: string | null;
}

/**
 * In one snapshot.
 * @param withoutIds rows that the relay has published and not deleted yet
 */
export const readEdge = (floor: string, withoutIds: readonly string[]): Sql => sql`
  select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
    (select min(id) from outbox where id > ${floor}::bigint and id <> all(${withoutIds}::bigint[]))::text as lowest`;

/** How old the oldest event is that is not published yet, in seconds. */
export const readLag = (floor: string): Sql => sql`
  select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::text as lag from outbox
  where id > ${floor}::bigint`;

/** How many events were refused for good and not handled yet. */
export const countRefused = sql`select count(*)::int as refused from outbox_refused where handled_at is null`;
