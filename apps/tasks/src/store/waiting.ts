import { query, queryFirst, sql, type EntityManager } from '@saleschannel/database';

/** How many tasks may wait for the ledger. */
export interface WaitingLimits {
  readonly inAll: number;
  /** Of one sales channel. */
  readonly perChannel: number;
}

/** How many tasks wait for the ledger. Nothing is counted beyond its limit. */
export interface Waiting {
  readonly inAll: number;
  readonly perChannel: ReadonlyMap<string, number>;
}

/** How many tasks the ledger has not answered yet, in all and of these channels. Costs as much as there is to count. */
export async function countWaitingUpTo(
  em: EntityManager,
  channels: readonly string[],
  limits: WaitingLimits,
): Promise<Waiting> {
  const rows = await query<{ channel: string; count: number; inAll: number }>(
    em,
    sql`select wanted.channel,
          (
            select count(*)::int from (
              select 1 from task
              where sales_channel_id = wanted.channel and status = 'PENDING' and transaction_id is null
              limit ${limits.perChannel}
            ) as waiting
          ) as count,
          (
            select count(*)::int from (
              select 1 from task where status = 'PENDING' and transaction_id is null limit ${limits.inAll}
            ) as waiting
          ) as "inAll"
        from unnest(${channels}::text[]) as wanted (channel)`,
  );
  return { inAll: rows[0]?.inAll ?? 0, perChannel: new Map(rows.map(({ channel, count }) => [channel, count])) };
}

/** How many tasks the ledger has not answered yet. */
export async function countWaiting(em: EntityManager): Promise<number> {
  const row = await queryFirst<{ count: number }>(
    em,
    sql`select count(*)::int as count from task where status = 'PENDING' and transaction_id is null`,
  );
  return row?.count ?? 0;
}
