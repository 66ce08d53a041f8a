import { expect, test } from '@jest/globals';
import { assert, integer, property, subarray } from 'fast-check';
import { listFaults, injectAll } from '../src/injection.ts';
import { modes, listUnits } from '../src/fleet/replicas.ts';
import { drawLoop, mayOverlap, drawSchedule, type PlannedFault } from '../src/schedule.ts';
import type { Fault } from '../src/faults/fault.ts';
import type { Installation } from '../src/fleet/installation.ts';

const nowhere = { fleet: { kills: [] } } as unknown as Installation;

/** A fault that records its beginning and end, and is healed when `letGo` resolves. */
function createRecordingFault(kind: string, notes: string[], healed: Promise<void> = Promise.resolve()): Fault {
  return {
    kind,
    hits: 'one',
    targets: [],
    seconds: [0, 0],
    weight: 1,
    inject() {
      notes.push(`${kind} begins`);
      return Promise.resolve(async () => {
        await healed;
        notes.push(`${kind} ends`);
      });
    },
  };
}

const plan = (kind: string, zone: 1 | 2, hits: 'one' | 'all' = 'one'): PlannedFault => ({
  kind,
  hits,
  target: { name: `${kind}-${zone}`, zone },
  fromMs: 0,
  forMs: 0,
  seed: 1,
});

const inject = (faults: Fault[], planned: PlannedFault[], loopMs?: number, signal = new AbortController().signal) =>
  injectAll({
    installation: nowhere,
    faults,
    planned,
    forMs: loopMs ?? 0,
    isLoop: loopMs !== undefined,
    signal,
    log: () => undefined,
  });

test('a fault waits only for faults that it must not overlap', async () => {
  const notes: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const faults = [
    createRecordingFault('first', notes, promise),
    createRecordingFault('beside', notes),
    createRecordingFault('after', notes),
  ];
  const injecting = inject(faults, [plan('first', 1), plan('beside', 1), plan('after', 2)]);
  while (!notes.includes('beside ends')) await new Promise(setImmediate);
  expect(notes).toEqual(['first begins', 'beside begins', 'beside ends']);
  resolve();
  const { intervals, failures } = await injecting;
  expect(notes.slice(3)).toEqual(['first ends', 'after begins', 'after ends']);
  expect(intervals.map(({ target }) => target)).toEqual(['beside-1', 'first-1', 'after-2']);
  expect(failures).toEqual([]);
});

test('a fault that cannot be injected is a failure of the run and does not stop the others', async () => {
  const notes: string[] = [];
  const broken: Fault = {
    ...createRecordingFault('broken', notes),
    inject: () => Promise.reject(new Error('It does not work.')),
  };
  const { failures } = await inject(
    [broken, createRecordingFault('next', notes)],
    [plan('broken', 1), plan('next', 2)],
  );
  expect(failures).toEqual(['broken on broken-1: It does not work.']);
  expect(notes).toEqual(['next begins', 'next ends']);
});

test('a loop injects faults one after the other until its time is over, even in one zone', async () => {
  const notes: string[] = [];
  const stopping = new AbortController();
  const second: Fault = { ...createRecordingFault('second', notes), inject: () => (stopping.abort(), () => undefined) };
  const { promise, resolve } = Promise.withResolvers<void>();
  const planned = [plan('first', 1), plan('second', 1), plan('first', 1)];
  const injecting = inject([createRecordingFault('first', notes, promise), second], planned, 60_000, stopping.signal);
  while (notes.length === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(stopping.signal.aborted).toBe(false);
  resolve();
  const { intervals } = await injecting;
  expect(intervals.map(({ kind }) => kind)).toEqual(['first', 'second']);
  expect(await inject([createRecordingFault('first', notes)], [plan('first', 1)], 0)).toMatchObject({ intervals: [] });
});

/** Few, because drawing twenty minutes is slow. */
const FEW = { numRuns: 30 } as const;
const seeds = integer({ min: 0, max: 2 ** 31 - 1 });
const kinds = listFaults(listUnits('separate'));
const endMs = ({ fromMs, forMs }: PlannedFault): number => fromMs + forMs;

test('schedules differ by seed only', () => {
  assert(
    property(seeds, (seed) => {
      expect(drawSchedule(seed, 5, kinds)).toEqual(drawSchedule(seed, 5, kinds));
      expect(drawSchedule(seed, 5, kinds)).not.toEqual(drawSchedule(seed + 1, 5, kinds));
    }),
  );
});

test.each(modes)('twenty minutes contain every kind of fault: %s', (mode) => {
  const all = listFaults(listUnits(mode));
  assert(
    property(seeds, (seed) => {
      const planned = drawSchedule(seed, 20, all);
      expect(new Set(planned.map(({ kind }) => kind))).toEqual(new Set(all.map(({ kind }) => kind)));
    }),
    FEW,
  );
});

test('faults end before the run does, with permitted durations and targets', () => {
  assert(
    property(seeds, integer({ min: 1, max: 10 }), (seed, minutes) => {
      for (const { kind, target, fromMs, forMs } of drawSchedule(seed, minutes, kinds)) {
        const fault = kinds.find((each) => each.kind === kind);
        const [least, most] = fault?.seconds ?? [Infinity, 0];
        expect(fault?.targets).toContain(target);
        expect(forMs).toBeGreaterThanOrEqual(least * 1_000);
        expect(forMs).toBeLessThanOrEqual(most * 1_000);
        expect(fromMs + forMs).toBeLessThanOrEqual(minutes * 60_000);
      }
    }),
    FEW,
  );
});

test('faults overlap, but always spare one zone and all servers', () => {
  let overlaps = 0;
  assert(
    property(seeds, (seed) => {
      const planned = drawSchedule(seed, 20, kinds);
      for (const [index, later] of planned.entries())
        for (const earlier of planned.slice(0, index)) {
          expect(later.fromMs).toBeGreaterThanOrEqual(earlier.fromMs);
          if (endMs(earlier) <= later.fromMs) continue;
          overlaps += 1;
          expect(mayOverlap(earlier, later)).toBe(true);
          expect([earlier.hits, later.hits]).toEqual(['one', 'one']);
          expect(earlier.target.zone).toBe(later.target.zone);
        }
    }),
    FEW,
  );
  expect(overlaps).toBeGreaterThan(0);
});

test('leaving out kinds does not change the draw of the others', () => {
  const names = kinds.map(({ kind }) => kind);
  assert(
    property(seeds, subarray(names), (seed, only) => {
      const planned = drawSchedule(seed, 10, kinds);
      expect(drawSchedule(seed, 10, kinds, only)).toEqual(planned.filter(({ kind }) => only.includes(kind)));
    }),
  );
});

test('a loop repeats one kind with short breaks', () => {
  const [kind] = kinds.filter((each) => each.kind === 'unit-kill');
  if (!kind) throw new Error('There is no such kind.');
  const planned = drawLoop(1, 5, kind);
  expect(planned).toEqual(drawLoop(1, 5, kind));
  expect(new Set(planned.map((each) => each.kind))).toEqual(new Set(['unit-kill']));
  expect(planned.length).toBeGreaterThan(50);
  for (const [index, { fromMs }] of planned.entries())
    expect(fromMs).toBeGreaterThan(index === 0 ? 0 : endMs(planned[index - 1] as PlannedFault));
});
