// node tools/lint-migrations.ts [file …]     Part of "npm run lint".
//
// Checks migrations by the rules of .squawk.toml: no long table locks, and nothing on which the code of the previous
// release cannot run. Without files, checks all that are newer than the rules. For an exception, write
// "-- squawk-ignore <rule>" above the statement, and a comment with the reason above that.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isOutsideTransaction } from '../libs/database/src/index.ts';

const root = resolve(import.meta.dirname, '..');
/** Migrations up to here are released and never change. */
const HISTORY_UNTIL = '20261123040000';
const EXCEPTION = /^\s*--\s*squawk-ignore(?:-file)?\b/;
const REASON = /^\s*--\s*(?!squawk-ignore)\S+/;

interface Found {
  readonly file: string;
  readonly line: number;
  readonly rule_name: string;
  readonly message: string;
}

const isHistory = (file: string): boolean => basename(file).slice(0, HISTORY_UNTIL.length) <= HISTORY_UNTIL;

const given = process.argv.slice(2).map((file) => resolve(file));
const files =
  given.length > 0
    ? given
    : globSync('apps/*/src/store/migrations/*.sql', { cwd: root })
        .toSorted()
        .filter((file) => !isHistory(file))
        .map((file) => join(root, file));

/** Exits with 1 if it has findings, which it prints as JSON in any case. */
async function squawk(checked: readonly string[], ...options: string[]): Promise<Found[]> {
  if (checked.length === 0) return [];
  const config = ['--config', join(root, '.squawk.toml'), '--reporter', 'json'];
  const run = promisify(execFile)(join(root, 'node_modules/.bin/squawk'), [...config, ...options, ...checked]);
  const { stdout, stderr } = await run.catch((error: { stdout?: string; stderr?: string }) => error);
  if (!stdout) throw new Error(`squawk does not run: ${stderr}`);
  return JSON.parse(stdout) as Found[];
}

/** Finds exceptions without a reason. */
function unexplained(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    EXCEPTION.test(line) && !REASON.test(lines[index - 1] ?? '')
      ? [`${file}:${index + 1}: add a comment with the reason above the exception`]
      : [],
  );
}

const outside = files.filter((file) => isOutsideTransaction(readFileSync(file, 'utf8')));
const inside = files.filter((file) => !outside.includes(file));
const found = [
  ...(await squawk(inside, '--assume-in-transaction')),
  ...(await squawk(outside, '--no-assume-in-transaction')),
];
const faults = [
  ...found.map(({ file, line, rule_name: rule, message }) => `${file}:${line + 1}: ${rule}: ${message}`),
  ...files.flatMap(unexplained),
];
for (const fault of faults) process.stdout.write(`${fault.replace(`${root}/`, '')}\n`);
if (faults.length > 0) process.exitCode = 1;
else process.stdout.write(`${files.length} migrations checked, 0 faults\n`);
