import { Pool } from 'pg';
import type { Part } from '@saleschannel/runtime';
import { AvailabilityWatch, type Availability } from './availability.ts';
import { connectionOptions, type Patience } from './connection.ts';
import { PreparingClient } from './preparing-client.ts';
import { createProbe } from './probe.ts';
import { ServerClock } from './server-clock.ts';

/** The probe has one of its own: a database is not unusable because work holds all connections of a pool. */
export const PROBE_CONNECTIONS = 1;

export interface DatabaseWatchOptions {
  readonly url: string;
  readonly patience?: Partial<Patience>;
}

/** Probes a database on a connection that no work can take, for all pools of it that a process has. */
export class DatabaseWatch implements Part {
  readonly clock = new ServerClock();
  readonly #own: Pool;
  readonly #pools = new Set<Pool>();
  readonly #probe: () => Promise<boolean>;
  readonly #availability: AvailabilityWatch;

  constructor({ url, patience = {} }: DatabaseWatchOptions) {
    this.#own = new Pool({
      // The driver's types have it take nothing.
      Client: PreparingClient as never,
      connectionString: url,
      min: PROBE_CONNECTIONS,
      max: PROBE_CONNECTIONS,
      ...connectionOptions({ patience, applicationName: 'probe' }),
    });
    // What is under way fails by itself. Without listeners the process would end.
    this.#own.on('connect', (client) => client.on('error', () => undefined));
    this.#own.on('error', () => undefined);
    this.#probe = createProbe({ own: this.#own, pools: this.#pools, clock: this.clock });
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
    if (!this.#own.ending) await this.#own.end();
  }
}
