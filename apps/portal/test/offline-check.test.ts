import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Register } from './support/register.ts';

/** Runs the code of docs/integrate/statements.md in a folder without packages. */

const document = readFileSync(resolve(import.meta.dirname, '../../../docs/integrate/statements.md'), 'utf8');
const findBlock = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(document)?.[1] ?? 'false';
const folder = mkdtempSync(join(tmpdir(), 'offline-'));
const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
let register: Register;

beforeAll(async () => {
  register = await Register.create();
  writeFileSync(join(folder, 'check.mjs'), findBlock('js'));
  writeFileSync(join(folder, 'statement-keys.json'), JSON.stringify({ keys: register.keys }));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(statement: string): Promise<string> {
  writeFileSync(join(folder, 'statement.json'), statement);
  const options = { cwd: folder, env: { PATH: path } };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', findBlock('sh')], options);
  return stdout;
}

test('the documented check accepts signed statements, hidden or not', async () => {
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

test('the documented check rejects other keys', async () => {
  const other = await Register.create();
  await expect(run(await other.add())).rejects.toThrow('not signed by this key');
});
