import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');
const FIRST = "import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';";

/** Test files by name. They run in the order of their names, the long one first, in one worker. */
const FILES: Readonly<Record<string, string>> = {
  'shared.ts': 'export const seen: string[] = [];',
  'a-limits.test.ts': `
    import { seen } from './shared.ts';
    seen.push('a');
    const never = () => new Promise(() => undefined);
    test('a test has a limit', never, 20);
    describe('a hook', () => { beforeAll(never, 20); test('has one too', () => undefined); });
    jest.setTimeout(30);
    test('a file sets its own', never);`,
  'b-kinds.test.ts': `
    import { seen } from './shared.ts';
    test('a module is loaded once per worker', () => expect(seen).toEqual(['z', 'a']));
    test.each([1, 2])('each %d', (n) => expect(n).toBeGreaterThan(0));
    test.failing('what fails', () => expect(1).toBe(2));
    test.skip('what is skipped', () => { throw new Error(); });
    test.todo('what is to do');
    test('lasts longer than the limit of another file', () => new Promise((done) => setTimeout(done, 60)));
    expect.extend({ toBeOdd: (n: number) => ({ pass: n % 2 === 1, message: () => String(n) }) });
    test('a matcher', () => (expect(3) as unknown as { toBeOdd(): void }).toBeOdd());`,
  'c-leaves.test.ts': `
    test('leaves a mock, fake timers and a variable', () => {
      jest.spyOn(JSON, 'parse').mockReturnValue('mocked');
      jest.useFakeTimers();
      process.env.LEFT_BEHIND = 'yes';
      delete process.env.GIVEN;
      process.exitCode = 9;
    });`,
  'd-finds.test.ts': `
    test('finds none of them', async () => {
      await new Promise((done) => setTimeout(done, 1));
      expect([JSON.parse('1'), process.env.LEFT_BEHIND, process.env.GIVEN]).toEqual([1, undefined, 'given']);
    });
    test('timers go on at will', async () => {
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
    import { endings } from '${root}/libs/testing/src/endings.ts';
    test('keeps something', () => void endings.add(import.meta.dirname + '/keeper.ending.ts'));`,
  'j-after.test.ts': `
    test('shows where it failed', () => {
      expect(1).toBe(2);
    });`,
  'z-long.test.ts': `
    import { seen } from './shared.ts';
    test('comes first', () => expect(seen.push('z')).toBe(1));`,
  'keeper.ending.ts': `test('is ended in the end', () => expect('kept').toBe('ended'));`,
};

let folder: string;
let output: string;
let status: number | null;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'runner-'));
  mkdirSync(join(folder, 'libs/one'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, 'libs/one', name), FIRST + text);
  const tools = join(root, 'tools/jest');
  const config = {
    rootDir: folder,
    runner: [join(tools, 'runner.mjs'), { quietLimitMs: 4_000, first: ['/z-'] }],
    runtime: join(tools, 'runtime.cjs'),
    testEnvironment: join(tools, 'environment.cjs'),
    testSequencer: join(import.meta.dirname, 'support/by-name.cjs'),
    fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
    transform: {},
    maxWorkers: 1,
    watchman: false,
  };
  const program = join(root, 'node_modules/jest/bin/jest.js');
  const words = [program, '--config', JSON.stringify(config), '--verbose'];
  const env = { ...process.env, GIVEN: 'given', FORCE_COLOR: '0' };
  const run = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
  output = run.stderr + run.stdout;
  status = run.status;
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('tests and hooks have limits, also those of their file alone', () => {
  for (const name of ['a test has a limit', 'has one too', 'a file sets its own'])
    expect(output).toContain(`✕ ${name}`);
  expect(output).toContain('Exceeded timeout of 20 ms for a hook.');
});

test.each(['comes first', 'a module is loaded once per worker', 'each 1', 'each 2', 'what fails', 'a matcher'])(
  'passes: %s',
  (name) => expect(output).toContain(`✓ ${name}`),
);

test('a file finds mocks, timers and variables as if it were the first', () => {
  expect(output).toContain('✓ finds none of them');
  expect(output).toContain('✓ timers go on at will');
});

test('a worker that crashes or hangs fails its file, and the run goes on', () => {
  expect(output).toContain('The worker ended with SIGKILL while it ran this file.');
  expect(output).toContain('The file hangs: no test began or ended for 4 s.');
  expect(output).toContain('cannot be loaded');
  expect(output).toContain('✕ throws later');
});

test('a failure shows its line', () => expect(output).toMatch(/at .*libs\/one\/j-after\.test\.ts:3:\d+/));

test('what a worker keeps is ended after its last file, and counts', () => {
  expect(output).toContain('✕ is ended in the end');
  expect(output).toMatch(/^Tests: +6 failed, 1 skipped, 1 todo, \d+ passed/m);
  expect(status).toBe(1);
});
