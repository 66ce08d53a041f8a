import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { files } from './support/files.ts';

const root = resolve(import.meta.dirname, '../../..');
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
