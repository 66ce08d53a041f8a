import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');
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

const files = Object.fromEntries(Object.entries(bodies).map(([name, text]) => [name, IMPORTS + text]));

let folder: string;
let output: string;
let status: number | null;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'runner-'));
  mkdirSync(join(folder, 'libs/one'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'libs/one', name), text);
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

test('tests and hooks time out, also by limits of their file', () => {
  for (const name of ['a test has a limit', 'has one too', 'a file sets its own'])
    expect(output).toContain(`✕ ${name}`);
  expect(output).toContain('Exceeded timeout of 20 ms for a hook.');
});

test.each([
  'comes first',
  'a module is loaded once per worker',
  'each 1',
  'each 2',
  'an expected failure',
  'a matcher',
])('passes: %s', (name) => expect(output).toContain(`✓ ${name}`));

test('a file finds fresh mocks, timers and variables', () => {
  expect(output).toContain('✓ finds none of them');
  expect(output).toContain('✓ fake timers advance on demand');
});

test('a worker that crashes or hangs fails its file, and the run continues', () => {
  expect(output).toContain('The worker ended with SIGKILL while it ran this file.');
  expect(output).toContain('The file hangs: no test started or ended for 4 s.');
  expect(output).toContain('cannot be loaded');
  expect(output).toContain('✕ throws later');
});

test('leftovers of a failed file do not fail the next', () =>
  expect(output).toContain('✓ is not affected by the file before'));

test('a failure shows its line', () => expect(output).toMatch(/at .*libs\/one\/j-after\.test\.ts:3:\d+/));

test('servers of a worker stop after its last file, and failures count', () => {
  expect(output).toContain('✕ ends last');
  // The worker may exit before it reports the test that left a recurring error. Then only the file fails.
  expect(output).toContain('FAIL libs/one/k-litters.test.ts');
  const failed = output.includes('✕ leaves a recurring error') ? 7 : 6;
  expect(output).toMatch(new RegExp(`^Tests: +${failed} failed, 1 skipped, 1 todo, \\d+ passed`, 'm'));
  expect(status).toBe(1);
});
