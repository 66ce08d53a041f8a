import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');

function check(name: string, text: string): { readonly status: number | null; readonly report: string } {
  const folder = mkdtempSync(join(tmpdir(), 'plain-'));
  const file = join(folder, name);
  writeFileSync(file, text);
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'tools/check-plain-english.ts'), relative(root, file)],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  return { status, report: stderr };
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
