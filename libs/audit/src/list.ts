import { isoTimestamp, query, queryFirst, sql, type EntityManager, type Sql } from '@saleschannel/database';

/** The requested part of a chain. Times are ISO 8601. */
export interface Range {
  readonly afterSequence: string;
  readonly limit: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Reads only earlier events. "0" for no limit. */
  readonly beforeSequence?: string;
  readonly descending?: boolean;
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
}

/** Sequences of the events between two times: the first one, and one more than the last. */
interface Bounds {
  readonly first: string;
  readonly end: string;
}

export interface StoredEvent {
  readonly sequence: string;
  readonly occurredAt: string;
  readonly event: string;
  readonly hash: Buffer;
}

/**
 * Returns the sequence of the first event of a chain at or after a time, or one more than the last. Times never
 * decrease within a chain, so a binary search through the primary key finds it.
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

/** Returns the last sequence of each scope that has a trail. */
export const listHeads = (
  em: EntityManager,
  scopes: readonly string[],
): Promise<{ scope: string; sequence: string }[]> =>
  query(em, sql`select scope, sequence from audit_head where scope = any(${scopes}::text[])`);

/** Limits the count of filtered events, which reads each of them. */
const MAX_COUNTED = 10_000;

/**
 * Expressions for the action and the actor's id, which split an event's canonical JSON at its quotes: members are
 * sorted, so these come first, and an `accountHolderId` may precede the id. Both have indexes with exactly these
 * expressions, which every transfer updates. A regular expression would cost ten times as much, and a cast to jsonb
 * could reject an event.
 */
const action = sql`split_part(event, '"', 4)`;
const actorId = sql`(case
  when split_part(event, '"', 8) = 'id' then split_part(event, '"', 10)
  when split_part(event, '"', 12) = 'id' then split_part(event, '"', 14)
end)`;

const matching = (scope: string, { first, end }: Bounds, filter: Pick<Range, 'action' | 'actorId'>): Sql =>
  sql`scope = ${scope} and sequence >= ${first}::bigint and sequence < ${end}::bigint
    ${filter.action === undefined ? sql`` : sql`and ${action} = ${filter.action}`}
    ${filter.actorId === undefined ? sql`` : sql`and ${actorId} = ${filter.actorId}`}`;

async function findBounds(em: EntityManager, scope: string, { from, to }: Range): Promise<Bounds> {
  const first = from === undefined ? sql`1::bigint` : sequenceAt(scope, from);
  const end =
    to === undefined
      ? sql`coalesce((select sequence from audit_head where scope = ${scope}), 0) + 1`
      : sequenceAt(scope, to);
  const bounds = await queryFirst<Bounds>(em, sql`select ${first} as first, ${end} as "end"`);
  if (!bounds) throw new Error('The bounds of the chain returned no row.');
  return bounds;
}

async function countEvents(em: EntityManager, scope: string, bounds: Bounds, range: Range): Promise<string> {
  if (range.action === undefined && range.actorId === undefined) {
    const total = BigInt(bounds.end) - BigInt(bounds.first);
    return String(total < 0n ? 0n : total);
  }
  const counted = await queryFirst<{ total: string }>(
    em,
    sql`select count(*) as total
        from (select from audit_event where ${matching(scope, bounds, range)} limit ${MAX_COUNTED}) as counted`,
  );
  return counted?.total ?? '0';
}

function readPage(em: EntityManager, scope: string, bounds: Bounds, range: Range): Promise<StoredEvent[]> {
  const { afterSequence, beforeSequence = '0', descending = false, limit } = range;
  return query<StoredEvent>(
    em,
    sql`select sequence, ${isoTimestamp('occurred_at')} as "occurredAt", event, hash from audit_event
        where ${matching(scope, bounds, range)} and sequence > ${afterSequence}::bigint
          ${beforeSequence === '0' ? sql`` : sql`and sequence < ${beforeSequence}::bigint`}
        order by ${descending ? sql`sequence desc` : sql`sequence`} limit ${limit}`,
  );
}

/** Reads a page of a chain. */
export const findEvents = async (em: EntityManager, scope: string, range: Range): Promise<StoredEvent[]> =>
  readPage(em, scope, await findBounds(em, scope, range), range);

/** Reads a page of a chain, and counts the events that match the filter. */
export async function listAuditEvents(
  em: EntityManager,
  scope: string,
  range: Range,
): Promise<{ events: StoredEvent[]; total: string }> {
  const bounds = await findBounds(em, scope, range);
  const events = await readPage(em, scope, bounds, range);
  return { events, total: await countEvents(em, scope, bounds, range) };
}
