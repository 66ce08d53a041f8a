import type { Pool } from 'pg';
import type { ServerClock } from './server-clock.ts';

/** Longer than any delay of a database that is well. */
const PROBE_TIMEOUT_MS = 3_000;

/** A standby, or a database that an operator has made read-only, answers and takes no changes. */
const QUESTION = {
  text: `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
    extract(epoch from clock_timestamp()) * 1000 as "nowMs"`,
  query_timeout: PROBE_TIMEOUT_MS,
};

interface Probed {
  /** With a connection for the probe alone. */
  readonly own: Pool;
  /** Those of the work. */
  readonly pools: Iterable<Pool>;
  readonly clock: Pick<ServerClock, 'adjust'>;
}

/**
 * Asks whether the database can be used. A connection that does not answer in time is ended by that. When the probe's
 * own does not, the idle ones of all pools are asked too, so that those whose server is gone are replaced before work
 * gets them. Each answer adjusts the clock.
 */
export const createProbe =
  ({ own, pools, clock }: Probed): (() => Promise<boolean>) =>
  async () => {
    try {
      const sentMs = performance.now();
      const { rows } = await own.query<{ isReadOnly: boolean; nowMs: string }>(QUESTION);
      if (rows[0]) clock.adjust(Number(rows[0].nowMs), sentMs);
      return rows[0]?.isReadOnly === false;
    } catch {
      for (const pool of pools) askIdle(pool);
      return false;
    }
  };

/** Nobody waits for it. */
function askIdle(pool: Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle--) pool.query(QUESTION).catch(() => undefined);
}
