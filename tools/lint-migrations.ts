// node tools/lint-migrations.ts [file …]     Part of "npm run check".
//
// Holds migrations against the rules of .squawk.toml: what locks a table while it is read through or written anew, and
// what the code of the release before cannot run on. Without files: all that are newer than those that were released
// before there were such rules. A deliberate exception is "-- squawk-ignore <rule>" above the statement, with a comment
// above it that says why.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isOutsideTransaction } from '../libs/database/src/index.ts';

const root = resolve(import.meta.dirname, '..');
/** Never changed any more, whatever they hold. */
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

/** Ends with 1 where it finds something, and says the same either way. */
async function squawk(checked: readonly string[], ...options: string[]): Promise<Found[]> {
  if (checked.length === 0) return [];
  const config = ['--config', join(root, '.squawk.toml'), '--reporter', 'json'];
  const run = promisify(execFile)(join(root, 'node_modules/.bin/squawk'), [...config, ...options, ...checked]);
  const { stdout, stderr } = await run.catch((error: { stdout?: string; stderr?: string }) => error);
  if (!stdout) throw new Error(`squawk does not run: ${stderr}`);
  return JSON.parse(stdout) as Found[];
}

/** Exceptions without a reason. */
function unexplained(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    EXCEPTION.test(line) && !REASON.test(lines[index - 1] ?? '')
      ? [`${file}:${index + 1}: an exception without a comment above it that says why`]
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
else process.stdout.write(`${files.length} new migrations keep the rules\n`);
