import { databaseUrl, type databaseEnvironment, type Timeouts, type PreparingClient } from '@saleschannel/database';
import type { Logger, Part, Values } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { CommittedRows } from './relay-rows.ts';
import { OutboxFloor, type FloorTimes } from './outbox-floor.ts';
import {
  OutboxMetrics,
  MESSAGES_PER_ROUND,
  readRows,
  KEEP_ALIVE,
  type OutboxRow,
  type ReadRow,
  RefusedRetention,
} from './outbox-rows.ts';
import { OutboxPublisher } from './outbox-publisher.ts';
import { PollInterval, acquireLock, openSession, releaseLock, startListening } from './relay-session.ts';
import { registerPublishing } from './outbox.ts';

export interface RelayOptions {
  databaseUrl: string;
  broker: Broker;
  service: string;
  logger: Logger;
  /** Tests shorten these. */
  timeouts?: Partial<Timeouts>;
  maxSilenceMs?: number;
  floor?: Partial<FloorTimes>;
  /** Tests lengthen it to prove that nothing depends on it. */
  pollMs?: number;
}

/**
 * Interval at which an inactive relay tries to get the lock. A takeover may take this long after the lock is free,
 * which is up to `maxSilenceMs` after its owner went silent.
 */
const STANDBY_MS = 2_000;
const RETRY_MS = 500;
/**
 * Published rows are deleted with the next read, or in one statement after this long. After a crash in between, they
 * are published again.
 */
const MAX_DELETE_DELAY_MS = 100;
/**
 * A relay sends statements more often than this. PostgreSQL ends a session that is silent for longer, such as that of a
 * frozen process, and another replica gets the lock.
 */
const MAX_SILENCE_MS = 10_000;
/**
 * A relay without a channel for longer releases the lock. Replacing a channel that an error closed takes less, so a
 * relay that searches for a bad message keeps the lock.
 */
const MAX_WITHOUT_CHANNEL_MS = 3_000;
/**
 * Publishes the rows of the outbox, and deletes each only after the broker has confirmed it. Rows that this process
 * committed are published from memory if no unpublished row is older. All others are read, from a floor below which no
 * row can appear any more.
 *
 * One relay per database is active: its session holds an advisory lock. Only a relay with a channel takes the lock, and
 * a relay that loses its channel releases it, so that the active replica reaches both the database and the broker.
 * Written by hand because the usual publisher of an outbox, change data capture, is one more system to run.
 */
