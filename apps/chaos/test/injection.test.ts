import { expect, test } from '@jest/globals';
import type { Fault } from '../src/faults/fault.ts';
import type { Installation } from '../src/fleet/installation.ts';
import { injectAll } from '../src/injection.ts';
import type { Planned } from '../src/schedule.ts';

const nowhere = {} as Installation;

/** A fault that notes when it begins and ends, and is healed when it is let go. */
function noting(kind: string, notes: string[], letGo: Promise<void> = Promise.resolve()): Fault {
  return {
    kind,
    hits: 'one',
    targets: [],
    seconds: [0, 0],
    weight: 1,
    inject() {
      notes.push(`${kind} begins`);
      return Promise.resolve(async () => {
        await letGo;
        notes.push(`${kind} ends`);
      });
    },
  };
}

const plan = (kind: string, zone: 1 | 2, hits: 'one' | 'all' = 'one'): Planned => ({
  kind,
  hits,
  target: { name: `${kind}-${zone}`, zone },
  fromMs: 0,
  forMs: 0,
  seed: 1,
});

const inject = (faults: Fault[], planned: Planned[]) =>
  injectAll({
    installation: nowhere,
    faults,
    planned,
    forMs: 0,
    signal: new AbortController().signal,
    calmMs: 0,
    log: () => undefined,
  });

test('a fault waits for one that it must not overlap, and for no other', async () => {
  const notes: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const faults = [noting('first', notes, promise), noting('beside', notes), noting('after', notes)];
  const injecting = inject(faults, [plan('first', 1), plan('beside', 1), plan('after', 2)]);
  while (!notes.includes('beside ends')) await new Promise(setImmediate);
  expect(notes).toEqual(['first begins', 'beside begins', 'beside ends']);
  resolve();
  const { intervals, failures } = await injecting;
  expect(notes.slice(3)).toEqual(['first ends', 'after begins', 'after ends']);
  expect(intervals.map(({ target }) => target)).toEqual(['beside-1', 'first-1', 'after-2']);
  expect(failures).toEqual([]);
});

test('a fault that cannot be injected is a failure of the run, and the others go on', async () => {
  const notes: string[] = [];
  const broken: Fault = { ...noting('broken', notes), inject: () => Promise.reject(new Error('It does not work.')) };
  const { failures } = await inject([broken, noting('next', notes)], [plan('broken', 1), plan('next', 2)]);
  expect(failures).toEqual(['broken on broken-1: It does not work.']);
  expect(notes).toEqual(['next begins', 'next ends']);
});
