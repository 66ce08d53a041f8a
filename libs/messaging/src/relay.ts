import {
  createConnection,
  databaseUrl,
  raw,
  sql,
  type databaseEnvironment,
  type Patience,
  type PreparingClient,
} from '@saleschannel/database';
import { meter, type Logger, type ObservableResult, type Part, type Values } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { HandedRows } from './handed-rows.ts';
import { OutboxFloor, type FloorTimes } from './outbox-floor.ts';
import { OutboxPublisher } from './outbox-publisher.ts';
import { countRefused, MESSAGES_PER_ROUND, readLag, readRows, type OutboxRow, type ReadRow } from './outbox-rows.ts';
import { RefusedRetention } from './refused-retention.ts';
import { SIGN_OF_LIFE } from './signs-of-life.ts';
import { OUTBOX_CHANNEL, registerPublishing } from './waking.ts';

export interface RelayOptions {
  databaseUrl: string;
  broker: Broker;
  service: string;
  logger: Logger;
  /** Tests shorten these. */
  patience?: Partial<Patience>;
  silentAtMostMs?: number;
  floor?: Partial<FloorTimes>;
  /** Tests make it longer, to see that nothing needs it. */
  pollMs?: number;
}

/**
 * Whoever commits hands its rows over or wakes the relay. The poll finds rows of a process that ended in between, of a
 * commit whose answer was lost, and of a lost NOTIFY. Such a row is late by this much where there is traffic.
 */
const POLL_MS = 1_000;
/**
 * The poll of an outbox in which nothing is found takes longer each time, up to this part of `silentAtMostMs`. The
 * session must say something well before that, and two lost wakes in a row, of tasks and of the ledger, still let a
 * trade end within the 20 seconds that a fault of one replica may cost.
 */
const POLL_PART_AT_MOST = 0.4;
/** A take-over waits for this after the lock is free, which is up to `silentAtMostMs` after its owner went silent. */
const STANDBY_MS = 2_000;
const RETRY_MS = 500;
/** Rows that the broker has are deleted with the next reading, or together after so long. A crash repeats as many. */
const DELETE_WITHIN_MS = 100;
/**
 * A relay asks something more often than this. One that is silent for so long stands still, as a frozen process does,
 * and its session ends, so that another replica gets the lock.
 */
const SILENT_AT_MOST_MS = 10_000;
/** A channel that a fault has closed is replaced sooner, and a relay that looks for a bad message should find it. */
const WITHOUT_CHANNEL_AT_MOST_MS = 3_000;
/** Key of the advisory lock that keeps the relay single. Locks belong to one database, hence one constant. */
const RELAY_LOCK = 7_301_001;

const tryLock = sql`select pg_try_advisory_lock(${RELAY_LOCK}) as "isLocked"`;
const unlock = sql`select pg_advisory_unlock(${RELAY_LOCK})`;
const listen = sql`listen ${raw(OUTBOX_CHANNEL)}`;
const unlisten = sql`unlisten ${raw(OUTBOX_CHANNEL)}`;

/**
 * Publishes what the outbox holds, with confirms, and deletes a row only after the broker has it. Rows that this
 * process has committed are published from memory when nothing unpublished is older. All others are read by state,
 * behind a floor below which no row can come any more.
 *
 * One relay per database is active, by an advisory lock of its own session. Only a relay that has a channel takes the
 * lock, and one that loses its channel gives the lock up, so that a replica that reaches both the database and the
 * broker is active. It is written by hand because the usual publisher of an outbox, change data capture, is one more
 * system to run.
 */
