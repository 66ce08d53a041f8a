import type { Pool } from 'pg';
import type { ServerClock } from './server-clock.ts';

/**
 * Longer than any delay of a database that is well. A probe also waits for a connection of the pool, as long as
 * everybody does: a pool that has none for so long serves nobody.
 */
const PROBE_TIMEOUT_MS = 3_000;

/** A standby, or a database that an operator has made read-only, answers and takes no changes. */
const QUESTION = `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
  extract(epoch from clock_timestamp()) * 1000 as "nowMs"`;

/**
 * Asks through the pool, as all work goes through it. A connection that does not answer in time is ended by that, so
 * asking again and again also clears the pool of those whose server is gone. Each answer adjusts the clock.
 */
export const createProbe =
  (pool: Pool, clock: Pick<ServerClock, 'adjust'>): (() => Promise<boolean>) =>
  async () => {
    try {
      const sentMs = performance.now();
      const question = { text: QUESTION, query_timeout: PROBE_TIMEOUT_MS };
      const { rows } = await pool.query<{ isReadOnly: boolean; nowMs: string }>(question);
      if (rows[0]) clock.adjust(Number(rows[0].nowMs), sentMs);
      return rows[0]?.isReadOnly === false;
    } catch {
      return false;
    }
  };
