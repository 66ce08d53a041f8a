import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FairShare } from '@saleschannel/runtime';
import * as fc from 'fast-check';
import type { LogEvent } from '../domain/delivery.ts';
import { computeDelay, MAX_ATTEMPTS, parseRetryAfter } from '../domain/schedule.ts';
import { DeliveryQueues, type RunSlot } from './delivery-queues.ts';
import { createResolver } from './resolver.ts';
import { SharedLog } from './shared-log.ts';

describe('the schedule', () => {
  const HOUR_MS = 3_600_000;
  const chance = fc.double({ min: 0, max: 1, noNaN: true });

  test('a schedule lasts between 75 and 84 hours for any random values', () => {
    fc.assert(
      fc.property(fc.array(chance, { minLength: MAX_ATTEMPTS, maxLength: MAX_ATTEMPTS }), (randoms) => {
        const delays = randoms.map((random, index) => computeDelay(index + 1, random));
        expect(delays.at(-1)).toBeUndefined();
        const total = delays.slice(0, -1).reduce<number>((sum, delay) => sum + (delay ?? Number.NaN), 0);
        expect(total).toBeGreaterThanOrEqual(75 * HOUR_MS);
        expect(total).toBeLessThan(84 * HOUR_MS);
      }),
    );
  });

  test('a delay covers Retry-After up to a day, and is never shorter than the schedule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
        chance,
        fc.nat(1_000 * HOUR_MS),
        (n, random, requested) => {
          const delay = computeDelay(n, random, requested) ?? Number.NaN;
          expect(delay).toBeGreaterThanOrEqual(Math.min(requested, 24 * HOUR_MS));
          expect(delay).toBeGreaterThanOrEqual(computeDelay(n, 0) ?? Number.NaN);
          expect(delay).toBeLessThanOrEqual(Math.max(24 * HOUR_MS, Math.round((computeDelay(n, 0) ?? 0) * 1.1)));
        },
      ),
    );
  });

  test('Retry-After is limited to a day', () => {
    for (const header of ['86401', '9'.repeat(12), '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])
      expect(computeDelay(1, 0, parseRetryAfter(header, Date.parse('2026-01-01T00:00:00Z')))).toBe(24 * HOUR_MS);
  });

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['99999999999', 99_999_999_999_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('Retry-After: %s', (header, expected) => {
    const waiting = parseRetryAfter(header, Date.parse('2026-01-01T00:00:00Z'));
    // Date.parse reads "-1" as a year long ago.
    expect(waiting === 0 && expected === undefined ? undefined : waiting).toBe(expected);
  });
});

describe('queues', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Creates queues with runs for receivers that answer only when told to. */
  function frozenReceivers() {
    const queues = new DeliveryQueues((options) => new FairShare(options));
    const begun = new Map<string, number>();
    const ends: (() => void)[] = [];
    const runs: Promise<void>[] = [];
    const sent: [string, RunSlot][] = [];
    return {
      begun,
      countSlow: (channel: string) => sent.filter(([name, slot]) => name === channel && slot.isSlow()).length,
      async hang(channel: string, count: number): Promise<void> {
        for (let run = 0; run < count; run++)
          runs.push(
            queues.run(channel, false, async (slot) => {
              begun.set(channel, (begun.get(channel) ?? 0) + 1);
              sent.push([channel, slot]);
              await slot.send(() => new Promise<void>((resolve) => ends.push(resolve)));
            }),
          );
        for (let second = 0; second < 10; second++) await jest.advanceTimersByTimeAsync(1_001);
      },
      async end(): Promise<void> {
        while (ends.length > 0) {
          for (const end of ends.splice(0)) end();
          await jest.advanceTimersByTimeAsync(1);
        }
        await Promise.all(runs);
      },
    };
  }

  test('slow receivers of one channel leave slow places for other channels', async () => {
    const { begun, hang, end } = frozenReceivers();
    await hang('first', 200);
    // 32 regular places and 13 slow ones.
    expect(begun.get('first')).toBe(45);
    for (const channel of ['second', 'third', 'fourth']) await hang(channel, 17);
    expect([begun.get('second'), begun.get('third'), begun.get('fourth')]).toEqual([17, 17, 17]);
    await end();
    expect(begun.get('first')).toBe(200);
  });

  test.each([4, 5])('slow receivers of %i channels leave slow places for one more channel', async (count) => {
    const { countSlow, hang, end } = frozenReceivers();
    const channels = Array.from({ length: count }, (_, index) => `channel ${index}`);
    // The maximum of endpoints per channel.
    for (const channel of channels) await hang(channel, 20);
    await hang('one more', 1);
    expect(countSlow('one more')).toBe(1);
    expect(Math.min(...channels.map(countSlow))).toBeGreaterThan(3);
    await end();
  });
});