export class Relay implements Part {
  readonly #options: RelayOptions;
  readonly #lag = meter().createObservableGauge('saleschannel.outbox.lag', {
    unit: 's',
    description: 'Age of the oldest unpublished event',
  });
  readonly #refused = meter().createObservableGauge('saleschannel.outbox.refused', {
    description: 'Events permanently refused by the broker',
  });
  readonly #retention = new RefusedRetention();
  readonly #floor: OutboxFloor;
  readonly #publisher: OutboxPublisher;
  readonly #handed = new HandedRows();
  readonly #pollMs: number;
  readonly #pollAtMostMs: number;
  #client: PreparingClient | undefined;
  #isActive = false;
  /** When the outbox is read next, on the `performance.now()` clock. */
  #readAt = 0;
  /** The pause after a reading that finds nothing. */
  #nextPollMs: number;
  /** Rows may be there that were not handed over. */
  #mustRead = false;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #isNotified = false;
  #unregister: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #waiters: (() => void)[] = [];

  constructor(options: RelayOptions) {
    this.#options = options;
    const { broker, service, logger, silentAtMostMs = SILENT_AT_MOST_MS } = options;
    this.#pollAtMostMs = options.pollMs ?? silentAtMostMs * POLL_PART_AT_MOST;
    this.#pollMs = this.#nextPollMs = options.pollMs ?? Math.min(POLL_MS, this.#pollAtMostMs);
    this.#floor = new OutboxFloor(options.floor);
    this.#publisher = new OutboxPublisher({ broker, service, logger, floor: this.#floor, changed: this.#stir });
  }

  start(): Promise<void> {
    this.#lag.addCallback(this.#observeLag);
    this.#refused.addCallback(this.#observeRefused);
    this.#running = this.#run();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#running;
    this.#unregister();
    this.#lag.removeCallback(this.#observeLag);
    this.#refused.removeCallback(this.#observeRefused);
    this.#waiters = [];
    if (this.#client) await this.#deletePublished(this.#client).catch(() => undefined);
    await this.#client?.end().catch(() => undefined);
  }

  /** Resolves when a round that began after this call has seen the outbox empty. For tests. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#look();
    });
  }

  /** There may be something to do. */
  readonly #stir = (): void => {
    this.#isNotified = true;
    this.#wake();
  };

  /** There may be something to read. */
  readonly #look = (): void => {
    this.#mustRead = true;
    this.#stir();
  };

  readonly #receive = (rows: readonly OutboxRow[]): void => {
    this.#handed.add(rows);
    this.#stir();
  };

  readonly #observeLag = async (result: ObservableResult): Promise<void> => {
    const oldest = this.#publisher.oldestUnderWay;
    const floor = BigInt(this.#floor.value);
    const from = oldest !== undefined && oldest <= floor ? oldest - 1n : floor;
    const [row] = (await this.#client?.run<{ lag: string }>(readLag(String(from))).catch(() => undefined)) ?? [];
    if (row) result.observe(Number(row.lag));
  };

  readonly #observeRefused = async (result: ObservableResult): Promise<void> => {
    const [row] = (await this.#client?.run<{ refused: number }>(countRefused).catch(() => undefined)) ?? [];
    if (row) result.observe(row.refused);
  };

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

  /** Publishes a round if it can. Returns the pause before the next one. */
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

  async #connect(): Promise<PreparingClient> {
    const { databaseUrl, service, patience = {}, silentAtMostMs = SILENT_AT_MOST_MS } = this.#options;
    const client = createConnection(databaseUrl, {
      applicationName: `${service}-relay`,
      // A deletion that a crash of the server undoes only means that a message is published twice.
      settings: [`idle_session_timeout=${silentAtMostMs}`, 'synchronous_commit=off'],
      patience,
    });
    client.on('notification', this.#look);
    await client.connect();
    return client;
  }

  /** Makes this relay the active one. Returns false while another replica is. */
  async #takeOver(client: PreparingClient): Promise<boolean> {
    const [lock] = await client.run<{ isLocked: boolean }>(tryLock);
    if (!lock?.isLocked) return false;
    this.#isActive = true;
    this.#floor.restart();
    this.#mustRead = true;
    await client.run(listen);
    this.#unregister = registerPublishing(this.#options.databaseUrl, this.#receive);
    return true;
  }

  /** Others are active now. They find the handed rows by reading. */
  #leave(): void {
    this.#unregister();
    this.#handed.clear();
    this.#isActive = false;
  }

  /** Keeps the session, which tells how much waits, and leaves the lock to a replica that has a channel. */
  async #workWithoutChannel(client: PreparingClient): Promise<number> {
    if (this.#isActive && this.#publisher.withoutChannelMs > WITHOUT_CHANNEL_AT_MOST_MS) {
      this.#leave();
      this.#options.logger.warn('outbox relay: no channel to the broker; leaving the outbox to other replicas');
      // What the broker has is not to be published again.
      await this.#deletePublished(client);
      await client.run(unlisten);
      await client.run(unlock);
    } else await client.run(SIGN_OF_LIFE);
    return RETRY_MS;
  }

  /** Publishes what needs no reading. */
  async #publishHanded(client: PreparingClient): Promise<void> {
    if (this.#publisher.takeFailure()) this.#readAt = Math.min(this.#readAt, performance.now() + RETRY_MS);
    if (this.#handed.isEmpty) return;
    const { next, isAll } = this.#handed.take(this.#floor);
    this.#nextPollMs = this.#pollMs;
    if (!isAll) this.#mustRead = true;
    const left = next.length > 0 ? await this.#publisher.publish(client, next) : 0;
    if (left > 0) this.#readAt = performance.now() + RETRY_MS;
    // A failed row is older than what would be read.
    if (left > 0) this.#mustRead = false;
  }

  async #readAndPublish(client: PreparingClient): Promise<void> {
    this.#mustRead = false;
    await this.#floor.advanceIfDue(client);
    const asked = this.#waiters.length;
    const rows = await this.#readOn(client);
    const left = rows.length > 0 ? await this.#publisher.publish(client, rows) : 0;
    const ahead = rows[0]?.ahead ?? 0;
    if (ahead === 0 && this.#publisher.isIdle) for (const resolve of this.#waiters.splice(0, asked)) resolve();
    this.#readAt = performance.now() + this.#pauseAfter(rows, left);
  }

  #pauseAfter(rows: readonly ReadRow[], left: number): number {
    const ahead = rows[0]?.ahead ?? 0;
    if (left > 0 || (ahead === 0 && this.#publisher.isWaiting)) return RETRY_MS;
    const isAll = ahead === rows.length && ahead < MESSAGES_PER_ROUND;
    if (!isAll) return 0;
    if (this.#publisher.isWaiting) return RETRY_MS;
    if (this.#waiters.length > 0) return this.#publisher.isPublishing ? RETRY_MS : 0;
    const isQuiet = ahead === 0 && !this.#floor.hasGap;
    const pollMs = isQuiet ? this.#nextPollMs : this.#pollMs;
    this.#nextPollMs = isQuiet ? Math.min(pollMs * 2, this.#pollAtMostMs) : this.#pollMs;
    return pollMs;
  }

  /** Deletes what the broker has, and reads what comes next. */
  async #readOn(client: PreparingClient): Promise<ReadRow[]> {
    const { types, ids } = await this.#publisher.excluded();
    const deletion = this.#publisher.deletion();
    const { results, fault } = await client.together([...deletion.statements, readRows(types, ids, this.#floor.value)]);
    if (fault) throw fault;
    deletion.done();
    const rows = (results.at(-1)?.rows ?? []) as ReadRow[];
    this.#floor.saw(rows);
    return rows;
  }

  get #deleteAt(): number {
    const { publishedCount, publishedSince } = this.#publisher;
    return publishedCount >= MESSAGES_PER_ROUND ? 0 : publishedSince + DELETE_WITHIN_MS;
  }

  async #deletePublished(client: PreparingClient): Promise<void> {
    const { statements, done } = this.#publisher.deletion();
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
