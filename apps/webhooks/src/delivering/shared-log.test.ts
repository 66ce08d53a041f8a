import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { LogEvent } from '../domain/delivery.ts';
import { SharedLog } from './shared-log.ts';

/** Creates a growing log that counts its reads. */
function growingLog() {
  const events: LogEvent[] = [];
  let reads = 0;
  return {
    events,
    reads: () => reads,
    grow(count: number) {
      for (let each = 0; each < count; each += 1) {
        const index = events.length;
        const createdAt = new Date(1_000 * (index + 1)).toISOString();
        const id = String(index);
        events.push({ id, eventType: 'T', createdAt, eventAt: createdAt, transactionId: id, status: 'S' });
      }
    },
    async read(_salesChannelId: string, { after, limit }: { after: string | undefined; limit: number }) {
      reads += 1;
      const found = events.filter(({ createdAt }) => after === undefined || createdAt > after).slice(0, limit);
      await Promise.resolve();
      return { events: found, previousEventId: undefined };
    },
  };
}

interface Follower {
  after: string | undefined;
  readonly seen: string[];
}

async function step(shared: SharedLog, follower: Follower, limit: number): Promise<boolean> {
  const { events, hasMore } = await shared.follow('channel', follower.after, limit);
  follower.seen.push(...events.map(({ id }) => id));
  follower.after = events.at(-1)?.createdAt ?? follower.after;
  return hasMore;
}

test('followers with pages of any size see every event once and in order', async () => {
  const move = fc.record({ who: fc.nat(3), limit: fc.integer({ min: 1, max: 7 }), grown: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(move, { maxLength: 4 }), { maxLength: 20 }), async (rounds) => {
      const log = growingLog();
      const shared = new SharedLog(log);
      const followers = Array.from({ length: 4 }, (): Follower => ({ after: undefined, seen: [] }));
      for (const moves of rounds) {
        // Each follower makes one step at a time, concurrently with the others.
        const each = new Map(moves.map((one) => [one.who, one]));
        const steps = [...each.values()].map(({ who, limit }) => step(shared, followers[who] as Follower, limit));
        log.grow(moves.reduce((sum, { grown }) => sum + grown, 0));
        await Promise.all(steps);
      }
      for (const follower of followers) {
        while (follower.seen.length < log.events.length) await step(shared, follower, 3);
        expect(follower.seen).toEqual(log.events.map(({ id }) => id));
      }
    }),
  );
});

test('endpoints close to each other share reads', async () => {
  const log = growingLog();
  log.grow(250);
  const shared = new SharedLog(log);
  const followers = Array.from({ length: 10 }, (): Follower => ({ after: undefined, seen: [] }));
  for (const more of [true, true, false])
    expect(new Set(await Promise.all(followers.map((each) => step(shared, each, 100))))).toEqual(new Set([more]));
  for (const { seen } of followers) expect(seen).toHaveLength(250);
  expect(log.reads()).toBe(3);
});