export class Relay implements Part {
  readonly #options: RelayOptions;
  readonly #metrics = new OutboxMetrics({
    session: () => this.#client,
    publishedUpTo: () => this.#publishedUpTo(),
  });
  readonly #retention = new RefusedRetention();
  readonly #floor: OutboxFloor;
  readonly #publisher: OutboxPublisher;
  readonly #handed = new CommittedRows();
  readonly #poll: PollInterval;
  #client: PreparingClient | undefined;
  #isActive = false;
  /** When the outbox is read next, on the `performance.now()` clock. */
  #readAt = 0;
  /** The outbox may have rows that were not handed over. */
  #mustRead = false;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #isNotified = false;
  #unregister: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #waiters: (() => void)[] = [];

  constructor(options: RelayOptions) {
    this.#options = options;
    const { broker, service, logger, maxSilenceMs = MAX_SILENCE_MS } = options;
    this.#poll = new PollInterval(maxSilenceMs, options.pollMs);
    this.#floor = new OutboxFloor(options.floor);
    this.#publisher = new OutboxPublisher({ broker, service, logger, floor: this.#floor, changed: this.#wakeUp });
  }

  start(): Promise<void> {
    this.#metrics.start();
    this.#running = this.#run();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#running;
    this.#unregister();
    this.#metrics.stop();
    this.#waiters = [];
    if (this.#client) await this.#deletePublished(this.#client).catch(() => undefined);
    await this.#client?.end().catch(() => undefined);
  }

  /** Resolves when a round that began after this call has found the outbox empty. For tests. */
  waitUntilDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#requestRead();
    });
  }

  /** Runs the next round now. */
  readonly #wakeUp = (): void => {
    this.#isNotified = true;
    this.#wake();
  };

  /** Runs the next round now, with a read. */
  readonly #requestRead = (): void => {
    this.#mustRead = true;
    this.#wakeUp();
  };

  readonly #receive = (rows: readonly OutboxRow[]): void => {
    this.#handed.add(rows);
    this.#wakeUp();
  };

  #publishedUpTo(): bigint {
    const oldest = this.#publisher.oldestInFlight;
    const floor = BigInt(this.#floor.value);
    return oldest !== undefined && oldest <= floor ? oldest - 1n : floor;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#pause(await this.#work());
      } catch (error) {
        if (!this.#isStopping) this.#options.logger.warn(`outbox relay: ${(error as Error).message}`);
        this.#leave();
        await this.#client?.end().catch(() => undefined);
        this.#client = undefined;
        this.#isNotified = false;
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** Publishes a round if possible. Returns the pause before the next one. */
  async #work(): Promise<number> {
    const client = (this.#client ??= await this.#connect());
    this.#isNotified = false;
    if (!this.#publisher.hasChannel) return this.#workWithoutChannel(client);
    if (!this.#isActive && !(await this.#takeOver(client))) return STANDBY_MS;
    await this.#retention.removeIfDue(client);
    await this.#publisher.setRefusedAside(client);
    await this.#publishHanded(client);
    if (this.#mustRead || performance.now() >= this.#readAt) await this.#readAndPublish(client);
    else if (performance.now() >= this.#deleteAt) await this.#deletePublished(client);
    return Math.max(0, Math.min(this.#readAt, this.#deleteAt) - performance.now());
  }

  #pause(ms: number): Promise<void> {
    if (ms === 0 || this.#isNotified || this.#isStopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #connect(): Promise<PreparingClient> {
    const { databaseUrl, service, timeouts = {}, maxSilenceMs = MAX_SILENCE_MS } = this.#options;
    return openSession({ databaseUrl, service, timeouts, maxSilenceMs, onNotification: this.#requestRead });
  }

  /** Makes this relay the active one. Returns false while another replica is active. */
  async #takeOver(client: PreparingClient): Promise<boolean> {
    if (!(await acquireLock(client))) return false;
    this.#isActive = true;
    this.#floor.restart();
    this.#mustRead = true;
    await startListening(client);
    this.#unregister = registerPublishing(this.#options.databaseUrl, this.#receive);
    return true;
  }

  /** Makes this relay inactive. The next active one reads the rows that were handed over to this one. */
  #leave(): void {
    this.#unregister();
    this.#handed.clear();
    this.#isActive = false;
  }

  /** Keeps the session, which the lag metric needs, and leaves the lock to a replica with a channel. */
  async #workWithoutChannel(client: PreparingClient): Promise<number> {
    if (this.#isActive && this.#publisher.withoutChannelMs > MAX_WITHOUT_CHANNEL_MS) {
      this.#leave();
      this.#options.logger.warn('outbox relay: no channel to the broker; other replicas take over');
      // Otherwise the next active relay publishes confirmed rows again.
      await this.#deletePublished(client);
      await releaseLock(client);
    } else await client.run(KEEP_ALIVE);
    return RETRY_MS;
  }

  /** Publishes the rows handed over by commits, as far as they need no read. */
  async #publishHanded(client: PreparingClient): Promise<void> {
    if (this.#publisher.takeFailure()) this.#readAt = Math.min(this.#readAt, performance.now() + RETRY_MS);
    if (this.#handed.isEmpty) return;
    const { next, isAll } = this.#handed.take(this.#floor);
    this.#poll.reset();
    if (!isAll) this.#mustRead = true;
    const failed = next.length > 0 ? await this.#publisher.publish(client, next) : 0;
    if (failed > 0) this.#readAt = performance.now() + RETRY_MS;
    // The failed row is the oldest, so nothing else is read before its retry.
    if (failed > 0) this.#mustRead = false;
  }

  async #readAndPublish(client: PreparingClient): Promise<void> {
    this.#mustRead = false;
    await this.#floor.advanceIfDue(client);
    const waiting = this.#waiters.length;
    const rows = await this.#deleteAndRead(client);
    const failed = rows.length > 0 ? await this.#publisher.publish(client, rows) : 0;
    const ahead = rows[0]?.ahead ?? 0;
    if (ahead === 0 && this.#publisher.isIdle) for (const resolve of this.#waiters.splice(0, waiting)) resolve();
    this.#readAt = performance.now() + this.#pauseAfter(rows, failed);
  }

  #pauseAfter(rows: readonly ReadRow[], failed: number): number {
    const ahead = rows[0]?.ahead ?? 0;
    if (failed > 0 || (ahead === 0 && this.#publisher.isWaiting)) return RETRY_MS;
    const isAll = ahead === rows.length && ahead < MESSAGES_PER_ROUND;
    if (!isAll) return 0;
    if (this.#publisher.isWaiting) return RETRY_MS;
    if (this.#waiters.length > 0) return this.#publisher.isPublishing ? RETRY_MS : 0;
    return this.#poll.next(ahead === 0 && !this.#floor.hasGap);
  }

  /** Deletes published rows and reads the next ones, in one round trip. */
  async #deleteAndRead(client: PreparingClient): Promise<ReadRow[]> {
    const { types, ids } = await this.#publisher.listExcluded();
    const deletion = this.#publisher.published.toDeletion();
    const { results, fault } = await client.runTogether([
      ...deletion.statements,
      readRows(types, ids, this.#floor.value),
    ]);
    if (fault) throw fault;
    deletion.done();
    const rows = (results.at(-1)?.rows ?? []) as ReadRow[];
    this.#floor.recordRead(rows);
    return rows;
  }

  get #deleteAt(): number {
    const { count, since } = this.#publisher.published;
    return count >= MESSAGES_PER_ROUND ? 0 : since + MAX_DELETE_DELAY_MS;
  }

  async #deletePublished(client: PreparingClient): Promise<void> {
    const { statements, done } = this.#publisher.published.toDeletion();
    for (const statement of statements) await client.run(statement);
    done();
  }
}

/** The relay of a service's own outbox. */
export const createServiceRelay = (
  service: string,
  values: Values<typeof databaseEnvironment>,
  broker: Broker,
  logger: Logger,
): Relay => new Relay({ databaseUrl: databaseUrl(values), broker, service, logger });
