import { expect, test } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, option, record } from 'fast-check';
import { InMemoryAnswers } from '../src/in-memory.ts';

const HOURS_MS = 3_600_000;

/** Counts executions, each with a new answer. */
function startWork() {
  let made = 0;
  return { carryOut: async () => ({ number: ++made }), made: () => made };
}

test('any sequence of requests is carried out once per owner and key, for 24 hours', async () => {
  const some = record({
    scope: constantFrom('a', 'b'),
    key: option(constantFrom('k1', 'k2'), { nil: undefined }),
    content: constantFrom('x', 'y'),
    hours: integer({ min: 0, max: 23 }),
    isRefused: constantFrom(true, false),
  });
  await assert(
    asyncProperty(array(some, { maxLength: 20 }), async (requests) => {
      let now = 0;
      const answers = new InMemoryAnswers(() => now);
      const work = startWork();
      const expected = new Map<string, { content: string; untilMs: number; number: number }>();
      for (const { scope, key, content, hours, isRefused } of requests) {
        now += hours * HOURS_MS;
        let replays = 0;
        const keyed = { scope, operation: 'o', key, request: { content }, onReplayed: () => (replays += 1) };
        const refuse = () => Promise.reject(new Error('refused'));
        const outcome = await answers
          .answerOnce(keyed, isRefused ? refuse : work.carryOut)
          .catch((error: { code?: string; message: string }) => error.code ?? error.message);
        const id = `${scope} ${key}`;
        const known = key === undefined ? undefined : expected.get(id);
        if (known && now < known.untilMs) {
          const isSame = known.content === content;
          expect(outcome).toEqual(isSame ? { number: known.number } : 'idempotency-key-reused');
          expect(replays).toBe(isSame ? 1 : 0);
        } else {
          expect(outcome).toEqual(isRefused ? 'refused' : { number: work.made() });
          if (!isRefused) expected.set(id, { content, untilMs: now + 24 * HOURS_MS, number: work.made() });
        }
      }
    }),
  );
});

test('repeats wait for the first request, and one of them runs when it is refused', async () => {
  const answers = new InMemoryAnswers();
  const work = startWork();
  let replays = 0;
  const keyed = { scope: 'a', operation: 'o', key: 'k', request: {}, onReplayed: () => (replays += 1) };
  const refused = answers.answerOnce(keyed, () => Promise.reject(new Error('refused')));
  const repeats = Array.from({ length: 4 }, () => answers.answerOnce(keyed, work.carryOut));
  await expect(refused).rejects.toThrow('refused');
  expect(await Promise.all(repeats)).toEqual(Array.from({ length: 4 }, () => ({ number: 1 })));
  expect(replays).toBe(3);
});

test('the oldest answers are dropped when there are too many', async () => {
  const answers = new InMemoryAnswers(() => 0, 2);
  const work = startWork();
  const send = (key: string) =>
    answers.answerOnce({ scope: 'a', operation: 'o', key, request: {}, onReplayed: () => undefined }, work.carryOut);
  for (const key of ['k1', 'k2', 'k3']) await send(key);
  expect(await send('k3')).toEqual({ number: 3 });
  expect(await send('k2')).toEqual({ number: 2 });
  expect(await send('k1')).toEqual({ number: 4 });
});
