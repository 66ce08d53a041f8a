import { openDatabase, query } from '@saleschannel/database';
import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { services } from '@saleschannel/contracts';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import {
  asUser,
  callAs,
  eventually,
  startPublisher,
  startTestService,
  testNamespace,
  type TestService,
} from '@saleschannel/testing';
import type { Event__Output } from '@saleschannel/contracts/gen/events/v1/Event';
import type { Filter } from '@saleschannel/contracts/gen/events/v1/Filter';
import { service } from '../src/app.ts';

const TYPE = 'inventory.transaction.status-changed.v1';

export const statusChange = (
  salesChannelId: string,
  fields: Partial<TransactionStatusChanged> = {},
): TransactionStatusChanged => ({
  eventId: newId(),
  salesChannelId,
  transactionId: newId(),
  taskId: newId(),
  status: 'SUCCESS',
  reason: null,
  effectiveAt: '2025-03-04T10:02:12.047Z',
  traceparent: '',
  ...fields,
});

/** Publishes envelopes the way the ledger's relay does. */
export interface Ledger {
  publish(changes: TransactionStatusChanged[]): Promise<void>;
}

export interface Log {
  readonly ledger: Ledger;
  readonly service: TestService;
  readonly namespace: string;
  list(
    salesChannelId: string,
    request: { filter?: Filter; limit?: number; descending?: boolean },
  ): Promise<Event__Output[]>;
  /** The whole log of a channel once it holds this many events. */
  filled(salesChannelId: string, count: number): Promise<Event__Output[]>;
  sql<Row extends object>(text: string, params?: unknown[]): Promise<Row[]>;
  /** Another process on the same database and queue. */
  replica(): Promise<void>;
  stop(): Promise<void>;
}

export async function startLog(): Promise<Log> {
  const namespace = testNamespace();
  const first = await startTestService(service, { namespace });
  const publisher = await startPublisher(namespace);
  const gateway = await callAs('gateway', services.events, first.address);
  const database = await openDatabase({
    url: first.databaseUrl,
    poolMax: 2,
    entities: [],
    migrations: [],
    logger: silentLogger,
  });
  const replicas: TestService[] = [];
  const log: Log = {
    ledger: { publish: (changes) => publisher.publish(TYPE, changes) },
    service: first,
    namespace,
    async list(salesChannelId, request) {
      const { events } = await gateway.ListEvents(
        { limit: 1000, ...request },
        await asUser(salesChannelId, ['EVENT_VIEWER']),
      );
      return events;
    },
    async filled(salesChannelId, count) {
      await eventually(async () => {
        const rows = await log.sql<{ count: number }>(
          'select count(*)::int as count from event where sales_channel_id = ?',
          [salesChannelId],
        );
        return (rows[0]?.count ?? 0) >= count;
      }, `${count} events`);
      const events: Event__Output[] = [];
      for (;;) {
        const last = events.at(-1)?.createdAt;
        const page = await log.list(salesChannelId, last === undefined ? {} : { filter: { createdAtGt: last } });
        events.push(...page);
        if (page.length < 1000) return events;
      }
    },
    sql: (text, params) => query(database.em(), text, params),
    async replica() {
      replicas.push(await startTestService(service, { namespace, databaseUrl: first.databaseUrl }));
    },
    async stop() {
      gateway.close();
      await publisher.stop();
      await database.close();
      for (const replica of replicas) await replica.stop();
      await first.stop();
    },
  };
  return log;
}
