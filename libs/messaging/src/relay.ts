import type { Client } from 'pg';
import type { ConfirmChannel } from 'amqplib';
import { isIntegrationEventType } from '@saleschannel/contracts';
import { createConnection, raw, sql, type databaseEnvironment, type Patience, type Sql } from '@saleschannel/database';
import { meter, type Logger, type ObservableResult, type Part, type Values } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { publishConfirmed } from './confirmed.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';
import { Routes } from './routes.ts';
import { names, queuesOf } from './topology.ts';

export interface RelayOptions {
  databaseUrl: string;
  broker: Broker;
  service: string;
  logger: Logger;
  /** Tests shorten it, and the next one. */
  patience?: Partial<Patience>;
  silentAtMostMs?: number;
}

const MESSAGES_PER_ROUND = 100;
/** NOTIFY wakes the relay. This is for what was committed while it was not listening. */
const POLL_MS = 1_000;
const STANDBY_MS = 1_000;
const RETRY_MS = 500;
/**
 * A relay asks something every POLL_MS. One that is silent for so long stands still, as a frozen process does, and its
 * session ends, so that another replica gets the lock.
 */
const SILENT_AT_MOST_MS = 20_000;
const SIGN_OF_LIFE_MS = 5_000;
/** Key of the advisory lock that keeps the relay single. Locks belong to one database, hence one constant. */
const RELAY_LOCK = 7_301_001;

const readLag = sql`
  select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::text as lag from outbox`;
const tryLock = sql`select pg_try_advisory_lock(${RELAY_LOCK}) as "isLocked"`;
const listen = sql`listen ${raw(OUTBOX_CHANNEL)}`;
const readRows = (without: ReadonlySet<string>): Sql => sql`
  select id, type, body from outbox where type <> all(${[...without]}::text[])
  order by id limit ${raw(String(MESSAGES_PER_ROUND))}`;
const deleteRows = (ids: readonly string[]): Sql => sql`delete from outbox where id = any(${ids}::bigint[])`;

interface OutboxRow {
  id: string;
  type: string;
  body: string;
}

/**
 * Publishes what the outbox holds. It reads rows by state, never by cursor, publishes with confirms, and deletes a row
 * only after the broker has it. One relay per database is active, by an advisory lock of its own connection. After a
 * crash the next replica takes over. It is written by hand because what publishes an outbox otherwise, change data
 * capture, is one more system to run.
 */
export class Relay implements Part {
  readonly #options: RelayOptions;
  readonly #exchange: string;
  readonly #routes: Routes;
  readonly #lag = meter().createObservableGauge('outbox_lag_seconds', {
    description: 'Age of the oldest event that is not published yet',
  });
  /** Types that cannot be published yet, for want of a queue. Those behind them in the outbox go first. */
  #blocked = new Set<string>();
  #channel: ConfirmChannel | undefined;
  #client: Client | undefined;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #isNotified = false;
  #wake: () => void = () => undefined;
  #waiters: (() => void)[] = [];

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#exchange = names(options.broker.namespace).exchange;
    this.#routes = new Routes(options.broker);
    options.broker.use((channel) => this.#attach(channel));
  }

  start(): Promise<void> {
    this.#lag.addCallback(this.#observeLag);
    this.#running = this.#run();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#running;
    this.#lag.removeCallback(this.#observeLag);
    this.#waiters = [];
    await this.#client?.end().catch(() => undefined);
  }

  /** Resolves when the outbox has been seen empty. For tests. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#isNotified = true;
      this.#wake();
    });
  }

  readonly #observeLag = async (result: ObservableResult): Promise<void> => {
    const answer = await this.#client?.query<{ lag: string }>(readLag).catch(() => undefined);
    const [row] = answer?.rows ?? [];
    if (row) result.observe(Number(row.lag), { service: this.#options.service });
  };

  #attach(channel: ConfirmChannel): Promise<void> {
    channel.on('close', () => {
      if (this.#channel === channel) this.#channel = undefined;
    });
    this.#channel = channel;
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
        await this.#client?.end().catch(() => undefined);
        this.#client = undefined;
        this.#isNotified = false;
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** Publishes a round if it can. Returns how long to wait before the next one. */
  async #work(): Promise<number> {
    this.#client ??= await this.#connectAndLock();
    this.#isNotified = false;
    if (!this.#client) return STANDBY_MS;
    if (!this.#channel) return RETRY_MS;
    const { read, left } = await this.#publishRound(this.#client, this.#channel);
    if (read === 0 && this.#blocked.size === 0) for (const resolve of this.#waiters.splice(0)) resolve();
    if (left > 0 || this.#blocked.size > 0) return RETRY_MS;
    return read < MESSAGES_PER_ROUND ? POLL_MS : 0;
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

  /** Undefined while another replica holds the lock. */
  async #connectAndLock(): Promise<Client | undefined> {
    const { databaseUrl, service, patience = {}, silentAtMostMs = SILENT_AT_MOST_MS } = this.#options;
    const client = createConnection(databaseUrl, {
      applicationName: `${service}-relay`,
      settings: [`idle_session_timeout=${silentAtMostMs}`],
      patience,
    });
    client.on('notification', () => {
      this.#isNotified = true;
      this.#wake();
    });
    await client.connect();
    const lock = await client.query<{ isLocked: boolean }>(tryLock);
    if (!lock.rows[0]?.isLocked) {
      await client.end();
      return undefined;
    }
    await client.query(listen);
    return client;
  }

  async #findBlocked(types: Iterable<string>): Promise<Set<string>> {
    const found = new Set<string>();
    for (const type of types) if (!(await this.#routes.areThere(type))) found.add(type);
    return found;
  }

  /** How many rows a round read, and how many of these are still there because the broker would not take them. */
  async #publishRound(client: Client, channel: ConfirmChannel): Promise<{ read: number; left: number }> {
    this.#blocked = await this.#findBlocked(this.#blocked);
    const { text, values } = readRows(this.#blocked);
    const { rows } = await client.query<OutboxRow>({ name: 'outbox', text, values });
    const closed = await this.#findBlocked(new Set(rows.map((row) => row.type)));
    for (const type of closed) {
      this.#blocked.add(type);
      this.#options.logger.warn(`outbox relay: ${type} waits until every queue it must reach is declared`);
    }
    const publishable = rows.filter((row) => !closed.has(row.type));
    const outcomes = await withSignsOfLife(client, () =>
      Promise.allSettled(publishable.map((row) => this.#publish(channel, row))),
    );
    const done = publishable.filter((_row, index) => outcomes[index]?.status === 'fulfilled').map((row) => row.id);
    if (done.length > 0) await client.query(deleteRows(done));
    return { read: rows.length, left: rows.length - done.length };
  }

  /** A broadcast reaches whoever listens, which may be nobody. */
  async #publish(channel: ConfirmChannel, { type, body }: OutboxRow): Promise<void> {
    const mandatory = isIntegrationEventType(type) && queuesOf(type).length > 0;
    const properties = { type, mandatory, appId: this.#options.service };
    await publishConfirmed(channel, { exchange: this.#exchange, routingKey: type }, Buffer.from(body), properties);
  }
}

/** While the broker takes its time, the session shows that the relay is there. */
async function withSignsOfLife<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void client.query('select').catch(() => undefined), SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The relay of a service's own outbox. */
export const createServiceRelay = (
  service: string,
  values: Values<typeof databaseEnvironment>,
  broker: Broker,
  logger: Logger,
): Relay => new Relay({ databaseUrl: values.DATABASE_URL, broker, service, logger });
