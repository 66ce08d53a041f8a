import { Client } from 'pg';
import type { ConfirmChannel } from 'amqplib';
import { isIntegrationEventType } from '@saleschannel/contracts';
import { meter, type Logger, type Part } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';
import { createRoutes } from './routes.ts';
import { names, queuesOf } from './topology.ts';

export interface RelayOptions {
  databaseUrl: string;
  broker: Broker;
  service: string;
  logger: Logger;
}

export interface Relay extends Part {
  /** Resolves when the outbox has been seen empty; for tests. */
  drained(): Promise<void>;
}

const MESSAGES_PER_ROUND = 100;
/** NOTIFY wakes the relay; this is for what was committed while it was not listening. */
const POLL_MS = 1_000;
const STANDBY_MS = 1_000;
const RETRY_MS = 500;
const timeouts = { connectionTimeoutMillis: 5_000, query_timeout: 30_000 };
/** Key of the advisory lock that keeps the relay single: one lock space per database, hence one constant. */
const RELAY_LOCK = 7_301_001;

const readRows = `select id, type, body from outbox where type <> all($1::text[]) order by id limit ${MESSAGES_PER_ROUND}`;

interface Row {
  id: string;
  type: string;
  body: string;
}

/**
 * Publishes what the outbox holds: reads rows by state, never by cursor, publishes with confirms and `mandatory`, and deletes a row only after the
 * broker took it. One relay per database is active, by an advisory lock of its own connection; a crash hands over to the next replica.
 */
export function createRelay(options: RelayOptions): Relay {
  const { exchange } = names(options.broker.namespace);
  let channel: ConfirmChannel | undefined;
  let client: Client | undefined;
  let stopping = false;
  let running: Promise<void> | undefined;
  let wake: () => void = () => undefined;
  let notified = false;
  let waiters: (() => void)[] = [];
  const returned = new Set<string>();
  const routes = createRoutes(options.broker);
  /** Types that cannot be published yet, for want of a queue; those behind them in the outbox go first. */
  let blocked = new Set<string>();

  const lag = meter().createObservableGauge('outbox_lag_seconds', {
    description: 'Age of the oldest event that is not published yet',
  });
  const observe = async (result: { observe(value: number, attributes: { service: string }): void }): Promise<void> => {
    const rows = await client
      ?.query<{ lag: string }>(
        'select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::text as lag from outbox',
      )
      .catch(() => undefined);
    if (rows?.rows[0]) result.observe(Number(rows.rows[0].lag), { service: options.service });
  };

  options.broker.use((fresh) => {
    fresh.on('return', (message) => returned.add(String(message.properties.messageId)));
    fresh.on('close', () => {
      if (channel === fresh) channel = undefined;
    });
    channel = fresh;
    routes.forget();
    wake();
    return Promise.resolve();
  });

  const pause = (ms: number): Promise<void> => {
    if (notified || stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };

  async function connectAndLock(): Promise<Client | undefined> {
    const fresh = new Client({
      connectionString: options.databaseUrl,
      application_name: `${options.service}-relay`,
      keepAlive: true,
      ...timeouts,
    });
    fresh.on('error', () => undefined);
    fresh.on('notification', () => {
      notified = true;
      wake();
    });
    await fresh.connect();
    const lock = await fresh.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [RELAY_LOCK]);
    if (!lock.rows[0]?.locked) {
      await fresh.end();
      return undefined;
    }
    await fresh.query(`listen ${OUTBOX_CHANNEL}`);
    return fresh;
  }

  async function findBlocked(types: Iterable<string>): Promise<Set<string>> {
    const found = new Set<string>();
    for (const type of types) if (!(await routes.areThere(type))) found.add(type);
    return found;
  }

  /** Publishes one round: how many rows it read, and how many of these are still there because the broker would not take them. */
  async function publishRound(database: Client, open: ConfirmChannel): Promise<{ read: number; left: number }> {
    blocked = await findBlocked(blocked);
    const { rows } = await database.query<Row>({ name: 'outbox', text: readRows, values: [[...blocked]] });
    const closed = await findBlocked(new Set(rows.map((row) => row.type)));
    for (const type of closed) {
      blocked.add(type);
      options.logger.warn(`outbox relay: ${type} waits until every queue it shall reach is declared`);
    }
    returned.clear();
    const publishable = rows.filter((row) => !closed.has(row.type));
    const confirmed = await Promise.all(publishable.map((row) => publish(open, row)));
    const done = publishable.filter((row, index) => confirmed[index] && !returned.has(row.id)).map((row) => row.id);
    if (done.length > 0) await database.query('delete from outbox where id = any($1::bigint[])', [done]);
    return { read: rows.length, left: rows.length - done.length };
  }

  const publish = (open: ConfirmChannel, row: Row): Promise<boolean> =>
    new Promise((resolve) => {
      const mandatory = isIntegrationEventType(row.type) && queuesOf(row.type).length > 0;
      const properties = {
        messageId: row.id,
        type: row.type,
        contentType: 'application/json',
        persistent: true,
        mandatory,
        appId: options.service,
      };
      try {
        open.publish(exchange, row.type, Buffer.from(row.body), properties, (error) => resolve(!error));
      } catch {
        resolve(false);
      }
    });

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        client ??= await connectAndLock();
        notified = false;
        if (!client) await pause(STANDBY_MS);
        else if (!channel) await pause(RETRY_MS);
        else {
          const { read, left } = await publishRound(client, channel);
          if (read === 0 && blocked.size === 0) for (const resolve of waiters.splice(0)) resolve();
          if (left > 0 || blocked.size > 0) await pause(RETRY_MS);
          else if (read < MESSAGES_PER_ROUND) await pause(POLL_MS);
        }
      } catch (error) {
        if (!stopping) options.logger.warn(`outbox relay: ${(error as Error).message}`);
        await client?.end().catch(() => undefined);
        client = undefined;
        notified = false;
        await pause(RETRY_MS);
      }
    }
  }

  return {
    start() {
      lag.addCallback(observe);
      running = run();
      return Promise.resolve();
    },
    async stop() {
      stopping = true;
      wake();
      await running;
      lag.removeCallback(observe);
      waiters = [];
      await client?.end().catch(() => undefined);
    },
    drained() {
      return new Promise((resolve) => {
        waiters.push(resolve);
        notified = true;
        wake();
      });
    },
  };
}
