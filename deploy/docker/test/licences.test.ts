import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { projectRoot } from '../../installation/test/support/programs.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'saleschannel-licences-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Installs packages, with npm's own record of them. */
function install(
  packages: Record<string, { license?: unknown; dependencies?: Record<string, string>; text?: string }>,
) {
  const locked: Record<string, object> = {};
  for (const [path, { text, ...manifest }] of Object.entries(packages)) {
    const inside = join(folder, path);
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, 'package.json'), JSON.stringify({ name: path, version: '1.0.0', ...manifest }));
    if (text !== undefined) writeFileSync(join(inside, 'LICENSE'), text);
    locked[path] = { version: '1.0.0', dependencies: manifest.dependencies ?? {} };
  }
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: locked }));
}

const run = (script: string, ...args: string[]): { status: number | null; stderr: string } =>
  spawnSync(process.execPath, [join(projectRoot, 'deploy/docker', script), ...args], { cwd: folder, encoding: 'utf8' });

const namesIn = (file: string): string[] =>
  (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { name: string }[]).map(({ name }) => name);

test('a licence that is not allowed fails the build, which names the package', () => {
  install({ 'node_modules/good': { license: 'MIT' }, 'node_modules/bad': { license: 'AGPL-3.0-only' } });
  const { status, stderr } = run('licences.ts', 'collect', 'list.json');
  expect(status).not.toBe(0);
  expect(stderr).toContain('bad@1.0.0: AGPL-3.0-only');
  expect(stderr).not.toContain('good@1.0.0');
});

test.each([
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND GPL-3.0-only', false],
  ['MIT AND ISC', true],
  [undefined, false],
  [{ type: 'BSD-3-Clause' }, true],
])('a licence %j is allowed: %s', (license, isAllowed) => {
  install({ 'node_modules/one': license === undefined ? {} : { license } });
  expect(run('licences.ts', 'collect', 'list.json').status === 0).toBe(isAllowed);
});

test('named packages are listed with their dependencies as npm placed them, or alone', () => {
  const needs = { dependencies: { needed: '*' } };
  install({
    'node_modules/@scope/one': { license: 'MIT', ...needs },
    'node_modules/@scope/one/node_modules/needed': { license: 'ISC', dependencies: { deeper: '*' } },
    'node_modules/needed': { license: 'MIT' },
    'node_modules/deeper': { license: 'MIT' },
    'node_modules/other': { license: 'GPL-3.0-only' },
  });
  run('licences.ts', 'collect', 'list.json', '--of', '@scope/one');
  expect(namesIn('list.json').toSorted()).toEqual(['@scope/one', 'deeper', 'needed']);
  run('licences.ts', 'collect', 'alone.json', '--of', '@scope/one', '--alone');
  expect(namesIn('alone.json')).toEqual(['@scope/one']);
});

test('the texts name each package once', () => {
  install({ 'node_modules/@scope/one': { license: 'MIT', text: 'Do what you want.' } });
  run('licences.ts', 'collect', 'list.json');
  run('licences.ts', 'write', 'out', 'saleschannel/identity', 'list.json', 'list.json');
  const texts = readFileSync(join(folder, 'out/THIRD-PARTY.txt'), 'utf8');
  expect(texts.match(/@scope\/one 1\.0\.0 \(MIT\)/g)).toHaveLength(1);
  expect(texts).toContain('Do what you want.');
});

test('files that no process reads are removed from packages, and licences stay', () => {
  install({ 'node_modules/one': { license: 'MIT', text: 'text' }, 'node_modules/@types/node': { license: 'MIT' } });
  const files = ['index.js', 'index.js.map', 'index.d.ts', 'src/index.ts', 'README.md', 'LICENSE.md', 'test/a.js'];
  const kept = ['index.js', 'LICENSE.md', 'dist/test/a.js'];
  for (const file of [...files, ...kept]) {
    mkdirSync(dirname(join(folder, 'node_modules/one', file)), { recursive: true });
    writeFileSync(join(folder, 'node_modules/one', file), '');
  }
  expect(run('trim.ts')).toMatchObject({ status: 0 });
  const remaining = spawnSync('find', ['node_modules', '!', '-type', 'd'], { cwd: folder, encoding: 'utf8' }).stdout;
  const expected = [...kept, 'LICENSE', 'package.json'].map((file) => `node_modules/one/${file}`);
  expect(remaining.trim().split('\n').toSorted()).toEqual(expected.toSorted());
});
