import { newId } from '@saleschannel/primitives';
import {
  claim,
  countWork,
  deleteExpiredWorkers,
  deleteWorker,
  registerWorker,
  release,
  releaseOthers,
  renewWorker,
  type ClaimedLease,
} from '../store/leases.ts';
import type { DeliveryContext } from './attempts.ts';

const CLAIM_INTERVAL_MS = 1_000;
/** Other replicas take over the endpoints of one that lost the database after this time. */
const LEASE_MS = 20_000;
const RENEW_INTERVAL_MS = 2_000;
/** No attempt begins in the last part of a lease, so that it ends before another replica may begin. */
const LEASE_MARGIN_MS = 16_000;
const MAX_CLAIMED = 1_000;

type LeaseContext = Pick<DeliveryContext, 'database' | 'logger'>;

/** Keeps this replica's row in `worker`, and the leases of its share of the endpoints. */
export class LeaseKeeper {
  readonly #context: LeaseContext;
  /** Endpoints leased to this replica, by id. */
  readonly #held: Map<string, { readonly running: unknown }>;
  #id: string | undefined;
  /** Times on the `performance.now()` clock. */
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #claimedAtMs = Number.NEGATIVE_INFINITY;

  constructor(context: LeaseContext, held: Map<string, { readonly running: unknown }>) {
    this.#context = context;
    this.#held = held;
  }

  /** Undefined while this replica has no row. */
  get workerId(): string | undefined {
    return this.#id;
  }

  /** True while attempts may begin. */
  isValid(): boolean {
    return performance.now() < this.#renewedAtMs + LEASE_MS - LEASE_MARGIN_MS;
  }

  /** Renews the row when it is time. A replica that others declared dead has no leases, and registers again. */
  async renew(now: number): Promise<void> {
    if (now - this.#renewedAtMs < RENEW_INTERVAL_MS) return;
    const { database } = this.#context;
    const old = this.#id;
    if (old === undefined || !(await renewWorker(database.em(), old, LEASE_MS))) {
      this.#held.clear();
      const id = newId();
      await database.transaction(async (em) => {
        if (old !== undefined) await deleteWorker(em, old);
        await registerWorker(em, id, LEASE_MS);
      });
      this.#id = id;
    } else await releaseOthers(database.em(), old, [...this.#held.keys()]);
    this.#renewedAtMs = now;
  }

  /**
   * Claims or releases endpoints up to this replica's share when it is time.
   * @param hasLog false leaves all endpoints to other replicas, if there are any
   * @returns new leases, or undefined if all were released
   */
  async balance(now: number, hasLog: boolean): Promise<readonly ClaimedLease[] | undefined> {
    if (now - this.#claimedAtMs < CLAIM_INTERVAL_MS) return [];
    const { database } = this.#context;
    const id = this.#id;
    if (id === undefined) return [];
    this.#claimedAtMs = performance.now();
    let work = await countWork(database.em(), id);
    if (work.hasDead) {
      await database.transaction((em) => deleteExpiredWorkers(em, id));
      work = await countWork(database.em(), id);
    }
    const { workers, endpoints, isKnown, hasFree } = work;
    if (!isKnown) {
      this.#renewedAtMs = Number.NEGATIVE_INFINITY;
      return [];
    }
    if (workers > 1 && !hasLog) {
      await this.#releaseAll(id);
      return undefined;
    }
    const share = Math.ceil(endpoints / Math.max(1, workers));
    if (this.#held.size > share && workers > 1) await this.#releaseIdle(id, this.#held.size - share);
    // The only replica claims all endpoints. Several replicas claim up to their share.
    else if (hasFree && (workers <= 1 || this.#held.size < share)) return claim(database.em(), id, MAX_CLAIMED);
    return [];
  }

  /** Deletes the row. If that fails, other replicas take over when the lease expires. */
  async end(): Promise<void> {
    const id = this.#id;
    if (id === undefined) return;
    await this.#context.database.transaction((em) => deleteWorker(em, id)).catch(() => undefined);
  }

  async #releaseAll(id: string): Promise<void> {
    const { database, logger } = this.#context;
    logger.error({ endpoints: this.#held.size }, 'the event log cannot be read: releasing endpoints to other replicas');
    await database.transaction((em) => deleteWorker(em, id));
    this.#held.clear();
    this.#id = undefined;
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
  }

  async #releaseIdle(id: string, count: number): Promise<void> {
    const idle = [...this.#held].filter(([, { running }]) => !running).map(([endpointId]) => endpointId);
    const released = idle.slice(0, count);
    for (const endpointId of released) this.#held.delete(endpointId);
    await release(this.#context.database.em(), id, released);
  }
}
