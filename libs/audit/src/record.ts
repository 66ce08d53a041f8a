import {
  isoTimestamp,
  lockNames,
  query,
  queryFirst,
  recordset,
  send,
  sql,
  type EntityManager,
} from '@saleschannel/database';
import { INSTALLATION_SCOPE } from './actor.ts';
import { nextLink, type Act, type ChainedEvent } from './event.ts';

/** The end of a trail that the transaction has locked. */
interface Head {
  readonly scope: string;
  /** Of the last event. */
  readonly sequence: string;
  readonly hash: string;
  /** When the next event occurs. Time never goes back within a trail, whatever the clocks say. */
  readonly occurredAt: string;
}

/** The ends of trails that a transaction has locked, to add events to them. */
export interface LockedTrails {
  /** A trail that is about to begin has none. */
  readonly heads: ReadonlyMap<string, Head>;
  /** When the first event of a trail occurs. */
  readonly now: string | undefined;
}

/**
 * Records acts, in the transaction that does them. Call it last: the ends of the trails are locked in one order, until
 * the transaction ends.
 */
export async function recordAudit(em: EntityManager, given: readonly Act[]): Promise<void> {
  if (given.length === 0) return;
  const acts = withNamedOperators(given);
  appendAudit(em, await lockTrails(em, [...new Set(acts.flatMap(({ scopes }) => scopes))]), acts);
}

/**
 * No other house learns which operator has acted. So the acts of those who are known by name are in the trail of the
 * installation too, unless something else tells of them there.
 */
function withNamedOperators(acts: readonly Act[]): readonly Act[] {
  const keyOf = ({ action, subject }: Act): string => `${action} ${subject.type} ${subject.id}`;
  const told = new Set(acts.filter(({ scopes }) => scopes.includes(INSTALLATION_SCOPE)).map(keyOf));
  return acts.map((act) => {
    const isNamed = act.actor.kind === 'operator' && act.actor.id !== undefined;
    return isNamed && !told.has(keyOf(act)) ? { ...act, scopes: [...act.scopes, INSTALLATION_SCOPE] } : act;
  });
}

/**
 * Locks the ends of trails, so that events can be added to them. After everything else that the transaction locks. For
 * transactions that know early whose trails they will add to: it can travel with their other questions.
 */
export async function lockTrails(em: EntityManager, scopes: readonly string[]): Promise<LockedTrails> {
  const [, heads, clock] = await Promise.all([
    // A trail that is about to begin has no row to lock. Rows alone would be locked as they appear, in no order.
    lockNames(
      em,
      scopes.map((scope) => `audit trail ${scope}`),
    ),
    query<Head>(
      em,
      sql`select scope, sequence, encode(hash, 'hex') as hash,
            ${isoTimestamp('greatest(occurred_at, clock_timestamp())')} as "occurredAt"
          from audit_head where scope = any(${scopes}::text[]) order by scope for no key update`,
    ),
    queryFirst<{ now: string }>(em, sql`select ${isoTimestamp('clock_timestamp()')} as now`),
  ]);
  return { heads: new Map(heads.map((head) => [head.scope, head])), now: clock?.now };
}

/** Adds events to trails that the transaction has locked. */
export function appendAudit(em: EntityManager, { heads, now }: LockedTrails, acts: readonly Act[]): void {
  if (acts.length === 0) return;
  const byScope = new Map<string, Act[]>();
  for (const act of acts) for (const scope of new Set(act.scopes)) add(byScope, scope, act);
  const events = [...byScope].flatMap(([scope, some]) => chained(scope, heads.get(scope), some, now));
  append(em, events);
}

function add(byScope: Map<string, Act[]>, scope: string, act: Act): void {
  const acts = byScope.get(scope);
  if (acts) acts.push(act);
  else byScope.set(scope, [act]);
}

function chained(scope: string, head: Head | undefined, acts: readonly Act[], now?: string): ChainedEvent[] {
  let sequence = BigInt(head?.sequence ?? 0);
  let previous: Buffer | undefined = head && Buffer.from(head.hash, 'hex');
  const occurredAt = head?.occurredAt ?? now;
  if (occurredAt === undefined) throw new Error(`the audit trail ${scope} is not locked`);
  return acts.map((act) => {
    sequence += 1n;
    const link = nextLink(scope, { sequence, hash: previous, occurredAt }, act);
    previous = link.hash;
    return link;
  });
}

const columns = { scope: 'text', sequence: 'bigint', occurredAt: 'timestamptz', event: 'text', hash: 'text' } as const;

function append(em: EntityManager, events: readonly ChainedEvent[]): void {
  const rows = events.map(({ hash, ...event }) => ({ ...event, hash: hash.toString('hex') }));
  send(
    em,
    sql`with added as (
          insert into audit_event (scope, sequence, occurred_at, event, hash)
          select scope, sequence, "occurredAt", event, decode(hash, 'hex') from ${recordset('given', columns, rows)}
          returning scope, sequence, occurred_at, hash
        )
        insert into audit_head (scope, sequence, occurred_at, hash)
        select distinct on (scope) scope, sequence, occurred_at, hash from added order by scope, sequence desc
        on conflict (scope) do update
          set sequence = excluded.sequence, occurred_at = excluded.occurred_at, hash = excluded.hash`,
  );
}
