import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import { Batcher, type BatchItem, type BatcherLimits } from '@saleschannel/runtime';
import type { SizeLimit } from '../src/batcher-options.ts';
import { FairShare } from '../src/index.ts';

/** Work that runs until the test ends it. */
function work() {
  let finish = (): void => undefined;
  const ended = new Promise<void>((resolve) => (finish = resolve));
  let hasBegun = false;
  return {
    run: () => {
      hasBegun = true;
      return ended;
    },
    end: () => finish(),
    hasBegun: () => hasBegun,
  };
}

const createShare = () =>
  new FairShare({
    maxConcurrent: 4,
    maxConcurrentPerOwner: 2,
    maxQueuedPerOwner: 3,
    refusal: () => new Error('come back later'),
  });

test('an owner with much work leaves places for others, and is refused when its queue is full', async () => {
  const share = createShare();
  const many = Array.from({ length: 5 }, work);
  const running = many.map(({ run }) => share.run('greedy', run));
  await expect(share.run('greedy', work().run)).rejects.toThrow('come back later');
  const other = work();
  const others = share.run('other', other.run);
  await turn();
  expect(many.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false, false]);
  expect(other.hasBegun()).toBe(true);
  for (const each of [...many, other]) each.end();
  await Promise.all([...running, others]);
  expect(many.every(({ hasBegun }) => hasBegun())).toBe(true);
});

test('a free place goes to the owner who has waited longest', async () => {
  const share = createShare();
  const first = [work(), work()];
  const second = [work(), work()];
  const runs = [...first.map(({ run }) => share.run('a', run)), ...second.map(({ run }) => share.run('b', run))];
  const begun: string[] = [];
  const queued = ['a', 'a', 'c', 'd', 'd'].map((owner) => share.run(owner, async () => void begun.push(owner)));
  await turn();
  expect(begun).toEqual([]);
  second[0]?.end();
  await Promise.all(queued.slice(2));
  // Owner `a` still holds as many places as one owner may.
  expect(begun).toEqual(['c', 'd', 'd']);
  first[0]?.end();
  await Promise.all(queued);
  for (const each of [...first, ...second]) each.end();
  await Promise.all(runs);
});

