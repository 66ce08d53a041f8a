import { newId } from '@saleschannel/primitives';
import type { Database } from '@saleschannel/database';
import { createJob, type Part } from '@saleschannel/runtime';
import {
  buryWorkers,
  claim,
  countWork,
  endWorker,
  findAwake,
  registerWorker,
  release,
  releaseOthers,
  renewWorker,
  type Claimed,
  type Lease,
} from '../store/leases.ts';
import type { Lanes } from './lanes.ts';
import { passOver, type PassContext } from './pass.ts';

/** Between two looks at what is to do. */
const TICK_MS = 250;
/** Between two looks at what nobody works. */
const CLAIM_MS = 1_000;
/** After a replica has lost the database, others work its endpoints when its lease has ended. */
const LEASE_MS = 20_000;
const RENEW_MS = 2_000;
/** Nothing is begun in the last part of a lease, so that it has ended when somebody else may begin. */
const LEASE_MARGIN_MS = 16_000;
const CLAIMED_AT_ONCE = 1_000;
const AWAKE_AT_ONCE = 1_000;
/** How long what is on its way may take when the process stops. What is ended then is sent again. */
const GRACE_MS = 5_000;
/** After a pass that could not be made. */
const REST_MS = 1_000;
/** A replica that cannot read the event log for so long leaves its endpoints to others. */
const WITHOUT_LOG_AT_MOST_MS = 10_000;

/** An endpoint that this replica works. */
interface Held {
  readonly lease: Lease;
  positionMs: number | undefined;
  isBlocked: boolean;
  isFailing: boolean;
  /** Since when the log has had more for it. */
  behindSinceMs: number | undefined;
  running: Promise<void> | undefined;
  /** Something came up while it ran. */
  isAskedFor: boolean;
  /** A pass should have followed and has not: neither the log nor a time may say so again. */
  isLeftOver: boolean;
  /** Of performance.now(): after a pass that could not be made. */
  restsUntil: number;
}

interface WorkerContext extends PassContext {
  readonly lanes: Lanes;
  /** Connections of passes over endpoints that fail, so that those that work need not wait for them. */
  readonly databaseOfSuspects: Database;
}

/**
 * Works endpoints: those that it has leases of, which no other replica has at the same time. What is to do comes from
 * two questions every 250 ms: how far the logs of their channels are, and which endpoints are due. A replica that
 * cannot read the log leaves its endpoints to others, if there are any, until it can.
 */
export class Worker implements Part {
  readonly #context: WorkerContext;
  readonly #held = new Map<string, Held>();
  /** Also of endpoints that it has lost since. */
  readonly #running = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  readonly #job: Part;
  #id: string | undefined;
  /** Times on the `performance.now()` clock. */
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #claimedAtMs = Number.NEGATIVE_INFINITY;
  #withoutLogSinceMs: number | undefined;
  /** A channel to ask the log about, after the endpoints were left to others. */
  #leftChannel: string | undefined;
  #isStopping = false;

