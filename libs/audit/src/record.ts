import { isoTimestamp, query, recordset, sql, type EntityManager } from '@saleschannel/database';
import { nextLink, type Act, type ChainedEvent } from './event.ts';

interface Head {
  readonly scope: string;
  /** Of the last event that is about to be added. */
  readonly sequence: string;
  readonly occurredAt: string;
  /** Of the last event that is there, as hex. */
  readonly hash: string | null;
}

/**
 * Records acts, in the transaction that does them. Call it last: the ends of the chains are locked in one order, until
 * the transaction ends.
 */
export async function recordAudit(em: EntityManager, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  const byScope = new Map<string, Act[]>();
  for (const act of acts) for (const scope of new Set(act.scopes)) add(byScope, scope, act);
  const wanted = [...byScope].map(([scope, added]) => ({ scope, added: added.length }));
  const heads = await advance(em, wanted);
  const events = heads.flatMap((head) => chained(head, byScope.get(head.scope) ?? []));
  await append(em, events);
}

function add(byScope: Map<string, Act[]>, scope: string, act: Act): void {
  const acts = byScope.get(scope);
  if (acts) acts.push(act);
  else byScope.set(scope, [act]);
}

/** Locks the ends of chains and moves them on. Time never goes back within a chain, whatever the clocks say. */
const advance = (em: EntityManager, wanted: readonly { scope: string; added: number }[]): Promise<Head[]> =>
  query(
    em,
    sql`insert into audit_head (scope, sequence, occurred_at)
        select scope, added, clock_timestamp() from ${recordset('wanted', { scope: 'text', added: 'int' }, wanted)}
        order by scope
        on conflict (scope) do update set sequence = audit_head.sequence + excluded.sequence,
          occurred_at = greatest(audit_head.occurred_at, clock_timestamp())
        returning scope, sequence, ${isoTimestamp('occurred_at')} as "occurredAt", encode(hash, 'hex') as hash`,
  );

function chained({ scope, sequence: last, occurredAt, hash }: Head, acts: readonly Act[]): ChainedEvent[] {
  let sequence = BigInt(last) - BigInt(acts.length);
  let previous: Buffer | undefined = hash === null ? undefined : Buffer.from(hash, 'hex');
  return acts.map((act) => {
    sequence += 1n;
    const link = nextLink(scope, { sequence, hash: previous, occurredAt }, act);
    previous = link.hash;
    return link;
  });
}

const columns = { scope: 'text', sequence: 'bigint', occurredAt: 'timestamptz', event: 'text', hash: 'text' } as const;

async function append(em: EntityManager, events: readonly ChainedEvent[]): Promise<void> {
  const rows = events.map(({ hash, ...event }) => ({ ...event, hash: hash.toString('hex') }));
  await query(
    em,
    sql`with added as (
          insert into audit_event (scope, sequence, occurred_at, event, hash)
          select scope, sequence, "occurredAt", event, decode(hash, 'hex') from ${recordset('given', columns, rows)}
          returning scope, sequence, hash
        )
        update audit_head set hash = added.hash
        from added where added.scope = audit_head.scope and added.sequence = audit_head.sequence`,
  );
}
