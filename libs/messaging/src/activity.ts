import { queryFirst, sql, type EntityManager } from '@saleschannel/database';
import { countRefused, readLag } from './outbox-rows.ts';

/** What waits in the outbox of a service. */
export interface OutboxState {
  readonly ageSeconds: number;
  /** Events that the broker refused for good and nobody has handled. An int8 as text. */
  readonly refused: string;
}

export async function readOutboxState(em: EntityManager): Promise<OutboxState> {
  const [lag, refused] = await Promise.all([
    queryFirst<{ lag: string }>(em, readLag('0')),
    queryFirst<{ refused: number }>(em, countRefused),
  ]);
  return { ageSeconds: Number(lag?.lag ?? 0), refused: String(refused?.refused ?? 0) };
}

/** How many changes of status of the ledger this service has applied since ever, an int8 as text. */
export async function countApplied(em: EntityManager): Promise<string> {
  const row = await queryFirst<{ applied: string }>(
    em,
    sql`select coalesce(sum(upper(range) - lower(range)), 0)::bigint::text as applied
        from ledger_progress, unnest(applied) as range`,
  );
  return row?.applied ?? '0';
}
