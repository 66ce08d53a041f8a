import { Migration } from '@mikro-orm/migrations';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { IntegrationEvent, IntegrationEventType, TransferReported } from '@saleschannel/contracts';
import { openDatabase, query, type Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Logger } from '@saleschannel/runtime';
import { createTestDatabase, testBrokerUrl, type TestDatabase } from '@saleschannel/testing';
import {
  createBroker,
  createConsumer,
  enqueue,
  outboxSchema,
  type Broker,
  type Consumer,
  type Entry,
} from '../src/index.ts';
import { names } from '../src/topology.ts';

export const REPORTED = 'inventory.transfer.reported.v1';

class Migration20260101000001_test extends Migration {
  override up(): void {
    this.addSql(outboxSchema);
    this.addSql('create table effect (task_id text primary key)');
  }
}

export interface Stage {
  readonly databaseUrl: string;
  readonly database: Database;
  sql<Row extends object>(text: string, params?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database with an outbox, and a table for the effects of messages. */
export async function createStage(): Promise<Stage> {
  const created: TestDatabase = await createTestDatabase();
  const database = await openTestDatabase(created.url);
  await database.migrate();
  return {
    databaseUrl: created.url,
    database,
    sql: (text, params) => query(database.em(), text, params),
    async drop() {
      await database.close();
      await created.drop();
    },
  };
}

export const openTestDatabase = (url: string): Promise<Database> =>
  openDatabase({ url, poolMax: 4, entities: [], migrations: [Migration20260101000001_test], logger: silentLogger });

export const reported = (taskId = newId()): TransferReported => ({
  taskId,
  outcome: 'SUCCESS',
  transactionId: newId(),
  reason: null,
  traceparent: '',
});

/** Commits one message per entry. */
export async function commit<T extends IntegrationEventType>(
  database: Database,
  type: T,
  entries: IntegrationEvent<T>[],
): Promise<void> {
  await database.transaction(async (em) => {
    for (const entry of entries) await enqueue(em, type, [entry]);
  });
}

export const brokerOf = (namespace: string, url = testBrokerUrl(), logger: Logger = silentLogger): Broker =>
  createBroker({ url, namespace, service: 'test', logger });

/** A logger that keeps its warnings and errors. */
export function recordingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const record = (...args: unknown[]): void => void lines.push(args.map(String).join(' '));
  return {
    logger: { ...silentLogger, debug: () => undefined, info: () => undefined, warn: record, error: record } as never,
    lines,
  };
}

export interface Listening {
  readonly heard: Entry<typeof REPORTED | 'inventory.transaction.status-changed.v1'>[];
  readonly consumer: Consumer;
  stop(): Promise<void>;
}

/** Consumes 'tasks.outcomes'. */
export async function consume(options: {
  namespace: string;
  url?: string;
  logger?: Logger;
  batchEntriesAtMost?: number;
  handle?(entries: Listening['heard']): Promise<void>;
}): Promise<Listening> {
  const heard: Listening['heard'] = [];
  const broker = brokerOf(options.namespace, options.url, options.logger);
  const consumer = createConsumer({
    broker,
    queue: 'tasks.outcomes',
    prefetch: 50,
    batchEntriesAtMost: options.batchEntriesAtMost ?? 100,
    logger: options.logger ?? silentLogger,
    async handle(entries) {
      await options.handle?.(entries);
      heard.push(...entries);
    },
  });
  await consumer.start();
  await broker.start();
  return {
    heard,
    consumer,
    async stop() {
      await consumer.stop();
      await broker.stop();
    },
  };
}

export interface Operator {
  readonly channel: ConfirmChannel;
  /** How many messages wait; undefined when there is no such queue. */
  waiting(queue: string): Promise<number | undefined>;
  send(type: string, body: string): Promise<void>;
  stop(): Promise<void>;
}

/** Someone with all rights on the broker. */
export async function startOperator(namespace: string): Promise<Operator> {
  const connection: ChannelModel = await connect(testBrokerUrl());
  const channel = await connection.createConfirmChannel();
  return {
    channel,
    async waiting(queue) {
      const probe = await connection.createChannel();
      probe.on('error', () => undefined);
      const state = await probe.checkQueue(queue).catch(() => undefined);
      if (state) await probe.close();
      return state?.messageCount;
    },
    async send(type, body) {
      channel.publish(names(namespace).exchange, type === '' ? REPORTED : type, Buffer.from(body), {
        type,
        persistent: true,
      });
      await channel.waitForConfirms();
    },
    stop: () => connection.close(),
  };
}
