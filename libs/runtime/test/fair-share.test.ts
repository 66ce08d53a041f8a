import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
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

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
