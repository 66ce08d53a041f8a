import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');

/** Report of this repository's lint on a file. */
function lint(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const file = join(folder, 'source.ts');
  writeFileSync(file, source);
  const program = join(root, 'node_modules/.bin/oxlint');
  const words = ['-c', join(root, 'oxlint.config.ts'), '--format', 'unix', file];
  const { stdout } = spawnSync(program, words, { cwd: root, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return stdout;
}

test('refuses a regular expression that takes quadratic time', () => {
  // The first one blocked the portal for seconds on a request of 40 KB.
  const layout = String.raw`export const compact = (page: string): string => page.replaceAll(/>\s*\n\s*</g, '>\n<');`;
  const nested = String.raw`export const isList = (text: string): boolean => /^(?:\w+,?)+$/.test(text);`;
  const zeros = String.raw`export const trimmed = (text: string): string => text.replace(/0+$/, '.');`;
  const report = lint([layout, nested, zeros].join('\n'));
  for (const line of [1, 2, 3]) expect(report).toMatch(new RegExp(`source\\.ts:${line}:`));
  expect(report).toContain('regexp(no-super-linear-backtracking)');
  expect(report).toContain('regexp(no-super-linear-move)');
});

test('accepts one that takes linear time', () => {
  const source = String.raw`export const compact = (page: string): string => page.replaceAll(/>\n {0,99}</g, '>\n<');`;
  expect(lint(source)).not.toContain('regexp(');
});
