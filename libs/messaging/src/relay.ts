import type { ConfirmChannel } from 'amqplib';
import { isIntegrationEventType } from '@saleschannel/contracts';
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
import { publishConfirmed } from './confirmed.ts';
import { partitionIn, smallerBodiesOf } from './envelope-bodies.ts';
import {
  countRefused,
  MESSAGES_PER_ROUND,
  deleteRows,
  readLag,
  readRows,
  replaceRow,
  setRowAside,
  type OutboxRow,
  type ReadRow,
} from './outbox-rows.ts';
import { OutboxFloor, type FloorTimes } from './outbox-floor.ts';
import { RefusedRetention } from './refused-retention.ts';
import { Routes } from './routes.ts';
import { SIGN_OF_LIFE, withSignsOfLife } from './signs-of-life.ts';
import { names, queuesOf, routingKeyOf } from './topology.ts';
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
}

/** Whoever commits wakes the relay. This is for what was committed while it could not be woken. */
const POLL_MS = 1_000;
const STANDBY_MS = 1_000;
const RETRY_MS = 500;
/** What the broker has is deleted together with the next reading, or alone after so long. */
const DELETE_WITHIN_MS = 20;
/**
 * A relay asks something every POLL_MS. One that is silent for so long stands still, as a frozen process does, and its
 * session ends, so that another replica gets the lock.
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

/** The broker closes the channel of a message that it will never take. A message above its largest size is one. */
const PRECONDITION_FAILED = 406;
/** A message that closed the channel for another reason, such as a right that is missing, lets others go first. */
const HELD_BACK_MS = 30_000;
const HELD_BACK_AT_MOST = 100;

const PUBLISHING = { 'messaging.system.name': 'rabbitmq', 'messaging.operation.name': 'publish' };

/** What a round came to. */
interface Round {
  /** How many rows could have been read. */
  readonly ahead: number;
  /** How many rows that were read are still there, because the broker would not take them. */
  readonly left: number;
  /** Whether there was nothing more to read. */
  readonly isAll: boolean;
}

/**
 * Publishes what the outbox holds. It reads rows by state, behind a floor below which no row can come any more,
 * publishes with confirms, and deletes a row only after the broker has it. A message for which the broker closes the
 * channel is found by publishing one by one, and is cut or set aside, so that the others go on.
 *
 * One relay per database is active, by an advisory lock of its own session. Only a relay that has a channel takes the
 * lock, and one that loses its channel gives the lock up, so that a replica that reaches both the database and the
 * broker is active. It is written by hand because the usual publisher of an outbox, change data capture, is one more
 * system to run.
 */
