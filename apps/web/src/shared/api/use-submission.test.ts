import { expect, test } from '@jest/globals';
import { SingleFlight } from './use-submission.ts';

/** A latch whose reopening the test triggers. */
function createLatch() {
  const waiting: (() => void)[] = [];
  const latch = new SingleFlight((open) => void waiting.push(open));
  return { latch, openAll: () => waiting.splice(0).forEach((open) => open()) };
}

test('two actions in one tick run once', async () => {
  const { latch } = createLatch();
  let count = 0;
  const act = (): Promise<number> => Promise.resolve((count += 1));
  const [first, second] = [latch.run('create', act), latch.run('create', act)];
  expect([await first, second, count]).toEqual([1, undefined, 1]);
});

test('actions with different names run concurrently', async () => {
  const { latch } = createLatch();
  const started = ['grant a', 'grant b', 'grant a'].map((name) => latch.run(name, () => Promise.resolve(name)));
  expect(await Promise.all(started)).toEqual(['grant a', 'grant b', undefined]);
});

test.each([
  ['succeeded', () => Promise.resolve('done')],
  ['failed', () => Promise.reject(new Error('refused'))],
])('an action that has %s allows the next action after the page is notified', async (_end, act) => {
  const { latch, openAll } = createLatch();
  const next = () => latch.run('create', () => Promise.resolve('next'));
  await latch.run('create', act as () => Promise<string>)?.catch(() => undefined);
  expect(next()).toBeUndefined();
  openAll();
  await expect(next()).resolves.toBe('next');
});

test('reopens by itself by default', async () => {
  const latch = new SingleFlight();
  const act = (): Promise<string> => Promise.resolve('done');
  await latch.run('create', act);
  let next: Promise<string> | undefined;
  while (!next) {
    await new Promise((resolve) => void setImmediate(resolve));
    next = latch.run('create', act);
  }
  await expect(next).resolves.toBe('done');
});
