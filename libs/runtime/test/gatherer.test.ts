import { describe, expect, test } from '@jest/globals';
import { Batcher, type BatchItem, type GathererLimits } from '@saleschannel/runtime';
import type { SizeLimit } from '../src/gatherer-options.ts';

type Batch = readonly BatchItem<string, string>[];

const TIMEOUT_MS = 20_000;
const ownedBy = (owner = 'a', timeoutMs = TIMEOUT_MS) => ({ owner, timeoutMs });

/** A gatherer whose calls the test ends. */
function setUp(limits: Partial<GathererLimits> = {}, sizes: readonly SizeLimit<string>[] = []) {
  const batches: { readonly items: string[]; readonly batch: Batch; end(error?: Error): void }[] = [];
  const arrivals: (() => void)[] = [];
  const gatherer = new Batcher<string, string>({
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
  return { gatherer, batches, batchAt };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an item', () => {
  test('is sent at once without open calls, together with others of its turn', async () => {
    const { gatherer, batchAt } = setUp();
    const answers = ['x', 'y'].map((item) => gatherer.request(item, ownedBy()));
    const { items, batch, end } = await batchAt(0);
    expect(items).toEqual(['x', 'y']);
    for (const each of batch) each.resolve(`${each.item}!`);
    end();
    expect(await Promise.all(answers)).toEqual(['x!', 'y!']);
  });

  test('queues while the maximum number of calls is open, and shares the next one', async () => {
    const { gatherer, batches, batchAt } = setUp({ maxConcurrentCalls: 1 });
    const first = gatherer.request('1', ownedBy());
    await batchAt(0);
    const others = ['2', '3', '4'].map((item) => gatherer.request(item, ownedBy()));
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
    const { gatherer, batchAt } = setUp({ maxConcurrentCalls: 1, slowAfterMs: 1 });
    const slow = gatherer.request('slow', ownedBy());
    const { batch } = await batchAt(0);
    const quick = gatherer.request('quick', ownedBy());
    (await batchAt(1)).batch[0]?.resolve('done');
    expect(await quick).toBe('done');
    batch[0]?.resolve('at last');
    expect(await slow).toBe('at last');
  });

  test('is answered on its own, before the call ends', async () => {
    const { gatherer, batchAt } = setUp();
    const [good, bad, open] = ['good', 'bad', 'open'].map((item) => gatherer.request(item, ownedBy()));
    const { batch, end } = await batchAt(0);
    batch[1]?.reject(new Error('not this one'));
    batch[0]?.resolve('yes');
    expect(await good).toBe('yes');
    await expect(bad).rejects.toThrow('not this one');
    end(new Error('broken'));
    await expect(open).rejects.toThrow('broken');
  });

  test('is refused if its call ends without an answer, and after its deadline', async () => {
    const { gatherer, batchAt } = setUp();
    const forgotten = gatherer.request('forgotten', ownedBy());
    (await batchAt(0)).end();
    await expect(forgotten).rejects.toThrow('late');
    await expect(gatherer.request('late', ownedBy('a', 1))).rejects.toThrow('late');
  });
});

describe('owners', () => {
  test('take turns, regardless of the number of items', async () => {
    const { gatherer, batchAt } = setUp({ maxConcurrentCalls: 1, maxItems: 3 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((item) => gatherer.request(item, ownedBy(item[0])));
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
    const { gatherer, batchAt } = setUp({ maxOpenPerOwner: 2, maxOpen: 3 });
    const [first, second] = ['1', '2'].map((item) => gatherer.request(item, ownedBy('a')));
    await expect(gatherer.request('3', ownedBy('a'))).rejects.toThrow('full');
    const other = gatherer.request('4', ownedBy('b'));
    await expect(gatherer.request('5', ownedBy('c'))).rejects.toThrow('full');
    const { batch } = await batchAt(0);
    for (const each of batch) each.resolve(each.item);
    expect(await Promise.all([first, second, other])).toEqual(['1', '2', '4']);
    // Answers make room.
    const again = ['6', '7'].map((item) => gatherer.request(item, ownedBy('a')));
    for (const each of (await batchAt(1)).batch) each.resolve(each.item);
    expect(await Promise.all(again)).toEqual(['6', '7']);
  });
});

describe('limits', () => {
  test('by size end a batch, and a larger item goes alone', async () => {
    const { gatherer, batches } = setUp({ maxConcurrentCalls: 3 }, [{ sizeOf: ({ length }) => length, maxPerCall: 4 }]);
    const answers = ['aaaaa', 'bb', 'bb', 'c'].map((item) => gatherer.request(item, ownedBy()));
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([['aaaaa'], ['bb', 'bb'], ['c']]);
    for (const { batch } of batches) for (const each of batch) each.resolve('');
    await Promise.all(answers);
  });

  test('of the queue refuse items, in number, size and time', async () => {
    const sizes = [{ sizeOf: ({ length }: string) => length, maxPerCall: 9, maxQueued: 4 }];
    const { gatherer } = setUp({ maxConcurrentCalls: 0, maxQueued: 3, maxQueuedPerOwner: 2, maxQueueMs: 1 }, sizes);
    const queued = ['a', 'a'].map((item) => gatherer.request(item, ownedBy('a')));
    await expect(gatherer.request('a', ownedBy('a'))).rejects.toThrow('full');
    await expect(gatherer.request('bbb', ownedBy('b'))).rejects.toThrow('full');
    for (const each of queued) await expect(each).rejects.toThrow('full');
  });

  test('of calls count slow ones too', async () => {
    const { gatherer, batches, batchAt } = setUp({ maxConcurrentCalls: 1, maxOpenCalls: 2, slowAfterMs: 1 });
    const answers = [gatherer.request('1', ownedBy())];
    await batchAt(0);
    answers.push(gatherer.request('2', ownedBy()));
    const second = await batchAt(1);
    answers.push(gatherer.request('3', ownedBy()));
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
    const { gatherer, batches, batchAt } = setUp({ maxConcurrentCalls: 1, maxItems: 2, pacing });
    const answers = ['1', '2'].map((item) => gatherer.request(item, ownedBy()));
    for (const each of (await batchAt(0)).batch) each.resolve('');
    await Promise.all(answers);
    const third = gatherer.request('3', ownedBy());
    await turn();
    expect(batches).toHaveLength(1);
    const fourth = gatherer.request('4', ownedBy());
    for (const each of (await batchAt(1)).batch) each.resolve('');
    await Promise.all([third, fourth]);
  });
});

test('an item leaves the queue or its call when its caller disconnects', async () => {
  const { gatherer, batches, batchAt } = setUp({ maxConcurrentCalls: 1 });
  const listeners: (() => void)[] = [];
  const onDisconnect = (disconnected: () => void) => {
    listeners.push(disconnected);
    return () => undefined;
  };
  const sent = gatherer.request('sent', { ...ownedBy(), onDisconnect });
  await batchAt(0);
  const queued = gatherer.request('queued', { ...ownedBy(), onDisconnect });
  for (const disconnect of listeners) disconnect();
  await expect(sent).rejects.toThrow('disconnected');
  await expect(queued).rejects.toThrow('disconnected');
  await turn();
  expect(batches).toHaveLength(1);
});
