import { isoTimestamp, query, queryFirst, sql, type EntityManager, type Sql } from '@saleschannel/database';

/** Which part of a chain is asked for. Times are ISO 8601. */
export interface Range {
  readonly afterSequence: string;
  readonly limit: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface StoredEvent {
  readonly sequence: string;
  readonly occurredAt: string;
  readonly event: string;
  readonly hash: Buffer;
}

/**
 * The sequence of the first event of a chain that did not occur before a time, or one more than the last. Times never
 * go back within a chain, so it is found by halving, through the primary key alone.
 */
const sequenceAt = (scope: string, time: string): Sql => sql`(
  with recursive search(low, high) as (
    select 1::bigint, coalesce((select sequence from audit_head where scope = ${scope}), 0) + 1
    union all
    select case when middle.occurred_at < ${time}::timestamptz then (low + high) / 2 + 1 else low end,
      case when middle.occurred_at < ${time}::timestamptz then high else (low + high) / 2 end
    from search, lateral (
      select occurred_at from audit_event where scope = ${scope} and sequence = (low + high) / 2
    ) as middle
    where low < high
  )
  select min(high) from search)`;

/** The last sequence numbers of these scopes. Those without a trail are left out. */
export const findEnds = (
  em: EntityManager,
  scopes: readonly string[],
): Promise<{ scope: string; sequence: string }[]> =>
  query(em, sql`select scope, sequence from audit_head where scope = any(${scopes}::text[])`);

/** A part of a chain in its order, and how many events there are between the times. */
export async function listAuditEvents(
  em: EntityManager,
  scope: string,
  { afterSequence, limit, from, to }: Range,
): Promise<{ events: StoredEvent[]; total: string }> {
  const first = from === undefined ? sql`1::bigint` : sequenceAt(scope, from);
  const end =
    to === undefined
      ? sql`coalesce((select sequence from audit_head where scope = ${scope}), 0) + 1`
      : sequenceAt(scope, to);
  const bounds = await queryFirst<{ first: string; end: string }>(em, sql`select ${first} as first, ${end} as "end"`);
  if (!bounds) throw new Error('the bounds of a chain have no row');
  const events = await query<StoredEvent>(
    em,
    sql`select sequence, ${isoTimestamp('occurred_at')} as "occurredAt", event, hash from audit_event
        where scope = ${scope} and sequence > ${afterSequence}::bigint and sequence >= ${bounds.first}::bigint
          and sequence < ${bounds.end}::bigint
        order by sequence limit ${limit}`,
  );
  const total = BigInt(bounds.end) - BigInt(bounds.first);
  return { events, total: String(total < 0n ? 0n : total) };
}
