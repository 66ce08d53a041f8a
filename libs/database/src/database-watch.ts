import { Pool } from 'pg';
import type { Part } from '@saleschannel/runtime';
import { AvailabilityWatch, type Availability } from './availability.ts';
import { connectionOptions, type Timeouts } from './connection.ts';
import { PreparingClient } from './preparing-client.ts';
import { createProbe, ServerClock } from './probe.ts';

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
