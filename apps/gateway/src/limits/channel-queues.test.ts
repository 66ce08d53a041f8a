import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ChannelQueues } from './channel-queues.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const createQueues = (readsAtOnce: number) => new ChannelQueues({ readsAtOnce, now: () => Date.now() });
const callbacks = () => jest.advanceTimersByTimeAsync(0);

/** Reads that run until a test ends them, and the number begun. */
function reads(queues: ChannelQueues) {
  const begun = new Map<string, number>();
  const ends: (() => void)[] = [];
  const read = (owner: string, service = 'inventory') =>
    queues.runRead(owner, [service], () => {
      begun.set(`${owner} ${service}`, (begun.get(`${owner} ${service}`) ?? 0) + 1);
      return new Promise<string>((resolve) => ends.push(() => resolve(owner)));
    });
  return { begun, ends, read };
}

test('the reads of one channel at a service are limited; other channels and services do not wait', async () => {
  const { begun, ends, read } = reads(createQueues(2));
  const all = [read('a'), read('a'), read('a'), read('a'), read('b'), read('a', 'tasks')];
  await callbacks();
  expect(Object.fromEntries(begun)).toEqual({ 'a inventory': 2, 'b inventory': 1, 'a tasks': 1 });
  ends[0]?.();
  await callbacks();
  expect(begun.get('a inventory')).toBe(3);
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await callbacks();
  }
  expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'a', 'b', 'a']);
});

test('each channel has one read of several services at a time', async () => {
  const queues = createQueues(4);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = (owner: string) =>
    queues.runRead(owner, ['identity', 'rbac'], () => {
      begun.push(owner);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [read('a'), read('a'), read('b')];
  await callbacks();
  expect(begun).toEqual(['a', 'b']);
  ends[0]?.();
  await callbacks();
  expect(begun).toEqual(['a', 'b', 'a']);
  for (const end of ends) end();
  await Promise.all(all);
});

test('a failed read makes room for the next one and reports its error', async () => {
  const queues = createQueues(1);
  const failing = queues.runRead('a', ['inventory'], () => Promise.reject(new Error('away')));
  const next = queues.runRead('a', ['inventory'], () => Promise.resolve('next'));
  await expect(failing).rejects.toThrow('away');
  await expect(next).resolves.toBe('next');
});

test('a read makes room for the next one after a second', async () => {
  const { begun, ends, read } = reads(createQueues(1));
  const all = [read('a'), read('a')];
  await jest.advanceTimersByTimeAsync(999);
  expect(begun.get('a inventory')).toBe(1);
  await jest.advanceTimersByTimeAsync(2);
  expect(begun.get('a inventory')).toBe(2);
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(['a', 'a']);
});

test('the queue is bounded in length and time', async () => {
  const queues = createQueues(1);
  const { read } = reads(queues);
  const waiting = Array.from({ length: 1_001 }, () => read('a').catch((error: unknown) => error));
  await expect(read('a')).rejects.toMatchObject({ code: 'rate-limited', retryAfterSeconds: 1 });
  await jest.advanceTimersByTimeAsync(7_000);
  expect(await waiting[1_000]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
});

test('each channel reads one large body at a time', async () => {
  const queues = createQueues(4);
  const order: string[] = [];
  const queueBody = (owner: string, name: string) => {
    const slot = queues.createBodySlot(owner);
    void slot.wait().then(() => order.push(name));
    return slot;
  };
  const [first] = [queueBody('a', 'a1'), queueBody('a', 'a2'), queueBody('b', 'b1')];
  await callbacks();
  expect(order).toEqual(['a1', 'b1']);
  first.release();
  await callbacks();
  expect(order).toEqual(['a1', 'b1', 'a2']);
});

test('a body that ends while it is queued takes no place', async () => {
  const queues = createQueues(4);
  const order: string[] = [];
  const [first, gone, last] = [queues.createBodySlot('a'), queues.createBodySlot('a'), queues.createBodySlot('a')];
  for (const [name, slot] of Object.entries({ first, gone, last })) void slot.wait().then(() => order.push(name));
  await callbacks();
  gone.release();
  first.release();
  await callbacks();
  expect(order).toEqual(['first', 'gone', 'last']);
});

test('a read that gives up its place makes room, and still returns its result', async () => {
  const queues = createQueues(1);
  const end = Promise.withResolvers<string>();
  const first = queues.runRead('a', ['tasks'], (giveUp) => {
    giveUp();
    return end.promise;
  });
  expect(await queues.runRead('a', ['tasks'], async () => 'second')).toBe('second');
  end.resolve('first');
  expect(await first).toBe('first');
});
