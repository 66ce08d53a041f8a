import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { newId } from '@saleschannel/primitives';
import { eventually, openTestDatabase } from '@saleschannel/testing';
import { appendEvents, toNewEvent } from '../src/operations/append-events.ts';
import { createHeads, insertEvents, lockHeads } from '../src/store/events.ts';
import { schema } from '../src/store/schema.ts';
import { idsOf, startEvents, statusChange, type Event, type Events } from './support/events.ts';

const REPLICAS = 3;
const PUBLISHERS = 6;
const ENVELOPES_PER_PUBLISHER = 40;
const SENT_TWICE_EVERY = 5;

let log: Events;
beforeAll(async () => {
  log = await startEvents();
  for (let replica = 1; replica < REPLICAS; replica++) await log.replica();
});
afterAll(() => log.stop());

/** Reads the next page as API clients do: `createdAt` `gte` the last one, ascending. It starts with the last event. */
const pageAfter = (channel: string, last: Event | undefined, limit: number): Promise<Event[]> =>
  log.list(channel, { limit, filter: last ? { createdAtGte: last.createdAt } : {} });

/** Reads the whole log: skips the repeated event by its id, and stops at an incomplete page. */
async function readAll(channel: string, size: number): Promise<string[]> {
  const read: string[] = [];
  let last: Event | undefined;
  for (;;) {
    const page = await pageAfter(channel, last, size);
    for (const event of page) if (event.id !== last?.id) read.push(event.id);
    last = page.at(-1) ?? last;
    if (page.length < size) return read;
  }
}

/** Follows the log from the last event, until it has seen `count` events. */
async function follow(channel: string, size: number, count: number): Promise<string[]> {
  const seen: string[] = [];
  let last: Event | undefined;
  while (seen.length < count) {
    const page = await pageAfter(channel, last, size);
    for (const event of page) if (event.id !== last?.id) seen.push(event.id);
    last = page.at(-1) ?? last;
  }
  return seen;
}

/** Creates envelopes of varied sizes, with entries that alternate between the channels. */
const envelopesOf = (channels: readonly [string, string]): TransactionStatusChanged[][] =>
  Array.from({ length: ENVELOPES_PER_PUBLISHER }, (_, envelope) =>
    Array.from({ length: 1 + (envelope % 4) }, (_, index) =>
      statusChange((envelope + index) % 2 === 0 ? channels[0] : channels[1]),
    ),
  );

async function publish(envelopes: TransactionStatusChanged[][]): Promise<void> {
  for (const [index, changes] of envelopes.entries()) {
    await log.publish(changes);
    if (index % SENT_TWICE_EVERY === 0) await log.publish(changes);
  }
}

test('readers that page while several replicas write see each event once', async () => {
  const channels = [newId(), newId()] as const;
  const plans = Array.from({ length: PUBLISHERS }, () => envelopesOf(channels));
  const changes = plans.flat(2);
  const sentTo = (channel: string): string[] =>
    changes.filter(({ salesChannelId }) => salesChannelId === channel).map(({ eventId }) => eventId);
  const readers = channels.flatMap((channel) =>
    [2, 3, 100].map(async (size) => ({ channel, seen: await follow(channel, size, sentTo(channel).length) })),
  );
  await Promise.all(plans.map(publish));
  for (const { channel, seen } of await Promise.all(readers)) {
    expect(seen.toSorted()).toEqual(sentTo(channel).toSorted());
    // Readers saw the final order of the log while it was written.
    for (const size of [2, 3, 100]) expect(await readAll(channel, size)).toEqual(seen);
  }
  const counts = await log.service.sql('select count(*)::int as events, count(distinct id)::int as ids from event');
  expect(counts).toEqual([{ events: changes.length, ids: changes.length }]);
});

test('replicas that append to the same channels in any order agree on the progress', async () => {
  const channels = [newId(), newId(), newId()];
  const SEQUENCES = 120;
  const changes = channels.flatMap((channel) =>
    Array.from({ length: SEQUENCES }, (_, index) => statusChange(channel, { sequence: String(index + 1) })),
  );
  // Shuffled: 7 and the count have no common divisor.
  const mixed = changes.map((_, index) => changes[(index * 7) % changes.length] as TransactionStatusChanged);
  const envelopes = Array.from({ length: mixed.length / 6 }, (_, index) => mixed.slice(index * 6, index * 6 + 6));
  await Promise.all(envelopes.map((each) => log.publish(each)));
  for (const channel of channels) {
    await log.filled(channel, SEQUENCES);
    expect(await log.progress(channel)).toMatchObject({ upto: String(SEQUENCES), gaps: [] });
  }
});

test('appends to a channel are serialized, so that times have the order of commits', async () => {
  const channel = newId();
  const [first, second] = [statusChange(channel), statusChange(channel)];
  const database = await openTestDatabase({ url: log.service.databaseUrl, poolMax: 4, ...schema });
  await createHeads(database.em(), [channel]);
  const order: string[] = [];
  let other: Promise<void> | undefined;
  await database.transaction(async (em) => {
    await lockHeads(em, [channel]);
    other = appendEvents(database, [second], () => undefined).then(() => void order.push('second'));
    await eventually(async () => order.length > 0 || (await isAnyLockAwaited()), 'the other append, done or waiting');
    await insertEvents(em, [toNewEvent(first)]);
    order.push('first');
  });
  await other;
  await database.stop();
  expect(order).toEqual(['first', 'second']);
  expect(idsOf(await log.list(channel))).toEqual([first.eventId, second.eventId]);
});

async function isAnyLockAwaited(): Promise<boolean> {
  const waiting = await log.service.sql(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length > 0;
}
