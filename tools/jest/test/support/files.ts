import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../../..');
const IMPORTS = "import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';";

/** Test files by name. They run in one worker in this order, the longest first. */
const bodies: Readonly<Record<string, string>> = {
  'shared.ts': 'export const seen: string[] = [];',
  'a-kinds.test.ts': `
    import { seen } from './shared.ts';
    test('a module is loaded once per worker', () => expect(seen).toEqual(['z']));
    test.each([1, 2])('each %d', (n) => expect(n).toBeGreaterThan(0));
    test.failing('an expected failure', () => expect(1).toBe(2));
    test.skip('a skipped test', () => { throw new Error(); });
    test.todo('a missing test');
    expect.extend({ toBeOdd: (n: number) => ({ pass: n % 2 === 1, message: () => String(n) }) });
    test('a matcher', () => (expect(3) as unknown as { toBeOdd(): void }).toBeOdd());`,
  'b-limits.test.ts': `
    const never = () => new Promise(() => undefined);
    test('a test has a limit', never, 20);
    describe('a hook', () => { beforeAll(never, 20); test('has one too', () => undefined); });
    jest.setTimeout(30);
    test('a file sets its own', never);`,
  'c-leaves.test.ts': `
    jest.setTimeout(30);
    test('leaves a mock, fake timers and a variable', () => {
      jest.spyOn(JSON, 'parse').mockReturnValue('mocked');
      jest.useFakeTimers();
      process.env.LEFT_BEHIND = 'yes';
      delete process.env.GIVEN;
      process.exitCode = 9;
    });`,
  'd-finds.test.ts': `
    test('lasts longer than the limit of another file', () => new Promise((done) => setTimeout(done, 60)));
    test('finds none of them', async () => {
      await new Promise((done) => setTimeout(done, 1));
      expect([JSON.parse('1'), process.env.LEFT_BEHIND, process.env.GIVEN]).toEqual([1, undefined, 'given']);
    });
    test('fake timers advance on demand', async () => {
      jest.useFakeTimers();
      let rings = 0;
      setTimeout(() => rings++, 60_000);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(rings).toBe(1);
    });`,
  'e-crash.test.ts': `test('ends the worker', () => process.kill(process.pid, 'SIGKILL'));`,
  'f-hang.test.ts': `test('never yields', () => { for (;;); });`,
  'g-load.test.ts': `throw new Error('cannot be loaded');`,
  'h-late.test.ts': `
    test('throws later', async () => {
      setTimeout(() => { throw new Error('from a timer'); }, 1);
      await new Promise((done) => setTimeout(done, 50));
    });`,
  'i-keeps.test.ts': `
    import { endings } from '${root}/lab/testing/src/jest.ts';
    test('keeps something', () => void endings.add(import.meta.dirname + '/keeper.ending.ts'));`,
  'j-after.test.ts': `
    test('shows where it failed', () => {
      expect(1).toBe(2);
    });`,
  'k-litters.test.ts': `
    test('leaves a recurring error', async () => {
      setInterval(() => { throw new Error('left behind'); }, 2);
      await new Promise((done) => setTimeout(done, 50));
    });`,
  'l-spared.test.ts': `
    test('is not affected by the file before', () => new Promise((done) => setTimeout(done, 50)));`,
  'z-long.test.ts': `
    import { seen } from './shared.ts';
    test('comes first', () => expect(seen.push('z')).toBe(1));`,
  'keeper.ending.ts': `test('ends last', () => expect('kept').toBe('ended'));`,
};

export const files = Object.fromEntries(Object.entries(bodies).map(([name, text]) => [name, IMPORTS + text]));
