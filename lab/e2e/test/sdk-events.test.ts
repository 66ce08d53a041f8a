import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { SalesChannel } from '@saleschannel/sdk';
import { manyOrFew, startPublisher, type TestPublisher } from '@saleschannel/testing';
import { startFaultyProxy, type FaultyProxy } from './support/faulty-proxy.ts';
import { useOwnSystem } from './support/system.ts';
import { operator } from './support/api.ts';

const EVENTS = manyOrFew(10_000, 2_000);
const WRITERS = 8;
const PER_MESSAGE = 10;
/** Number of events after which a reader stops. */
const EVENTS_PER_RUN = manyOrFew(777, 155);

const system = useOwnSystem({}, { notAudited: 'the events are not from the ledger' });
let proxy: FaultyProxy;
let publisher: TestPublisher;
beforeAll(async () => {
  proxy = await startFaultyProxy(system().baseUrl, 42);
  publisher = await startPublisher(system().namespace);
});
afterAll(async () => {
  await publisher.stop();
  await proxy.stop();
});

const statusChange = (salesChannelId: string) => ({
  eventId: newId(),
  salesChannelId,
  transactionId: newId(),
  taskId: newId(),
  status: 'SUCCESS' as const,
  reason: null,
  effectiveAt: '2025-03-04T10:02:12.047Z',
  traceparent: '',
});

/** Publishes envelope after envelope, like the ledger's relay. */
async function write(salesChannelId: string): Promise<string[]> {
  const written: string[] = [];
  while (written.length < EVENTS / WRITERS) {
    const changes = Array.from({ length: PER_MESSAGE }, () => statusChange(salesChannelId));
    await publisher.publish('inventory.transaction.status-changed.v1', changes);
    written.push(...changes.map(({ eventId }) => eventId));
  }
  return written;
}

test('over an unreliable connection a repeatedly restarted reader sees each event of 8 writers once', async () => {
  const [channel] = system().channels;
  const { id: apiKeyId, secret: passphrase } = operator(channel).apiKey;
  const client = new SalesChannel({
    baseUrl: proxy.url,
    credentials: { apiKeyId, passphrase },
    // Following resumes after failures, so calls may fail too.
    retries: 1,
    random: () => 0,
  });
  const follow = async (life: number): Promise<string[]> => {
    const seen: string[] = [];
    let from: string | undefined;
    while (seen.length < EVENTS) {
      const mayTake = seen.length + life;
      for await (const { event, position } of client.events.iterate({ from, follow: true, pollMs: 10 })) {
        seen.push(event.id);
        from = position;
        if (seen.length === EVENTS || seen.length === mayTake) break;
      }
    }
    return seen;
  };
  const reading = Promise.all([follow(EVENTS), follow(EVENTS_PER_RUN)]);
  const writing = Promise.all(Array.from({ length: WRITERS }, () => write(channel.salesChannelId)));
  const [[seen, seenByMortals], written] = await Promise.all([reading, writing]);
  expect(seen.toSorted()).toEqual(written.flat().toSorted());
  expect(seenByMortals).toEqual(seen);
  expect(Math.min(...Object.values(proxy.faultCounts))).toBeGreaterThan(0);
}, 300_000);