test('failed work returns its place', async () => {
  const share = createShare();
  for (let attempt = 0; attempt < 10; attempt++) {
    await expect(share.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  expect(await share.run('a', () => Promise.resolve(7))).toBe(7);
});

test('work that queues for too long is refused, and the next one runs in the context of its caller', async () => {
  let nowMs = 0;
  const options = {
    maxConcurrent: Infinity,
    maxConcurrentPerOwner: 1,
    maxQueuedPerOwner: 3,
    maxQueueMs: 10,
    now: () => nowMs,
  };
  const share = new FairShare({ ...options, refusal: (why) => new Error(why) });
  const caller = new AsyncLocalStorage<string>();
  const first = work();
  const running = caller.run('first', () => share.run('a', first.run));
  const late = share.run('a', work().run);
  nowMs = 11;
  const next = caller.run('next', () => share.run('a', async () => caller.getStore()));
  first.end();
  await running;
  await expect(late).rejects.toThrow('late');
  expect(await next).toBe('next');
});

type Batch = readonly BatchItem<string, string>[];

const TIMEOUT_MS = 20_000;
const ownedBy = (owner = 'a', timeoutMs = TIMEOUT_MS) => ({ owner, timeoutMs });

/** A batcher whose calls the test ends. */
function setUp(limits: Partial<BatcherLimits> = {}, sizes: readonly SizeLimit<string>[] = []) {
  const batches: { readonly items: string[]; readonly batch: Batch; end(error?: Error): void }[] = [];
  const arrivals: (() => void)[] = [];
  const batcher = new Batcher<string, string>({
    limits: { slowAfterMs: TIMEOUT_MS, ...limits },
    sizes,
    refusal: (why) => new Error(why),
    send: (batch) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error ? reject(error) : resolve());
        batches.push({ items: batch.map(({ item }) => item), batch, end });
        arrivals.shift()?.();
      }),
  });
  /** Waits for the batch with this number. */
  const batchAt = async (index: number) => {
    while (batches.length <= index) await new Promise<void>((resolve) => arrivals.push(resolve));
    return batches[index] as (typeof batches)[number];
  };
  return { batcher, batches, batchAt };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an item', () => {
  test('is sent at once without open calls, together with others of its turn', async () => {
    const { batcher, batchAt } = setUp();
    const answers = ['x', 'y'].map((item) => batcher.request(item, ownedBy()));
    const { items, batch, end } = await batchAt(0);
    expect(items).toEqual(['x', 'y']);
    for (const each of batch) each.resolve(`${each.item}!`);
    end();
    expect(await Promise.all(answers)).toEqual(['x!', 'y!']);
  });

  test('queues while the maximum number of calls is open, and shares the next one', async () => {
    const { batcher, batches, batchAt } = setUp({ maxConcurrentCalls: 1 });
    const first = batcher.request('1', ownedBy());
    await batchAt(0);
    const others = ['2', '3', '4'].map((item) => batcher.request(item, ownedBy()));
    await turn();
    expect(batches).toHaveLength(1);
    const { batch } = await batchAt(0);
    batch[0]?.resolve('one');
    expect(await first).toBe('one');
    const next = await batchAt(1);
    expect(next.items).toEqual(['2', '3', '4']);
    for (const each of next.batch) each.resolve(each.item);
    expect(await Promise.all(others)).toEqual(['2', '3', '4']);
  });

  test('does not wait for slow calls', async () => {
    const { batcher, batchAt } = setUp({ maxConcurrentCalls: 1, slowAfterMs: 1 });
    const slow = batcher.request('slow', ownedBy());
    const { batch } = await batchAt(0);
    const quick = batcher.request('quick', ownedBy());
    (await batchAt(1)).batch[0]?.resolve('done');
    expect(await quick).toBe('done');
    batch[0]?.resolve('at last');
    expect(await slow).toBe('at last');
  });

  test('is answered on its own, before the call ends', async () => {
    const { batcher, batchAt } = setUp();
    const [good, bad, open] = ['good', 'bad', 'open'].map((item) => batcher.request(item, ownedBy()));
    const { batch, end } = await batchAt(0);
    batch[1]?.reject(new Error('not this one'));
    batch[0]?.resolve('yes');
    expect(await good).toBe('yes');
    await expect(bad).rejects.toThrow('not this one');
    end(new Error('broken'));
    await expect(open).rejects.toThrow('broken');
  });

  test('is refused if its call ends without an answer, and after its deadline', async () => {
    const { batcher, batchAt } = setUp();
    const forgotten = batcher.request('forgotten', ownedBy());
    (await batchAt(0)).end();
    await expect(forgotten).rejects.toThrow('late');
    await expect(batcher.request('late', ownedBy('a', 1))).rejects.toThrow('late');
  });
});

