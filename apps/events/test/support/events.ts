import type { TransactionStatusChanged } from '@saleschannel/contracts';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import {
  asUser,
  removeMarkers,
  callAs,
  collect,
  eventually,
  startPublisher,
  startTestService,
  testNamespace,
  type TestService,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';

const TYPE = 'inventory.transaction.status-changed.v1';
const EVENTS_PER_PAGE = 1_000;

export type Event = ReplyOf<'events.ListEvents'>['events'][number];
type ListRequest = SentTo<'events.ListEvents'>;

export type Progress = ReplyOf<'ledgerProgress.GetLedgerProgress'>['channels'][number];

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

export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
/** Recording times, in milliseconds since the epoch. */
export const timesOf = (list: readonly { createdAt: string }[]): number[] =>
  list.map(({ createdAt }) => Date.parse(createdAt));

export interface Events {
  readonly service: TestService;
  readonly namespace: string;
  /** Publishes one envelope, as the ledger's relay does. */
  publish(changes: readonly TransactionStatusChanged[]): Promise<void>;
  /** Reads the ledger progress of a channel. */
  progress(salesChannelId: string): Promise<Progress | undefined>;
  list(salesChannelId: string, request?: ListRequest): Promise<Event[]>;
  /** Waits until the log of a channel has this number of events, and reads it. */
  filled(salesChannelId: string, count: number): Promise<Event[]>;
  /** Starts another process on the same database and queue. */
  replica(): Promise<TestService>;
  stop(): Promise<void>;
}

/** @param variables further variables of the service */
export async function startEvents(variables: Record<string, string> = {}): Promise<Events> {
  const namespace = testNamespace();
  const running = await startTestService(service, { namespace, variables });
  const publisher = await startPublisher(namespace);
  const gateway = await callAs('gateway', 'events', running.address);
  const inventory = await callAs('inventory', 'ledgerProgress', running.address, 'events');
  const replicas: TestService[] = [];

  async function countOf(salesChannelId: string): Promise<number> {
    const text = 'select count(*)::int as count from event where sales_channel_id = $1';
    const [row] = await running.sql<{ count: number }>(text, [salesChannelId]);
    return row?.count ?? 0;
  }

  const log: Events = {
    service: running,
    namespace,
    publish: (changes) => publisher.publish(TYPE, changes),
    async progress(salesChannelId) {
      const messages = await collect(inventory.GetLedgerProgress({ salesChannelId }));
      return messages.flatMap(({ channels }) => channels)[0];
    },
    async list(salesChannelId, request) {
      const asViewer = await asUser(salesChannelId, ['EVENT_VIEWER']);
      return removeMarkers(await gateway.ListEvents({ limit: EVENTS_PER_PAGE, ...request }, asViewer)).events;
    },
    async filled(salesChannelId, count) {
      await eventually(async () => (await countOf(salesChannelId)) >= count, `${count} events`);
      const events: Event[] = [];
      for (;;) {
        const last = events.at(-1);
        const page = await log.list(salesChannelId, last && { filter: { createdAtGt: last.createdAt } });
        events.push(...page);
        if (page.length < EVENTS_PER_PAGE) return events;
      }
    },
    async replica() {
      const started = await startTestService(service, { namespace, variables, databaseUrl: running.databaseUrl });
      replicas.push(started);
      return started;
    },
    async stop() {
      gateway.close();
      inventory.close();
      await publisher.stop();
      for (const replica of replicas) await replica.stop();
      await running.stop();
    },
  };
  return log;
}
