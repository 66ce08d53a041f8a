import { expect, test } from '@jest/globals';
import { FairShare } from '../src/index.ts';

/** A work that runs until it is told to end. */
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

const share = () =>
  new FairShare({ atOnce: 4, atOnceEach: 2, waitingEach: 3, refusal: () => new Error('come back later') });

/** Lets everything that is ready go on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one owner with many works leaves places for the others, and is refused when too many wait', async () => {
  const places = share();
  const many = Array.from({ length: 5 }, work);
  const running = many.map(({ run }) => places.run('greedy', run));
  await expect(places.run('greedy', work().run)).rejects.toThrow('come back later');
  const other = work();
  const others = places.run('other', other.run);
  await turn();
  expect(many.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false, false]);
  expect(other.hasBegun()).toBe(true);
  for (const each of [...many, other]) each.end();
  await Promise.all([...running, others]);
  expect(many.every(({ hasBegun }) => hasBegun())).toBe(true);
});

test('a free place goes to the owner who has waited longest since their last one', async () => {
  const places = share();
  const first = [work(), work()];
  const second = [work(), work()];
  const runs = [...first.map(({ run }) => places.run('a', run)), ...second.map(({ run }) => places.run('b', run))];
  const begun: string[] = [];
  const waiting = ['a', 'a', 'c', 'd', 'd'].map((owner) => places.run(owner, async () => void begun.push(owner)));
  await turn();
  expect(begun).toEqual([]);
  second[0]?.end();
  await Promise.all(waiting.slice(2));
  // All that could go on did, although the first owner still holds as many places as one may have.
  expect(begun).toEqual(['c', 'd', 'd']);
  first[0]?.end();
  await Promise.all(waiting);
  for (const each of [...first, ...second]) each.end();
  await Promise.all(runs);
});

test('a work that fails gives its place back', async () => {
  const places = share();
  for (let attempt = 0; attempt < 10; attempt++) {
    await expect(places.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  expect(await places.run('a', () => Promise.resolve(7))).toBe(7);
});
