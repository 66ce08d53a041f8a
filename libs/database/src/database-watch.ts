import { Pool } from 'pg';
import type { Part } from '@saleschannel/runtime';
import { AvailabilityWatch, type Availability } from './availability.ts';
import { connectionOptions, type Timeouts, PreparingClient } from './connection.ts';

/** Longer than any delay of a healthy database. */
const PROBE_TIMEOUT_MS = 3_000;

/** Reads whether the database is read-only: a standby, or one made so by an operator, answers but takes no changes. */
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
const createProbe =
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
class ServerClock {
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

/** Connections for the probe alone, so that a database stays usable while work holds all connections of a pool. */
export const PROBE_CONNECTIONS = 1;

export interface DatabaseWatchOptions {
  readonly url: string;
  readonly timeouts?: Partial<Timeouts>;
}

/** Probes a database on a separate connection, for all pools of the process with connections to it. */
export class DatabaseWatch implements Part {
  readonly clock = new ServerClock();
  readonly #probePool: Pool;
  readonly #pools = new Set<Pool>();
  readonly #probe: () => Promise<boolean>;
  readonly #availability: AvailabilityWatch;

  constructor({ url, timeouts = {} }: DatabaseWatchOptions) {
    this.#probePool = new Pool({
      // The driver's types allow no custom client.
      Client: PreparingClient as never,
      connectionString: url,
      min: PROBE_CONNECTIONS,
      max: PROBE_CONNECTIONS,
      ...connectionOptions({ timeouts, applicationName: 'probe' }),
    });
    // The pending query fails with the same error. Without listeners, the process would end.
    this.#probePool.on('connect', (client) => client.on('error', () => undefined));
    this.#probePool.on('error', () => undefined);
    this.#probe = createProbe({ own: this.#probePool, pools: this.#pools, clock: this.clock });
    this.#availability = new AvailabilityWatch({ probe: this.#probe });
  }

  get availability(): Availability {
    return this.#availability;
  }

  add(pool: Pool): void {
    this.#pools.add(pool);
  }

  remove(pool: Pool): void {
    this.#pools.delete(pool);
  }

  isUsable(): Promise<boolean> {
    return this.#availability.isRunning ? Promise.resolve(this.#availability.isUsable) : this.#probe();
  }

  start(): Promise<void> {
    return this.#availability.start();
  }

  async stop(): Promise<void> {
    await this.#availability.stop();
    if (!this.#probePool.ending) await this.#probePool.end();
  }
}
