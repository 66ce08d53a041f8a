import { query, queryFirst, sql, type EntityManager } from '@saleschannel/database';

/** How many tasks may wait for the ledger. */
export interface WaitingLimits {
  readonly inAll: number;
  /** Of one sales channel. */
  readonly perChannel: number;
}

/** How many tasks wait for the ledger. A channel that is not named has none. */
export interface Waiting {
  readonly inAll: number;
  readonly perChannel: ReadonlyMap<string, number>;
}

/** How many tasks the ledger has not answered yet, in all and of each channel. Reads nothing but what waits. */
export async function countWaitingByChannel(em: EntityManager): Promise<Waiting> {
  const rows = await query<{ channel: string; count: number }>(
    em,
    sql`select sales_channel_id as channel, count(*)::int as count from waiting_task group by sales_channel_id`,
  );
  return {
    inAll: rows.reduce((sum, { count }) => sum + count, 0),
    perChannel: new Map(rows.map(({ channel, count }) => [channel, count])),
  };
}

/** How many tasks the ledger has not answered yet. */
export async function countWaiting(em: EntityManager): Promise<number> {
  const row = await queryFirst<{ count: number }>(em, sql`select count(*)::int as count from waiting_task`);
  return row?.count ?? 0;
}
