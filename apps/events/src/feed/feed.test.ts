import { expect, test } from '@jest/globals';
import type { RecordedEvent } from '../store/events.ts';
import { Feed } from './feed.ts';

const event = { createdAt: '2025-03-05T13:40:55.902Z' } as RecordedEvent;

test('a stream does not share a read that may have missed the event that woke it', async () => {
  const committed: RecordedEvent[] = [];
  const reads: { answer: () => void }[] = [];
  const feed = new Feed({
    read(_salesChannelId, afterMs) {
      // A statement sees only events committed before it began.
      const seen = committed.filter(({ createdAt }) => Date.parse(createdAt) > afterMs);
      return new Promise((resolve) => reads.push({ answer: () => resolve(seen) }));
    },
    readHeads: () => Promise.resolve(new Map()),
    onPollError: () => undefined,
    availability: { isLost: false, onChange: () => () => undefined },
  });
  const { signal } = new AbortController();
  const [first, second] = [feed.follow('c1'), feed.follow('c1')].map((stream) => stream.pages(0, signal));
  const firstPage = first?.next();
  committed.push(event);
  feed.wakeStreams(['c1']);
  const secondPage = second?.next();
  expect(reads).toHaveLength(2);
  for (const { answer } of reads.splice(0)) answer();
  expect(await secondPage).toEqual({ done: false, value: [event] });
  // The first stream read too early and reads again.
  await Promise.resolve();
  for (const { answer } of reads.splice(0)) answer();
  expect(await firstPage).toEqual({ done: false, value: [event] });
  await feed.stop();
});

test('when the database is lost, waiting and reading streams end, and none begins', async () => {
  let notify = (): void => undefined;
  const availability = {
    isLost: false,
    onChange: (listener: () => void) => {
      notify = listener;
      return () => undefined;
    },
  };
  const answers: ((events: RecordedEvent[]) => void)[] = [];
  const feed = new Feed({
    read: () => new Promise((resolve) => answers.push(resolve)),
    readHeads: () => Promise.resolve(new Map()),
    onPollError: () => undefined,
    availability,
  });
  await feed.start();
  const { signal } = new AbortController();
  const waiting = feed.follow('c1').pages(0, signal).next();
  for (const answer of answers.splice(0)) answer([]);
  const reading = feed.follow('c2').pages(0, signal).next();
  expect(answers).toHaveLength(1);
  availability.isLost = true;
  notify();
  const unavailable = { code: 'unavailable', retryAfterSeconds: 1 };
  await expect(waiting).rejects.toMatchObject(unavailable);
  await expect(reading).rejects.toMatchObject(unavailable);
  expect(() => feed.follow('c1')).toThrow('Connect again');
  availability.isLost = false;
  notify();
  const again = feed.follow('c1').pages(0, signal).next();
  for (const answer of answers.splice(1)) answer([event]);
  expect(await again).toEqual({ done: false, value: [event] });
  await feed.stop();
});
