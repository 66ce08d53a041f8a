import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { AvailabilityWatch } from '../src/availability.ts';

const watches: AvailabilityWatch[] = [];
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop();
});

/** Creates a watch with these probe results, in order. The last one repeats. */
async function createWatch(answers: (() => boolean)[], lostAfterMs = 60_000) {
  let count = 0;
  const seen: boolean[] = [];
  const watch = new AvailabilityWatch({
    probe: () => {
      seen.push(watch.isUsable);
      return Promise.resolve((answers[count++] ?? answers.at(-1))?.() ?? false);
    },
    probeEveryMs: 1,
    lostAfterMs,
  });
  watches.push(watch);
  await watch.start();
  /** Whether it was usable before each probe, and after the last of the given results. */
  const verdicts = async (): Promise<boolean[]> => {
    await eventually(() => Promise.resolve(seen.length > answers.length), 'all answers');
    return seen.slice(1, answers.length + 1);
  };
  return { watch, verdicts };
}

const yes = (): boolean => true;
const no = (): boolean => false;
/** Blocks the thread. */
const block = (ms: number) => (): boolean => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return false;
};

test('two consecutive missed probes make it unusable, and one answer usable again', async () => {
  const { verdicts } = await createWatch([yes, no, yes, no, no, yes, yes]);
  expect(await verdicts()).toEqual([true, true, true, true, false, true, true]);
});

test('the first probe alone determines the initial state', async () => {
  const { watch } = await createWatch([no]);
  expect(watch.isUsable).toBe(false);
});

test('probes missed while the process stalls do not count, unless it keeps stalling', async () => {
  const stalled = block(700);
  const few = await createWatch([yes, stalled, stalled, stalled, yes, yes]);
  expect(await few.verdicts()).toEqual([true, true, true, true, true, true]);
  const many = await createWatch([yes, ...Array.from({ length: 7 }, () => stalled)]);
  expect((await many.verdicts()).at(-1)).toBe(false);
});

test('a database is lost after a long time without an answer, until the next answer', async () => {
  let isThere = true;
  const { watch } = await createWatch([() => isThere], 30);
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
