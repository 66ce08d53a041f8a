import { randomBytes } from 'node:crypto';
import type { Role } from '@saleschannel/auth';
import { invalidRequest, unavailable } from '@saleschannel/errors';
import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import { newId, parseInstant, systemClock, type Clock } from '@saleschannel/primitives';
import {
  asUser,
  callAs,
  eventually,
  neighbour,
  removeMarkers,
  startNeighbours,
  startTestService,
  type TestService,
} from '@saleschannel/testing';
import { createService } from '../../src/app.ts';
import type { Resolve } from '../../src/delivering/resolver.ts';

interface TestClock extends Clock {
  advance(ms: number): void;
}

/** Creates a running clock that tests can advance. */
function testClock(): TestClock {
  let aheadMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    advance: (ms) => void (aheadMs += ms),
  };
}

export type Endpoint = ReplyOf<'webhooks.GetEndpoint'>;
export type Delivery = ReplyOf<'webhooks.TestEndpoint'>;
type Event = ReplyOf<'eventLog.ReadLog'>['events'][number];

const ALL_ROLES: Role[] = ['ROLE_ADMINISTRATOR', 'EVENT_VIEWER'];

/** Event logs of all channels. */
export interface Log {
  /** Records events one millisecond apart, advances the clock to the last, and returns their ids. */
  append(salesChannelId: string, count: number): string[];
  events(salesChannelId: string): readonly Event[];
  /** Makes the log unreadable. */
  setDown(isDown: boolean): void;
  /** Counts reads that failed because the log was down. */
  refused(): number;
}

function testLog(clock: TestClock) {
  const logs = new Map<string, Event[]>();
  let isDown = false;
  let refused = 0;
  const requireUp = (): void => {
    if (isDown) throw unavailable(new Error('down'));
  };
  const log: Log = {
    events: (channel) => logs.get(channel) ?? [],
    setDown: (down) => void (isDown = down),
    refused: () => refused,
    append(channel, count) {
      const events = logs.get(channel) ?? [];
      logs.set(channel, events);
      const last = Date.parse(events.at(-1)?.createdAt ?? '2026-01-01T00:00:00Z');
      const now = clock.now().getTime();
      const first = Math.max(now, last + 1);
      clock.advance(Math.max(0, first + count - 1 - now));
      return Array.from({ length: count }, (_, index) => {
        const createdAt = new Date(first + index).toISOString();
        const event = { eventType: 'TRANSACTION_STATUS_CHANGE', createdAt, eventAt: createdAt, status: 'SUCCESS' };
        const id = newId();
        events.push({ ...event, id, transactionId: newId() });
        return id;
      });
    },
  };
  const served = neighbour('eventLog', ['webhooks'], {
    ReadLog({ salesChannelId, after, before, limit, withPrevious }) {
      if (isDown) refused += 1;
      requireUp();
      if ([after, before].some((bound) => bound !== undefined && !parseInstant(bound)))
        throw invalidRequest('The log cannot be read this way.');
      const all = log.events(salesChannelId);
      const from = after === undefined ? 0 : all.findIndex((event) => event.createdAt > after);
      const beyond = before === undefined ? -1 : all.findIndex((event) => event.createdAt >= before);
      const events = from === -1 ? [] : all.slice(from, beyond === -1 ? undefined : beyond).slice(0, limit);
      const previous = withPrevious && events.length > 0 ? all[from - 1]?.id : undefined;
      return Promise.resolve({ events, ...(previous === undefined ? {} : { previousEventId: previous }) });
    },
    GetHeads({ salesChannelIds }) {
      requireUp();
      const heads = salesChannelIds.flatMap((salesChannelId) => {
        const last = log.events(salesChannelId).at(-1);
        return last ? [{ salesChannelId, createdAt: last.createdAt }] : [];
      });
      return Promise.resolve({ heads });
    },
  });
  return { log, served };
}

