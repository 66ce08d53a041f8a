import { expect, test } from '@jest/globals';
import { assert, integer, property, subarray } from 'fast-check';
import { listFaults } from '../src/injection.ts';
import { modes, listUnits } from '../src/fleet/replicas.ts';
import { drawLoop, mayOverlap, drawSchedule, type PlannedFault } from '../src/schedule.ts';

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
