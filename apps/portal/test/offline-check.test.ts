import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Register } from './support/register.ts';

/** The lines of docs/statements.md are run as they stand there. */

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'offline-'));
let register: Register;
let lines: string;

beforeAll(async () => {
  register = await Register.create();
  lines = /```js\n(.*?)```/s.exec(readFileSync(join(root, 'docs/statements.md'), 'utf8'))?.[1] ?? 'throw new Error()';
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: register.keys }));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(statement: string): Promise<string> {
  writeFileSync(join(folder, 'statement.json'), statement);
  const files = ['statement.json', 'keys.json'].map((name) => join(folder, name));
  const command = ['--input-type=module', '--eval', lines, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root });
  return stdout;
}

test('the documented check takes what was signed, hidden or not', async () => {
  expect(await run(await register.add())).toBe('valid\n');
  expect(await run(await register.add({ isHidden: true }))).toBe('valid\n');
});

test.each([
  ['Nordlys', 'Nordlis'],
  ['"volume":31250', '"volume":31251'],
  ['"retiredAt":"2025', '"retiredAt":"2024'],
  ['"publication"', '"note":1,"publication"'],
])('the documented check refuses %s as %s', async (from, to) => {
  const text = await register.add();
  expect(text).toContain(from);
  await expect(run(text.replace(from, to))).rejects.toThrow();
});
