import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');

/** Runs a program of this repository on a new file. */
function runOn(name: string, text: string, commandFor: (file: string) => [string, ...string[]]) {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const file = join(folder, name);
  writeFileSync(file, text);
  const [program, ...words] = commandFor(file);
  const finished = spawnSync(program, words, { cwd: root, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return finished;
}

function check(name: string, text: string): { readonly status: number | null; readonly report: string } {
  const script = 'tools/check-plain-english.ts';
  const { status, stderr } = runOn(name, text, (file) => [process.execPath, script, relative(root, file)]);
  return { status, report: stderr };
}

/** Report of this repository's lint on a file. */
function lint(source: string): string {
  const program = join(root, 'node_modules/.bin/oxlint');
  const words = ['-c', join(root, 'oxlint.config.ts'), '--format', 'unix'];
  return runOn('source.ts', source, (file) => [program, ...words, file]).stdout;
}

test.each([
  ['a line comment', '// Of one look.'],
  ['a doc comment', '/** Whoever calls it must be an operator. */'],
  ['a continued comment', '/**\n * Retries. What fails is sent anew.\n */'],
  ['a trailing comment', 'const atMost = 3; // Calls of nobody.'],
])('refuses %s', (_, text) => {
  const { status, report } = check('source.ts', text);
  expect(status).toBe(1);
  expect(report).toMatch(/source\.ts:\d: "[^"]+": \w+/);
});

test('refuses prose of Markdown, but neither code nor fences', () => {
  const text = 'The name `of before` is fine.\n\n```\nnobody\n```\n\nNobody reads this.\n';
  const { report } = check('page.md', text);
  expect(report).toContain('page.md:7: "Nobody"');
  expect(report.trim().split('\n')).toHaveLength(1);
});

test('accepts plain sentences, strings and code', () => {
  const text = "/** Deadline of a call, on the monotonic clock. */\nconst text = 'nobody'; // As long as it runs.\n";
  expect(check('source.ts', text)).toEqual({ status: 0, report: '' });
});

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