export class Relay implements Part {
  readonly #options: RelayOptions;
  readonly #exchange: string;
  readonly #routes: Routes;
  readonly #lag = meter().createObservableGauge('saleschannel.outbox.lag', {
    unit: 's',
    description: 'Age of the oldest event that is not published yet',
  });
  readonly #refused = meter().createObservableGauge('saleschannel.outbox.refused', {
    description: 'Events that the broker refused for good and that were set aside',
  });
  readonly #retention = new RefusedRetention();
  readonly #sent = meter().createCounter('messaging.client.sent.messages', {
    unit: '{message}',
    description: 'Messages of the outbox that the broker has confirmed',
  });
  /** Rows that let others go first, with the time until which they do. */
  readonly #heldBack = new Map<string, number>();
  /** Types that cannot be published yet, for want of a queue. Those behind them in the outbox go first. */
  #blocked = new Set<string>();
  /** Rows that the broker has. They are deleted when the next ones are read. */
  readonly #published: string[] = [];
  #channel: ConfirmChannel | undefined;
  /** Why the broker closed the last channel, as a number of AMQP. */
  #fault: { readonly code: number; readonly message: string } | undefined;
  /** The broker closed the channel over one of several messages: it is looked for. */
  #isLooking = false;
  #client: PreparingClient | undefined;
  #isActive = false;
  #floor: OutboxFloor;
  /** Since when there is no channel, on the `performance.now()` clock. */
  #withoutChannelSince: number | undefined = performance.now();
  #running: Promise<void> | undefined;
  #isStopping = false;
  #isNotified = false;
  #unregister: () => void = () => undefined;
  #wake: () => void = () => undefined;
  #waiters: (() => void)[] = [];

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#floor = new OutboxFloor(options.floor);
    this.#exchange = names(options.broker.namespace).exchange;
    this.#routes = new Routes(options.broker);
    options.broker.use((channel) => this.#attach(channel));
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
    await this.#client?.run(deleteRows(this.#published)).catch(() => undefined);
    await this.#client?.end().catch(() => undefined);
  }

  /** Resolves when a round that began after this call has seen the outbox empty. For tests. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#look();
    });
  }

  /** There may be something to publish. */
  readonly #look = (): void => {
    this.#isNotified = true;
    this.#wake();
  };

  readonly #observeLag = async (result: ObservableResult): Promise<void> => {
    const [row] = (await this.#client?.run<{ lag: string }>(readLag(this.#floor.value)).catch(() => undefined)) ?? [];
    if (row) result.observe(Number(row.lag));
  };

  readonly #observeRefused = async (result: ObservableResult): Promise<void> => {
    const [row] = (await this.#client?.run<{ refused: number }>(countRefused).catch(() => undefined)) ?? [];
    if (row) result.observe(row.refused);
  };

  #attach(channel: ConfirmChannel): Promise<void> {
    channel.on('error', ({ code, message }: Error & { code?: number }) => {
      if (code !== undefined) this.#fault = { code, message };
    });
    channel.on('close', () => {
      if (this.#channel !== channel) return;
      this.#channel = undefined;
      this.#withoutChannelSince = performance.now();
    });
    this.#channel = channel;
    this.#withoutChannelSince = undefined;
    this.#fault = undefined;
    this.#routes.forget();
    this.#wake();
    return Promise.resolve();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#pause(await this.#work());
      } catch (error) {
        if (!this.#isStopping) this.#options.logger.warn(`outbox relay: ${(error as Error).message}`);
        this.#unregister();
        await this.#client?.end().catch(() => undefined);
        this.#client = undefined;
        this.#isActive = this.#isNotified = false;
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** Publishes a round if it can. Returns the pause before the next one. */
  async #work(): Promise<number> {
    this.#client ??= await this.#connect();
    this.#isNotified = false;
    const channel = this.#channel;
    if (!channel) return this.#workWithoutChannel(this.#client);
    if (!this.#isActive && !(await this.#takeOver(this.#client))) return STANDBY_MS;
    await this.#retention.removeIfDue(this.#client);
    await this.#floor.advanceIfDue(this.#client);
    const asked = this.#waiters.length;
    const { ahead, left, isAll } = await this.#publishRound(this.#client, channel);
    const isWaiting = this.#blocked.size > 0 || this.#heldBack.size > 0;
    if (ahead === 0 && !isWaiting) for (const resolve of this.#waiters.splice(0, asked)) resolve();
    if (left > 0 || (ahead === 0 && isWaiting)) return RETRY_MS;
    if (isAll && this.#published.length > 0 && this.#waiters.length === 0) return DELETE_WITHIN_MS;
    // Whoever has committed since has woken this relay.
    if (isAll && this.#waiters.length === 0) return isWaiting ? RETRY_MS : POLL_MS;
    return 0;
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
    this.#floor = new OutboxFloor(this.#options.floor);
    await client.run(listen);
    this.#unregister = registerPublishing(this.#options.databaseUrl, this.#look);
    return true;
  }

  /** Keeps the session, which tells how much waits, and leaves the lock to a replica that has a channel. */
  async #workWithoutChannel(client: PreparingClient): Promise<number> {
    const since = this.#withoutChannelSince ?? performance.now();
    if (this.#isActive && performance.now() - since > WITHOUT_CHANNEL_AT_MOST_MS) {
      this.#unregister();
      this.#isActive = false;
      this.#options.logger.warn('outbox relay: no channel to the broker; leaving the outbox to other replicas');
      // What the broker has is not to be published again.
      if (this.#published.length > 0) await client.run(deleteRows(this.#published.splice(0)));
      await client.run(unlisten);
      await client.run(unlock);
    } else await client.run(SIGN_OF_LIFE);
    return RETRY_MS;
  }

  async #findBlocked(types: Iterable<string>): Promise<Set<string>> {
    const found = new Set<string>();
    for (const type of types) if (!(await this.#routes.areThere(type))) found.add(type);
    return found;
  }

  async #publishRound(client: PreparingClient, channel: ConfirmChannel): Promise<Round> {
    this.#blocked = await this.#findBlocked(this.#blocked);
    const now = performance.now();
    for (const [id, until] of this.#heldBack) if (until <= now) this.#heldBack.delete(id);
    const rows = await this.#readOn(client);
    const closed = await this.#findBlocked(new Set(rows.map((row) => row.type)));
    for (const type of closed) {
      this.#blocked.add(type);
      this.#options.logger.warn(`outbox relay: ${type} waits until every queue it must reach is declared`);
    }
    const publishable = rows.filter((row) => !closed.has(row.type));
    const isLooking = this.#isLooking;
    const done = await withSignsOfLife(client, () =>
      isLooking ? this.#publishOneByOne(client, channel, publishable) : this.#publishTogether(channel, publishable),
    );
    this.#published.push(...done);
    if (done.length > 0) this.#sent.add(done.length, PUBLISHING);
    if (this.#fault) this.#isLooking = true;
    else if (isLooking && channel === this.#channel) this.#isLooking = false;
    const ahead = rows[0]?.ahead ?? 0;
    const isAll = ahead === rows.length && ahead < MESSAGES_PER_ROUND;
    return { ahead, left: rows.length - done.length, isAll };
  }

  /** Deletes what the broker has, and reads what comes next. */
  async #readOn(client: PreparingClient): Promise<ReadRow[]> {
    const published = [...this.#published];
    const { results, fault } = await client.together([
      ...(published.length > 0 ? [deleteRows(published)] : []),
      readRows(this.#blocked, this.#heldBack.keys(), this.#floor.value),
    ]);
    if (fault) throw fault;
    this.#published.splice(0, published.length);
    const rows = (results.at(-1)?.rows ?? []) as ReadRow[];
    this.#floor.saw(rows);
    return rows;
  }

  /** Returns the ids of what the broker has. */
  async #publishTogether(channel: ConfirmChannel, rows: readonly OutboxRow[]): Promise<string[]> {
    const outcomes = await Promise.allSettled(rows.map((row) => this.#publish(channel, row)));
    return rows.filter((_row, index) => outcomes[index]?.status === 'fulfilled').map((row) => row.id);
  }

  /**
   * Stops at a row for which the broker closes the channel. Nothing else is on its way then, so the row is the cause.
   */
  async #publishOneByOne(
    client: PreparingClient,
    channel: ConfirmChannel,
    rows: readonly OutboxRow[],
  ): Promise<string[]> {
    const done: string[] = [];
    for (const row of rows) {
      const isTaken = await this.#publish(channel, row).then(
        () => true,
        () => false,
      );
      if (isTaken) done.push(row.id);
      if (channel === this.#channel) continue;
      if (!isTaken && this.#fault) await this.#takeAway(client, row, this.#fault);
      break;
    }
    return done;
  }

  /** Lets the others go on. A message of several entries may only be too large as a whole. */
  async #takeAway(
    client: PreparingClient,
    { id, type, body }: OutboxRow,
    { code, message: reason }: { code: number; message: string },
  ): Promise<void> {
    const about = { outboxId: id, type, bytes: Buffer.byteLength(body), reason };
    if (code !== PRECONDITION_FAILED) {
      this.#options.logger.error(about, 'outbox relay: the broker does not take an event; others go first');
      if (this.#heldBack.size < HELD_BACK_AT_MOST) this.#heldBack.set(id, performance.now() + HELD_BACK_MS);
      return;
    }
    const smaller = smallerBodiesOf(body);
    if (smaller) {
      this.#options.logger.warn(about, 'outbox relay: the broker refuses a message; its entries go in smaller ones');
      await client.run(replaceRow(id, smaller));
      return;
    }
    this.#options.logger.error(about, 'outbox relay: the broker refuses an event for good; it is in outbox_refused');
    await client.run(setRowAside(id, reason));
  }

  /** A broadcast reaches whoever listens, which may be nobody. */
  async #publish(channel: ConfirmChannel, { type, body }: OutboxRow): Promise<void> {
    const mandatory = isIntegrationEventType(type) && queuesOf(type).length > 0;
    const properties = { type, mandatory, appId: this.#options.service };
    const routingKey = routingKeyOf(type, partitionIn(body));
    await publishConfirmed(channel, { exchange: this.#exchange, routingKey }, Buffer.from(body), properties);
  }
}

/** The relay of a service's own outbox. */
export const createServiceRelay = (
  service: string,
  values: Values<typeof databaseEnvironment>,
  broker: Broker,
  logger: Logger,
): Relay => new Relay({ databaseUrl: databaseUrl(values), broker, service, logger });
