import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { AvailabilityWatch } from '../src/availability.ts';

const watches: AvailabilityWatch[] = [];
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop();
});

/** Answers of probes in their order. The last one is repeated. */
async function watchOf(answers: (() => boolean)[], lostAfterMs = 60_000) {
  let asked = 0;
  const seen: boolean[] = [];
  const watch = new AvailabilityWatch({
    probe: () => {
      seen.push(watch.isUsable);
      return Promise.resolve((answers[asked++] ?? answers.at(-1))?.() ?? false);
    },
    lookMs: 1,
    lostAfterMs,
  });
  watches.push(watch);
  await watch.start();
  /** Whether it was usable before each probe and after the last of the given answers. */
  const verdicts = async (): Promise<boolean[]> => {
    await eventually(() => Promise.resolve(seen.length > answers.length), 'all answers');
    return seen.slice(1, answers.length + 1);
  };
  return { watch, verdicts };
}

const yes = (): boolean => true;
const no = (): boolean => false;
/** Holds the whole thread. */
const standStill = (ms: number) => (): boolean => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return false;
};

test('one missed probe changes nothing, two in a row do, and one answer ends it', async () => {
  const { verdicts } = await watchOf([yes, no, yes, no, no, yes, yes]);
  expect(await verdicts()).toEqual([true, true, true, true, false, true, true]);
});

test('the first probe decides alone', async () => {
  const { watch } = await watchOf([no]);
  expect(watch.isUsable).toBe(false);
});

test('probes that are missed while the process stands still do not count, unless it never runs again', async () => {
  const stalled = standStill(700);
  const few = await watchOf([yes, stalled, stalled, stalled, yes, yes]);
  expect(await few.verdicts()).toEqual([true, true, true, true, true, true]);
  const many = await watchOf([yes, ...Array.from({ length: 7 }, () => stalled)]);
  expect((await many.verdicts()).at(-1)).toBe(false);
});

test('a database without an answer for long enough is lost, and found again with the next answer', async () => {
  let isThere = true;
  const { watch } = await watchOf([() => isThere], 30);
  const changes: boolean[] = [];
  watch.onChange(() => changes.push(watch.isLost));
  const removed = watch.onChange(() => changes.push(false));
  removed();
  isThere = false;
  await eventually(() => Promise.resolve(watch.isLost), 'the loss');
  expect(watch.isUsable).toBe(false);
  isThere = true;
  await eventually(() => Promise.resolve(!watch.isLost), 'the return');
  expect(watch.isUsable).toBe(true);
  expect(changes).toEqual([true, false]);
});
