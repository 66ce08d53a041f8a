import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'scs-package-'));
const modules = join(folder, 'installed/node_modules');
const scs = join(modules, '@saleschannel/cli/dist/main.js');

/** The package with its dependencies, as npm installs it. */
beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'tools/build-packages.ts'), folder]);
  mkdirSync(join(modules, '@saleschannel'), { recursive: true });
  for (const name of ['cli', 'sdk'])
    cpSync(join(folder, name), join(modules, '@saleschannel', name), { recursive: true });
  for (const name of ['commander', 'oauth4webapi']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the package names exact versions and nothing else of the repository', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'cli/package.json'), 'utf8')) as {
    bin: unknown;
    dependencies: Record<string, string>;
  };
  expect(manifest.bin).toEqual({ scs: 'dist/main.js' });
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual(['@saleschannel/sdk', 'commander', 'oauth4webapi']);
  for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(readFileSync(scs, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
});

const nodes = [process.execPath, '/usr/bin/node', '/usr/local/bin/node'].filter((node) => existsSync(node));

test.each(nodes)('%s runs the package unchanged', (node) => {
  const run = (...words: string[]) =>
    spawnSync(node, [scs, ...words], { encoding: 'utf8', env: { XDG_CONFIG_HOME: folder } });
  expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: scs') });
  expect(run('traders')).toMatchObject({ status: 2, stderr: expect.stringContaining('scs login') });
  expect(run('nothing')).toMatchObject({ status: 2 });
});

const shells = (['bash', 'zsh', 'fish'] as const).map((shell) => ({
  shell,
  file: join(folder, `completion.${shell}`),
}));

test.each(shells)('$shell can read its completion script', ({ shell, file }) => {
  const { status, stdout } = spawnSync(process.execPath, [scs, 'completion', shell], { encoding: 'utf8' });
  expect(status).toBe(0);
  for (const word of ['retire', 'rotate', 'from-oldest', 'forward-to']) expect(stdout).toContain(word);
  expect(stdout).not.toContain('passphrase');
  writeFileSync(file, stdout);
  // Without the shell, only the text is checked.
  const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  if (checked.error === undefined) expect(checked).toMatchObject({ status: 0, stderr: '' });
});

test('a closed standard error does not change the exit code', () => {
  const config = mkdtempSync(join(folder, 'config-'));
  // The reader closes before anything is written.
  const { stdout } = spawnSync(
    'bash',
    ['-c', '{ "$0" "$1" traders 2>&1 >&3 | :; echo "${PIPESTATUS[0]}"; } 3>/dev/null', process.execPath, scs],
    {
      encoding: 'utf8',
      env: { XDG_CONFIG_HOME: config },
    },
  );
  expect(stdout).toBe('2\n');
});

test('bash completes commands, subcommands and options', () => {
  const { stdout: script } = spawnSync(process.execPath, [scs, 'completion', 'bash'], { encoding: 'utf8' });
  const completed = (...words: string[]): string[] => {
    const command = `COMP_WORDS=(scs ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _scs`;
    const { stdout } = spawnSync('bash', ['-c', `${script}\n${command}\necho "\${COMPREPLY[@]}"`], {
      encoding: 'utf8',
    });
    return stdout.trim().split(' ');
  };
  expect(completed('tra')).toEqual(['traders', 'transactions', 'trade']);
  expect(completed('traders', '--na')).toEqual(['--name']);
  expect(completed('--profile', 'staging', 'keys', 'ro')).toEqual(['rotate']);
  expect(completed('--profile', '=', 'staging', 'keys', 'ro')).toEqual(['rotate']);
  expect(completed('plan', 't1', '--vintage', '')).toEqual(['']);
  expect(completed('trigger', 'approval-r')).toEqual(['approval-rejected']);
  expect(completed('keys', 'ro')).toEqual(['rotate']);
  expect(completed('--json', 'retire', 't1', '--from-o')).toEqual(['--from-oldest']);
  expect(completed('listen', '--fo')).toEqual(['--forward-to']);
});
