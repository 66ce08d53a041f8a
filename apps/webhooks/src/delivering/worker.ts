import type { Database } from '@saleschannel/database';
import { createJob, type Part } from '@saleschannel/runtime';
import { findAwake, type ClaimedLease, type Lease } from '../store/leases.ts';
import type { DeliveryContext } from './attempts.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import { runDelivery } from './delivery-run.ts';
import { LeaseKeeper } from './lease-keeper.ts';

const POLL_INTERVAL_MS = 250;
const MAX_AWAKE = 1_000;
/** Attempts in flight get this time when the process stops. Aborted ones are sent again. */
const GRACE_MS = 5_000;
/** Pause of an endpoint after a run that failed. */
const PAUSE_MS = 1_000;
/** After this time without the event log, a replica releases its endpoints to others. */
const MAX_LOG_OUTAGE_MS = 10_000;

/** An endpoint leased to this replica. */
interface HeldEndpoint {
  readonly lease: Lease;
  positionMs: number | undefined;
  isBlocked: boolean;
  isFailing: boolean;
  /** When the log first had more events than were delivered. */
  behindSinceMs: number | undefined;
  running: Promise<void> | undefined;
  /** A run was requested during the current one. */
  isRequested: boolean;
  /** Another run must follow, even if neither the log nor a due time asks for it again. */
  hasMore: boolean;
  /** End of the pause after a failed run, on the `performance.now()` clock. */
  pausedUntil: number;
}

interface WorkerContext extends DeliveryContext {
  readonly queues: DeliveryQueues;
  /** Separate connections for failing endpoints, so that working ones need not wait for them. */
  readonly suspectsDatabase: Database;
}

/**
 * Runs deliveries for the endpoints leased to this replica. Every 250 ms it polls for due endpoints, and for the heads
 * of their channels' logs. A replica that cannot read the log releases its endpoints to other replicas, if there are
 * any, until it can.
 */
export class Worker implements Part {
  readonly #context: WorkerContext;
  readonly #held = new Map<string, HeldEndpoint>();
  readonly #leases: LeaseKeeper;
  /** Includes runs of endpoints whose lease was lost since. */
  readonly #running = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  readonly #job: Part;
  #logFailedSinceMs: number | undefined;
  /** Channel whose log must be readable before endpoints are claimed again. */
  #probedChannel: string | undefined;
  #isStopping = false;

