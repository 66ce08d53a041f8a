import { hash as digest } from 'node:crypto';
import type { Actor } from '@saleschannel/contracts';
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
import { toCanonicalText } from '@saleschannel/primitives';
import type { AuditAction } from './actions.ts';
import { INSTALLATION_SCOPE, reduceActor } from './actor.ts';

/** State of a subject before or after an act, without secrets and personal data: member names replace their values. */
export type State = Readonly<Record<string, unknown>>;

/** An act to be recorded. */
export interface Act {
  /** Owners of the trails: ids of sales channels, `REGISTRY_SCOPE` or `INSTALLATION_SCOPE`. */
  readonly scopes: readonly string[];
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  readonly before?: State | undefined;
  readonly after?: State | undefined;
}

/** End of a chain. */
interface Link {
  readonly sequence: bigint;
  /** Undefined before the first event. */
  readonly hash: Buffer | undefined;
  /** ISO 8601 in UTC with milliseconds. */
  readonly occurredAt: string;
}

/** An event as it is stored. */
interface ChainedEvent {
  readonly scope: string;
  readonly sequence: bigint;
  readonly occurredAt: string;
  readonly event: string;
  readonly hash: Buffer;
}

/** Previous hash of the first event of a chain. */
const NO_HASH = '0'.repeat(64);

/**
 * Creates the next event of a chain. Its hash is the SHA-256 of its canonical JSON (RFC 8785), which contains the
 * previous event's hash, so one hash is enough to detect any change, removal or insertion before it.
 */
function createNextEvent(scope: string, { sequence, hash, occurredAt }: Link, act: Act): ChainedEvent {
  const { requestId, address, ...actor } = reduceActor(scope, act.actor);
  const event = toCanonicalText({
    scope,
    sequence: Number(sequence),
    occurredAt,
    previousHash: hash?.toString('hex') ?? NO_HASH,
    action: act.action,
    actor,
    subject: act.subject,
    address: address ?? null,
    requestId: requestId ?? null,
    before: act.before ?? null,
    after: act.after ?? null,
  });
  return { scope, sequence, occurredAt, event, hash: digest('sha256', event, 'buffer') };
}

/** Last event of a trail that the transaction has locked. */
interface Head {
  readonly scope: string;
  /** Sequence of the last event. */
  readonly sequence: string;
  readonly hash: string;
  /** Time of the next event. It never decreases within a trail, regardless of clocks. */
  readonly occurredAt: string;
}

/** Heads of trails that a transaction has locked to append events. */
export interface LockedTrails {
  /** A new trail has no head. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Time of the first event of a new trail. */
  readonly now: string | undefined;
}

/**
 * Records acts, in the transaction that performs them. Call it last, because it locks the trails in a fixed order,
 * until the transaction ends.
 */
export async function recordAudit(em: EntityManager, newActs: readonly Act[]): Promise<void> {
  if (newActs.length === 0) return;
  const acts = withNamedOperators(newActs);
  appendAudit(em, await lockTrails(em, [...new Set(acts.flatMap(({ scopes }) => scopes))]), acts);
}

/**
 * Adds the installation's trail to acts of named operators, unless it records the act already. Only this trail shows
 * which operator acted.
 */
function withNamedOperators(acts: readonly Act[]): readonly Act[] {
  const toKey = ({ action, subject }: Act): string => `${action} ${subject.type} ${subject.id}`;
  const recorded = new Set(acts.filter(({ scopes }) => scopes.includes(INSTALLATION_SCOPE)).map(toKey));
  return acts.map((act) => {
    const isNamed = act.actor.kind === 'operator' && act.actor.id !== undefined;
    return isNamed && !recorded.has(toKey(act)) ? { ...act, scopes: [...act.scopes, INSTALLATION_SCOPE] } : act;
  });
}

/**
 * Locks trails, so that events can be appended. Call it after all other locks of the transaction. If the scopes are
 * known early, it can be sent together with other queries.
 */
export async function lockTrails(em: EntityManager, scopes: readonly string[]): Promise<LockedTrails> {
  const [, heads, clock] = await Promise.all([
    // Row locks alone are not enough: a new trail has no row, and rows of new trails would be locked in no fixed order.
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

/** Appends events to trails that the transaction has locked. */
export function appendAudit(em: EntityManager, { heads, now }: LockedTrails, acts: readonly Act[]): void {
  if (acts.length === 0) return;
  const byScope = new Map<string, Act[]>();
  for (const act of acts) for (const scope of new Set(act.scopes)) add(byScope, scope, act);
  const events = [...byScope].flatMap(([scope, ownActs]) => chain(scope, heads.get(scope), ownActs, now));
  append(em, events);
}

function add(byScope: Map<string, Act[]>, scope: string, act: Act): void {
  const acts = byScope.get(scope);
  if (acts) acts.push(act);
  else byScope.set(scope, [act]);
}

function chain(scope: string, head: Head | undefined, acts: readonly Act[], now?: string): ChainedEvent[] {
  let sequence = BigInt(head?.sequence ?? 0);
  let previous: Buffer | undefined = head && Buffer.from(head.hash, 'hex');
  const occurredAt = head?.occurredAt ?? now;
  if (occurredAt === undefined) throw new Error(`The audit trail ${scope} is not locked.`);
  return acts.map((act) => {
    sequence += 1n;
    const link = createNextEvent(scope, { sequence, hash: previous, occurredAt }, act);
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
