import { expect, test } from '@jest/globals';
import type { Fault } from '../src/faults/fault.ts';
import type { Installation } from '../src/fleet/installation.ts';
import { injectAll } from '../src/injection.ts';
import type { PlannedFault } from '../src/schedule.ts';

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