export interface Webhooks {
  readonly service: TestService;
  readonly clock: TestClock;
  readonly log: Log;
  as(salesChannelId: string, roles?: readonly Role[]): Promise<{ principalToken: string }>;
  readonly gateway: Awaited<ReturnType<typeof callAs<'webhooks'>>>;
  readonly sandbox: Awaited<ReturnType<typeof callAs<'endpointSandbox'>>>;
  create(
    salesChannelId: string,
    fields: Partial<SentTo<'webhooks.CreateEndpoint'>>,
  ): Promise<{ endpoint: Endpoint; secret: string }>;
  get(salesChannelId: string, endpointId: string): Promise<Endpoint>;
  update(salesChannelId: string, request: SentTo<'webhooks.UpdateEndpoint'>): Promise<Endpoint>;
  deliveries(
    salesChannelId: string,
    endpointId: string,
    filter?: SentTo<'webhooks.ListDeliveries'>['filter'],
  ): Promise<Delivery[]>;
  getDelivery(salesChannelId: string, endpointId: string, deliveryId: string): Promise<ReplyOf<'webhooks.GetDelivery'>>;
  /** Waits until no delivery is pending and the position is at the end of the log. */
  waitUntilCaughtUp(salesChannelId: string, endpointId: string): Promise<Endpoint>;
  /** Starts another replica on the same database. */
  startReplica(): Promise<TestService>;
  stop(): Promise<void>;
}

export const testSealingKey = (): string => randomBytes(32).toString('base64url');

export async function startWebhooks(settings: Record<string, string> = {}, resolve?: Resolve): Promise<Webhooks> {
  const clock = testClock();
  const { log, served } = testLog(clock);
  const events = await startNeighbours(served);
  const variables = {
    EVENTS_ADDRESS: events.address,
    WEBHOOK_SECRET_KEYS: testSealingKey(),
    WEBHOOK_PRIVATE_TARGETS: 'allowed',
    ...settings,
  };
  const service = createService(clock, resolve);
  const running = await startTestService(service, { variables });
  const gateway = await callAs('gateway', 'webhooks', running.address);
  const sandbox = await callAs('sandbox', 'endpointSandbox', running.address);
  const as = (salesChannelId: string, roles: readonly Role[] = ALL_ROLES) => asUser(salesChannelId, roles);
  const replicas: TestService[] = [];
  const webhooks: Webhooks = {
    service: running,
    clock,
    log,
    as,
    gateway,
    sandbox,
    async create(channel, fields) {
      const settings = { url: 'https://hooks.example/in', eventTypes: [], ordered: false, ...fields };
      const { endpoint, secret } = removeMarkers(await gateway.CreateEndpoint(settings, await as(channel)));
      if (!endpoint) throw new Error('The answer has no endpoint.');
      return { endpoint, secret };
    },
    get: async (channel, endpointId) => removeMarkers(await gateway.GetEndpoint({ endpointId }, await as(channel))),
    update: async (channel, request) => removeMarkers(await gateway.UpdateEndpoint(request, await as(channel))),
    async deliveries(channel, endpointId, filter = null) {
      const all: Delivery[] = [];
      for (let after: string | undefined; ;) {
        const page = { limit: 1_000, offset: 0, ...(after === undefined ? {} : { after }) };
        const request = { endpointId, filter, ascending: true, page };
        const { deliveries, next } = removeMarkers(await gateway.ListDeliveries(request, await as(channel)));
        all.push(...deliveries);
        if (next === undefined) return all;
        after = next;
      }
    },
    getDelivery: async (channel, endpointId, deliveryId) =>
      removeMarkers(await gateway.GetDelivery({ endpointId, deliveryId }, await as(channel))),
    waitUntilCaughtUp: (channel, endpointId) =>
      eventually(async () => {
        const endpoint = await webhooks.get(channel, endpointId);
        const last = log.events(channel).at(-1)?.id;
        return endpoint.pendingDeliveries === 0 && !endpoint.replay && endpoint.position?.eventId === last && endpoint;
      }, 'everything was delivered'),
    async startReplica() {
      const started = await startTestService(service, { variables, databaseUrl: running.databaseUrl });
      replicas.push(started);
      return started;
    },
    async stop() {
      gateway.close();
      sandbox.close();
      for (const replica of replicas) await replica.stop();
      await running.stop();
      await events.stop();
    },
  };
  return webhooks;
}