describe('the shared log', () => {
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
});

describe('the resolver', () => {
  const HEADER_BYTES = 12;
  const TYPE_A = 1;
  const FOUND = 0x81_80;
  const NO_SUCH_NAME = 0x81_83;
  /** Names that the server never answers. */
  const FROZEN = 'frozen';
  /** Names for which the server answers IPv4 queries only. */
  const IPV4_ONLY = 'ipv4-only';

  /** Returns the labels of a message's only question (RFC 1035 section 4.1.2), and the offset of its type. */
  function questionOf(message: Buffer): { labels: string[]; typeAt: number } {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    return { labels, typeAt: at + 1 };
  }

  /** Starts a name server that knows one address. */
  async function startNameServer() {
    const socket = createSocket('udp4');
    let unanswered = 0;
    socket.on('message', (message, { port, address }) => {
      const { labels, typeAt } = questionOf(message);
      const isIpv4Query = message.readUInt16BE(typeAt) === TYPE_A;
      if (labels[0] === FROZEN || (labels[0] === IPV4_ONLY && !isIpv4Query)) {
        unanswered += 1;
        return;
      }
      const exists = labels[0] === 'hooks' || labels[0] === IPV4_ONLY;
      const hasAddress = exists && isIpv4Query;
      const header = Buffer.alloc(HEADER_BYTES);
      message.copy(header, 0, 0, 2);
      header.writeUInt16BE(exists ? FOUND : NO_SUCH_NAME, 2);
      header.writeUInt16BE(1, 4);
      header.writeUInt16BE(hasAddress ? 1 : 0, 6);
      // The question's name, type A, class IN, one minute, four bytes.
      const answer = Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
      const question = message.subarray(HEADER_BYTES, typeAt + 4);
      socket.send(Buffer.concat([header, question, ...(hasAddress ? [answer] : [])]), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return {
      address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
      unanswered: () => unanswered,
      close: () => socket.close(),
    };
  }

  test('an unanswered name does not delay others', async () => {
    const server = await startNameServer();
    try {
      const resolve = createResolver([server.address]);
      const ends: string[] = [];
      const waiting = Array.from({ length: 16 }, (_, index) =>
        resolve(`${FROZEN}.n${index}.example`).catch(() => ends.push('frozen')),
      );
      expect(await resolve('hooks.example')).toEqual([{ address: '192.0.2.7', family: 4 }]);
      expect(ends).toEqual([]);
      await expect(resolve('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
      expect(ends).toEqual([]);
      await Promise.all(waiting);
      expect(server.unanswered()).toBeGreaterThanOrEqual(16);
    } finally {
      server.close();
    }
  });

  test('a server that answers for one family only causes no wait', async () => {
    const server = await startNameServer();
    try {
      const resolve = createResolver([server.address]);
      expect(await resolve(`${IPV4_ONLY}.example`)).toEqual([{ address: '192.0.2.7', family: 4 }]);
      // A second try would take longer.
      expect(server.unanswered()).toBeLessThan(2);
    } finally {
      server.close();
    }
  });
});