  constructor(context: WorkerContext) {
    this.#context = context;
    const { logger } = context;
    this.#job = createJob({
      everyMs: TICK_MS,
      work: () => this.#tick(),
      failed: (error) => logger.warn({ err: error }, 'webhooks cannot be worked'),
    });
  }

  start(): Promise<void> {
    return this.#job.start();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#job.stop();
    const late = setTimeout(() => this.#ended.abort(), GRACE_MS);
    await Promise.all(this.#running);
    clearTimeout(late);
    const id = this.#id;
    // Without it others take over when the lease has ended.
    if (id !== undefined) await this.#context.database.transaction((em) => endWorker(em, id)).catch(() => undefined);
  }

  /** How long the endpoint that is behind for longest has been so. Those that wait for an attempt are not counted. */
  lagSeconds(): number {
    const now = this.#nowMs();
    const since = [...this.#held.values()].map(({ behindSinceMs }) => behindSinceMs ?? now);
    return Math.max(0, now - Math.min(now, ...since)) / 1_000;
  }

  readonly #nowMs = (): number => this.#context.clock.now().getTime();

  async #tick(): Promise<void> {
    // Throws while the log cannot be read, so that nothing is claimed.
    if (this.#leftChannel !== undefined) await this.#readHeads([this.#leftChannel]);
    this.#leftChannel = undefined;
    const now = performance.now();
    if (now - this.#renewedAtMs >= RENEW_MS) await this.#renew();
    if (now - this.#claimedAtMs >= CLAIM_MS) await this.#claim();
    if (this.#held.size === 0) return;
    for (const id of await this.#findAwake()) this.#ask(id, false);
    for (const [id, held] of this.#held) if (held.isLeftOver) this.#ask(id, true);
    await this.#askBehind();
  }

  async #readHeads(salesChannelIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    try {
      const heads = await this.#context.log.heads(salesChannelIds);
      this.#withoutLogSinceMs = undefined;
      return heads;
    } catch (error) {
      this.#withoutLogSinceMs ??= performance.now();
      throw error;
    }
  }

  #findAwake(): Promise<string[]> {
    const now = this.#context.clock.now().toISOString();
    return findAwake(this.#context.database.em(), this.#id ?? 'none', now, AWAKE_AT_ONCE);
  }

  /** What others have taken for dead has no leases any more, and begins anew. */
  async #renew(): Promise<void> {
    const { database } = this.#context;
    const now = performance.now();
    const old = this.#id;
    if (old === undefined || !(await renewWorker(database.em(), old, LEASE_MS))) {
      this.#held.clear();
      const id = newId();
      await database.transaction(async (em) => {
        if (old !== undefined) await endWorker(em, old);
        await registerWorker(em, id, LEASE_MS);
      });
      this.#id = id;
    } else await releaseOthers(database.em(), old, [...this.#held.keys()]);
    this.#renewedAtMs = now;
  }

  async #claim(): Promise<void> {
    const { database } = this.#context;
    const id = this.#id;
    if (id === undefined) return;
    this.#claimedAtMs = performance.now();
    let work = await countWork(database.em(), id);
    if (work.hasDead) {
      await database.transaction((em) => buryWorkers(em, id));
      work = await countWork(database.em(), id);
    }
    const { workers, endpoints, isKnown, hasFree } = work;
    if (!isKnown) {
      this.#renewedAtMs = Number.NEGATIVE_INFINITY;
      return;
    }
    const withoutLogMs = performance.now() - (this.#withoutLogSinceMs ?? performance.now());
    if (workers > 1 && withoutLogMs > WITHOUT_LOG_AT_MOST_MS) return this.#leaveAll(id);
    const share = Math.ceil(endpoints / Math.max(1, workers));
    if (this.#held.size > share && workers > 1) await this.#leave(id, this.#held.size - share);
    // Alone, it takes all. What is above its share it leaves to others.
    else if (hasFree && (workers <= 1 || this.#held.size < share)) {
      for (const claimed of await claim(database.em(), id, CLAIMED_AT_ONCE)) this.#take(claimed);
    }
  }

  #take(claimed: Claimed): void {
    const { positionAt, isFailing } = claimed;
    this.#held.set(claimed.endpointId, {
      lease: claimed,
      positionMs: positionAt === null ? undefined : Date.parse(positionAt),
      isBlocked: false,
      isFailing,
      behindSinceMs: undefined,
      running: undefined,
      isAskedFor: false,
      isLeftOver: false,
      restsUntil: 0,
    });
    this.#ask(claimed.endpointId, true);
  }

  /** Others can do what this replica cannot. The last one keeps all: attempts that are due need no log. */
  async #leaveAll(id: string): Promise<void> {
    const { database, logger } = this.#context;
    const [held] = this.#held.values();
    logger.error({ endpoints: this.#held.size }, 'the event log cannot be read: leaving endpoints to other replicas');
    await database.transaction((em) => endWorker(em, id));
    this.#leftChannel = held?.lease.salesChannelId;
    this.#withoutLogSinceMs = undefined;
    this.#held.clear();
    this.#id = undefined;
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
  }

  async #leave(id: string, count: number): Promise<void> {
    const idle = [...this.#held].filter(([, held]) => !held.running).map(([endpointId]) => endpointId);
    const left = idle.slice(0, count);
    for (const endpointId of left) this.#held.delete(endpointId);
    await release(this.#context.database.em(), id, left);
  }

  /** Those for which the log has more. */
  async #askBehind(): Promise<void> {
    const waiting = [...this.#held.values()].filter(({ isBlocked }) => !isBlocked);
    if (waiting.length === 0) return;
    const channels = [...new Set(waiting.map(({ lease }) => lease.salesChannelId))];
    const heads = await this.#readHeads(channels);
    const now = this.#nowMs();
    for (const held of waiting) {
      const head = heads.get(held.lease.salesChannelId);
      if (head === undefined || head <= (held.positionMs ?? Number.NEGATIVE_INFINITY)) continue;
      held.behindSinceMs ??= now;
      this.#ask(held.lease.endpointId, true);
    }
  }

  #ask(endpointId: string, hasEvents: boolean): void {
    const held = this.#held.get(endpointId);
    if (!held || this.#isStopping) return;
    if (held.running) {
      held.isAskedFor = true;
      return;
    }
    if (performance.now() < held.restsUntil) return;
    held.isAskedFor = false;
    held.isLeftOver = false;
    const running = this.#work(held, hasEvents)
      .catch((error: unknown) => {
        this.#context.logger.warn({ err: error, endpointId }, 'a webhook endpoint cannot be worked');
        held.restsUntil = performance.now() + REST_MS;
        return true;
      })
      .then((isMore) => {
        this.#running.delete(running);
        held.running = undefined;
        held.isLeftOver = isMore;
        if (isMore && this.#mayBegin(held)) this.#ask(endpointId, true);
      });
    held.running = running;
    this.#running.add(running);
  }

  /** Whether the lease still lasts for long enough. */
  readonly #mayBegin = (held: Held): boolean =>
    !this.#isStopping &&
    this.#held.get(held.lease.endpointId) === held &&
    performance.now() < this.#renewedAtMs + LEASE_MS - LEASE_MARGIN_MS;

  /** One pass. Returns whether another one should follow. */
  async #work(held: Held, hasEvents: boolean): Promise<boolean> {
    const { lanes, databaseOfSuspects } = this.#context;
    const context = held.isFailing ? { ...this.#context, database: databaseOfSuspects } : this.#context;
    let isMore = false;
    await lanes.run(held.lease.salesChannelId, held.isFailing, async (lane) => {
      if (!this.#mayBegin(held)) {
        isMore = true;
        return;
      }
      const passed = await passOver(context, {
        lease: held.lease,
        lane,
        isSuspect: held.isFailing,
        hasEvents,
        mayBegin: () => this.#mayBegin(held),
        signal: this.#ended.signal,
      });
      if (!passed?.isAwaited) {
        if (this.#held.get(held.lease.endpointId) === held) this.#held.delete(held.lease.endpointId);
        return;
      }
      held.positionMs = passed.positionMs;
      held.isBlocked = passed.isBlocked;
      held.isFailing = passed.isFailing;
      if (!passed.hasMore) held.behindSinceMs = undefined;
      isMore = passed.hasMore || held.isAskedFor;
    });
    return isMore;
  }
}
