import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { sequence, type Part } from '../src/index.ts';
import { createReadiness } from '../src/readiness.ts';

/** Creates a readiness check with probes that the test answers, and a clock that it sets. */
function probed(count: number) {
  const answers = Array.from({ length: count }, () => true);
  let [nowMs, probes] = [0, 0];
  const isReady = createReadiness(
    answers.map((_answer, index) => () => {
      probes += 1;
      return Promise.resolve(answers[index] ?? false);
    }),
    () => nowMs,
  );
  /** Returns the readiness after these answers, a second later. */
  const look = (...given: boolean[]): Promise<boolean> => {
    answers.splice(0, count, ...given);
    nowMs += 1_000;
    return isReady();
  };
  return { isReady, look, countProbes: () => probes };
}

test('ends after two missed probes in a row, and returns with one answer', async () => {
  const { look } = probed(1);
  const seen: boolean[] = [];
  for (const answer of [true, false, true, false, false, false, true]) seen.push(await look(answer));
  expect(seen).toEqual([true, true, true, true, false, false, true]);
});

test('the first probe decides alone', async () => {
  const { look } = probed(1);
  expect([await look(false), await look(true)]).toEqual([false, true]);
});

test('misses of different services do not add up, and all services are required', async () => {
  const { look } = probed(2);
  expect([await look(true, true), await look(false, true), await look(true, false)]).toEqual([true, true, true]);
  expect([await look(true, false), await look(true, true)]).toEqual([false, true]);
});

test('sends a probe at most once a second', async () => {
  const { isReady, look, countProbes } = probed(1);
  await look(true);
  await Promise.all([look(false), isReady(), look(false), isReady()]);
  expect([await isReady(), countProbes()]).toEqual([true, 2]);
});

test('a probe missed during a stall of the process does not count', async () => {
  let nowMs = 0;
  const stall = (): boolean => {
    const end = performance.now() + 700;
    while (performance.now() < end) continue;
    return false;
  };
  const answers = [() => true, stall, stall, () => false, () => false];
  const isReady = createReadiness([() => Promise.resolve(answers.shift()?.() ?? true)], () => nowMs);
  const seen: boolean[] = [];
  for (let look = 0; look < 5; look++) {
    seen.push(await isReady());
    nowMs += 1_000;
  }
  expect(seen).toEqual([true, true, true, true, false]);
});

test('a process that cannot release its work exits for a restart', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/unhealthy-service.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [log, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(log).toContain('work neither ends nor can be released');
  expect(code).toBe(1);
}, 120_000);

test('joined parts are healthy if each is', () => {
  const part = (isHealthy?: boolean): Part => ({
    ...(isHealthy === undefined ? {} : { isHealthy }),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  });
  expect(sequence(part(), part(true)).isHealthy).toBe(true);
  expect(sequence(part(), sequence(part(true), part(false))).isHealthy).toBe(false);
});
