import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { newId } from '@saleschannel/primitives';
import type { Event__Output } from '@saleschannel/contracts/gen/events/v1/Event';
import { startLog, statusChange, type Log } from './support.ts';

const REPLICAS = 3;
const PUBLISHERS = 6;
const ENVELOPES_PER_PUBLISHER = 40;
const SENT_TWICE_EVERY = 5;

let log: Log;
beforeAll(async () => {
  log = await startLog();
  for (let replica = 1; replica < REPLICAS; replica++) await log.replica();
});
afterAll(() => log.stop());

/** The API's procedure from the beginning: key = last createdAt, gte, skip the repeated event by its id, stop at a page smaller than asked. */
async function* readAll(channel: string, size: number): AsyncGenerator<Event__Output> {
  let last: Event__Output | undefined;
  for (;;) {
    const page = await log.list(channel, { limit: size, filter: last ? { createdAtGte: last.createdAt } : {} });
    for (const event of page) if (event.id !== last?.id) yield event;
    last = page.at(-1) ?? last;
    if (page.length < size) return;
  }
}

/** Follows the log: goes on from the last event whenever a page was small, until it has seen `count` events. */
async function follow(channel: string, size: number, count: number): Promise<string[]> {
  const seen: string[] = [];
  let last: Event__Output | undefined;
  while (seen.length < count) {
    const page = await log.list(channel, { limit: size, filter: last ? { createdAtGte: last.createdAt } : {} });
    for (const event of page) if (event.id !== last?.id) seen.push(event.id);
    last = page.at(-1) ?? last;
  }
  return seen;
}

/** Envelopes of varied sizes for all channels. */
const envelopesOf = (channels: string[]): TransactionStatusChanged[][] =>
  Array.from({ length: ENVELOPES_PER_PUBLISHER }, (_, envelope) =>
    Array.from({ length: 1 + (envelope % 4) }, (_, index) =>
      statusChange(channels[(envelope + index) % channels.length] as string),
    ),
  );

async function publish(envelopes: TransactionStatusChanged[][]): Promise<void> {
  for (const [index, changes] of envelopes.entries()) {
    await log.ledger.publish(changes);
    if (index % SENT_TWICE_EVERY === 0) await log.ledger.publish(changes);
  }
}

test('readers that page while several replicas write miss nothing and meet nothing twice', async () => {
  const channels = [newId(), newId()];
  const plans = Array.from({ length: PUBLISHERS }, () => envelopesOf(channels));
  const changes = plans.flat(2);
  const idsOf = (channel: string): string[] =>
    changes.filter(({ salesChannelId }) => salesChannelId === channel).map(({ eventId }) => eventId);
  const readers = channels.flatMap((channel) =>
    [2, 3, 100].map(async (size) => ({ channel, seen: await follow(channel, size, idsOf(channel).length) })),
  );
  await Promise.all(plans.map(publish));
  for (const { channel, seen } of await Promise.all(readers)) {
    expect(seen.toSorted()).toEqual(idsOf(channel).toSorted());
    for (const size of [2, 3, 100]) {
      const whole: string[] = [];
      for await (const event of readAll(channel, size)) whole.push(event.id);
      // What a reader saw while others wrote is, in its order too, what the log holds in the end.
      expect(whole).toEqual(seen);
    }
  }
  const counts = await log.sql<{ events: number; ids: number }>(
    'select count(*)::int as events, count(distinct id)::int as ids from event',
  );
  expect(counts).toEqual([{ events: changes.length, ids: changes.length }]);
}, 60_000);
