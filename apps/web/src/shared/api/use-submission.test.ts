import { expect, test } from '@jest/globals';
import { Latch } from './use-submission.ts';

/** A latch and its release: pages learn of the end of an action before it reopens. */
function latchOfTest() {
  const waiting: (() => void)[] = [];
  const latch = new Latch((open) => void waiting.push(open));
  return { latch, openAll: () => waiting.splice(0).forEach((open) => open()) };
}

test('two actions in one tick run once', async () => {
  const { latch } = latchOfTest();
  let acts = 0;
  const act = (): Promise<number> => Promise.resolve((acts += 1));
  const [first, second] = [latch.pass('create', act), latch.pass('create', act)];
  expect([await first, second, acts]).toEqual([1, undefined, 1]);
});

test('actions with different names run concurrently', async () => {
  const { latch } = latchOfTest();
  const begun = ['grant a', 'grant b', 'grant a'].map((name) => latch.pass(name, () => Promise.resolve(name)));
  expect(await Promise.all(begun)).toEqual(['grant a', 'grant b', undefined]);
});

test.each([
  ['succeeded', () => Promise.resolve('done')],
  ['failed', () => Promise.reject(new Error('refused'))],
])('an action that has %s allows the next one, once the page knows', async (_end, act) => {
  const { latch, openAll } = latchOfTest();
  const next = () => latch.pass('create', () => Promise.resolve('next'));
  await latch.pass('create', act as () => Promise<string>)?.catch(() => undefined);
  expect(next()).toBeUndefined();
  openAll();
  await expect(next()).resolves.toBe('next');
});

test('reopens by itself by default', async () => {
  const latch = new Latch();
  const act = (): Promise<string> => Promise.resolve('done');
  await latch.pass('create', act);
  let next: Promise<string> | undefined;
  while (!next) {
    await new Promise((resolve) => void setImmediate(resolve));
    next = latch.pass('create', act);
  }
  await expect(next).resolves.toBe('done');
});