  constructor(context: WorkerContext) {
    this.#context = context;
    this.#leases = new LeaseKeeper(context, this.#held);
    const { logger } = context;
    this.#job = createJob({
      everyMs: POLL_INTERVAL_MS,
      work: () => this.#tick(),
      onError: (error) => logger.warn({ err: error }, 'webhooks cannot be delivered'),
    });
  }

  start(): Promise<void> {
    return this.#job.start();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#job.stop();
    const abortTimer = setTimeout(() => this.#abort.abort(), GRACE_MS);
    await Promise.all(this.#running);
    clearTimeout(abortTimer);
    await this.#leases.end();
  }

  /** Time for which the most delayed endpoint has been behind the log. Waiting retries do not count. */
  lagSeconds(): number {
    const now = this.#nowMs();
    const since = [...this.#held.values()].map(({ behindSinceMs }) => behindSinceMs ?? now);
    return Math.max(0, now - Math.min(now, ...since)) / 1_000;
  }

  readonly #nowMs = (): number => this.#context.clock.now().getTime();

  async #tick(): Promise<void> {
    // Throws while the log cannot be read, so that nothing is claimed.
    if (this.#probedChannel !== undefined) await this.#readHeads([this.#probedChannel]);
    this.#probedChannel = undefined;
    const now = performance.now();
    await this.#leases.renew(now);
    await this.#balance(now);
    if (this.#held.size === 0) return;
    for (const id of await this.#findAwake()) this.#request(id, false);
    for (const [id, held] of this.#held) if (held.hasMore) this.#request(id, true);
    await this.#requestBehind();
  }

  async #readHeads(salesChannelIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    try {
      const heads = await this.#context.log.heads(salesChannelIds);
      this.#logFailedSinceMs = undefined;
      return heads;
    } catch (error) {
      this.#logFailedSinceMs ??= performance.now();
      throw error;
    }
  }

  #findAwake(): Promise<string[]> {
    const now = this.#context.clock.now().toISOString();
    return findAwake(this.#context.database.em(), this.#leases.workerId ?? 'none', now, MAX_AWAKE);
  }

  /** The last replica keeps its endpoints during a log outage: due attempts need no log. */
  async #balance(now: number): Promise<void> {
    const [first] = this.#held.values();
    const outageMs = performance.now() - (this.#logFailedSinceMs ?? performance.now());
    const claimed = await this.#leases.balance(now, outageMs <= MAX_LOG_OUTAGE_MS);
    if (claimed) for (const lease of claimed) this.#hold(lease);
    else {
      this.#probedChannel = first?.lease.salesChannelId;
      this.#logFailedSinceMs = undefined;
    }
  }

  #hold(lease: ClaimedLease): void {
    const { endpointId, positionAt, isFailing } = lease;
    this.#held.set(endpointId, {
      lease,
      positionMs: positionAt === null ? undefined : Date.parse(positionAt),
      isBlocked: false,
      isFailing,
      behindSinceMs: undefined,
      running: undefined,
      isRequested: false,
      hasMore: false,
      pausedUntil: 0,
    });
    this.#request(endpointId, true);
  }

  /** Requests runs for endpoints for which the log has more events. */
  async #requestBehind(): Promise<void> {
    const waiting = [...this.#held.values()].filter(({ isBlocked }) => !isBlocked);
    if (waiting.length === 0) return;
    const channels = [...new Set(waiting.map(({ lease }) => lease.salesChannelId))];
    const heads = await this.#readHeads(channels);
    const now = this.#nowMs();
    for (const held of waiting) {
      const head = heads.get(held.lease.salesChannelId);
      if (head === undefined || head <= (held.positionMs ?? Number.NEGATIVE_INFINITY)) continue;
      held.behindSinceMs ??= now;
      this.#request(held.lease.endpointId, true);
    }
  }

  #request(endpointId: string, hasEvents: boolean): void {
    const held = this.#held.get(endpointId);
    if (!held || this.#isStopping) return;
    if (held.running) {
      held.isRequested = true;
      return;
    }
    if (performance.now() < held.pausedUntil) return;
    held.isRequested = false;
    held.hasMore = false;
    const running = this.#run(held, hasEvents)
      .catch((error: unknown) => {
        this.#context.logger.warn({ err: error, endpointId }, 'a delivery run failed');
        held.pausedUntil = performance.now() + PAUSE_MS;
        return true;
      })
      .then((hasMore) => {
        this.#running.delete(running);
        held.running = undefined;
        held.hasMore = hasMore;
        if (hasMore && this.#mayBegin(held)) this.#request(endpointId, true);
      });
    held.running = running;
    this.#running.add(running);
  }

  readonly #mayBegin = (held: HeldEndpoint): boolean =>
    !this.#isStopping && this.#held.get(held.lease.endpointId) === held && this.#leases.isValid();

  /** Performs one run. Returns true if another should follow. */
  async #run(held: HeldEndpoint, hasEvents: boolean): Promise<boolean> {
    const { queues, suspectsDatabase } = this.#context;
    const context = held.isFailing ? { ...this.#context, database: suspectsDatabase } : this.#context;
    let hasMore = false;
    await queues.run(held.lease.salesChannelId, held.isFailing, async (slot) => {
      if (!this.#mayBegin(held)) {
        hasMore = true;
        return;
      }
      const summary = await runDelivery(context, {
        lease: held.lease,
        slot,
        isSuspect: held.isFailing,
        hasEvents,
        mayBegin: () => this.#mayBegin(held),
        signal: this.#abort.signal,
      });
      if (!summary?.isLeased) {
        if (this.#held.get(held.lease.endpointId) === held) this.#held.delete(held.lease.endpointId);
        return;
      }
      held.positionMs = summary.positionMs;
      held.isBlocked = summary.isBlocked;
      held.isFailing = summary.isFailing;
      if (!summary.hasMore) held.behindSinceMs = undefined;
      hasMore = summary.hasMore || held.isRequested;
    });
    return hasMore;
  }
}