describe('owners', () => {
  test('take turns, regardless of the number of items', async () => {
    const { batcher, batchAt } = setUp({ maxConcurrentCalls: 1, maxItems: 3 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((item) => batcher.request(item, ownedBy(item[0])));
    const sent: string[][] = [];
    for (let index = 0; index < 2; index++) {
      const { items, batch } = await batchAt(index);
      sent.push(items);
      for (const each of batch) each.resolve('');
    }
    await Promise.all(all);
    expect(sent).toEqual([
      ['a1', 'b1', 'c1'],
      ['a2', 'a3', 'a4'],
    ]);
  });

  test('have their own room: one that fills it is refused, and others are not', async () => {
    const { batcher, batchAt } = setUp({ maxOpenPerOwner: 2, maxOpen: 3 });
    const [first, second] = ['1', '2'].map((item) => batcher.request(item, ownedBy('a')));
    await expect(batcher.request('3', ownedBy('a'))).rejects.toThrow('full');
    const other = batcher.request('4', ownedBy('b'));
    await expect(batcher.request('5', ownedBy('c'))).rejects.toThrow('full');
    const { batch } = await batchAt(0);
    for (const each of batch) each.resolve(each.item);
    expect(await Promise.all([first, second, other])).toEqual(['1', '2', '4']);
    // Answers make room.
    const again = ['6', '7'].map((item) => batcher.request(item, ownedBy('a')));
    for (const each of (await batchAt(1)).batch) each.resolve(each.item);
    expect(await Promise.all(again)).toEqual(['6', '7']);
  });
});

describe('limits', () => {
  test('by size end a batch, and a larger item goes alone', async () => {
    const { batcher, batches } = setUp({ maxConcurrentCalls: 3 }, [{ sizeOf: ({ length }) => length, maxPerCall: 4 }]);
    const answers = ['aaaaa', 'bb', 'bb', 'c'].map((item) => batcher.request(item, ownedBy()));
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([['aaaaa'], ['bb', 'bb'], ['c']]);
    for (const { batch } of batches) for (const each of batch) each.resolve('');
    await Promise.all(answers);
  });

  test('of the queue refuse items, in number, size and time', async () => {
    const sizes = [{ sizeOf: ({ length }: string) => length, maxPerCall: 9, maxQueued: 4 }];
    const { batcher } = setUp({ maxConcurrentCalls: 0, maxQueued: 3, maxQueuedPerOwner: 2, maxQueueMs: 1 }, sizes);
    const queued = ['a', 'a'].map((item) => batcher.request(item, ownedBy('a')));
    await expect(batcher.request('a', ownedBy('a'))).rejects.toThrow('full');
    await expect(batcher.request('bbb', ownedBy('b'))).rejects.toThrow('full');
    for (const each of queued) await expect(each).rejects.toThrow('full');
  });

  test('of calls count slow ones too', async () => {
    const { batcher, batches, batchAt } = setUp({ maxConcurrentCalls: 1, maxOpenCalls: 2, slowAfterMs: 1 });
    const answers = [batcher.request('1', ownedBy())];
    await batchAt(0);
    answers.push(batcher.request('2', ownedBy()));
    const second = await batchAt(1);
    answers.push(batcher.request('3', ownedBy()));
    for (let count = 0; count < 100; count++) await turn();
    expect(batches).toHaveLength(2);
    second.batch[0]?.resolve('');
    second.end();
    await batchAt(2);
    for (const { batch } of batches) for (const each of batch) each.resolve('');
    await Promise.all(answers);
  });

  test('of the interval apply after a large batch, until the queue fills a call', async () => {
    const pacing = [{ minItems: 2, intervalMs: TIMEOUT_MS }];
    const { batcher, batches, batchAt } = setUp({ maxConcurrentCalls: 1, maxItems: 2, pacing });
    const answers = ['1', '2'].map((item) => batcher.request(item, ownedBy()));
    for (const each of (await batchAt(0)).batch) each.resolve('');
    await Promise.all(answers);
    const third = batcher.request('3', ownedBy());
    await turn();
    expect(batches).toHaveLength(1);
    const fourth = batcher.request('4', ownedBy());
    for (const each of (await batchAt(1)).batch) each.resolve('');
    await Promise.all([third, fourth]);
  });
});

test('an item leaves the queue or its call when its caller disconnects', async () => {
  const { batcher, batches, batchAt } = setUp({ maxConcurrentCalls: 1 });
  const listeners: (() => void)[] = [];
  const onDisconnect = (disconnected: () => void) => {
    listeners.push(disconnected);
    return () => undefined;
  };
  const sent = batcher.request('sent', { ...ownedBy(), onDisconnect });
  await batchAt(0);
  const queued = batcher.request('queued', { ...ownedBy(), onDisconnect });
  for (const disconnect of listeners) disconnect();
  await expect(sent).rejects.toThrow('disconnected');
  await expect(queued).rejects.toThrow('disconnected');
  await turn();
  expect(batches).toHaveLength(1);
});
