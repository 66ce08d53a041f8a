import type { Pool } from 'pg';

/** Longer than any delay of a healthy database. */
const PROBE_TIMEOUT_MS = 3_000;

/**
 * Also reads whether the database is read-only: a standby, or one that an operator made so, answers but accepts no
 * changes.
 */
const PROBE_QUERY = {
  text: `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
    extract(epoch from clock_timestamp()) * 1000 as "nowMs"`,
  query_timeout: PROBE_TIMEOUT_MS,
};

interface ProbeOptions {
  /** Pool with a connection for the probe alone. */
  readonly own: Pool;
  /** Pools whose connections do the work. */
  readonly pools: Iterable<Pool>;
  readonly clock: Pick<ServerClock, 'adjust'>;
}

/**
 * Creates a probe that checks whether the database is usable. A connection without a timely answer closes itself. If
 * the probe's own connection fails, the idle ones of all pools are probed too, so that connections to a lost server are
 * replaced before work uses them. Each answer adjusts the clock.
 */
export const createProbe =
  ({ own, pools, clock }: ProbeOptions): (() => Promise<boolean>) =>
  async () => {
    try {
      const sentMs = performance.now();
      const { rows } = await own.query<{ isReadOnly: boolean; nowMs: string }>(PROBE_QUERY);
      if (rows[0]) clock.adjust(Number(rows[0].nowMs), sentMs);
      return rows[0]?.isReadOnly === false;
    } catch {
      for (const pool of pools) probeIdle(pool);
      return false;
    }
  };

/** Probes the idle connections of a pool in the background. */
function probeIdle(pool: Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle--) pool.query(PROBE_QUERY).catch(() => undefined);
}

/** After a longer round trip, it is too uncertain when the server read its clock. */
const MAX_ROUND_TRIP_MS = 500;

/**
 * The clock of the database server, which all replicas share. Between adjustments it follows the monotonic clock of
 * this process, so changes of the machine's clock have no effect.
 */
export class ServerClock {
  #serverMs = Date.now();
  #atMs = performance.now();

  now(): Date {
    return new Date(this.#serverMs + performance.now() - this.#atMs);
  }

  /**
   * @param serverMs time of the server's clock
   * @param sentMs time of the request, on the `performance.now()` clock
   */
  adjust(serverMs: number, sentMs: number): void {
    const receivedMs = performance.now();
    if (receivedMs - sentMs > MAX_ROUND_TRIP_MS) return;
    [this.#serverMs, this.#atMs] = [serverMs, (sentMs + receivedMs) / 2];
  }
}
