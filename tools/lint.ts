// npm run lint [-- <part> …]
//
// Runs every check that needs no tests, several at once, and prints what the failing ones report.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Commands of each part. A name without a slash is a program in node_modules/.bin, a path is a script. */
const parts: Readonly<Record<string, readonly (readonly string[])[]>> = {
  code: [['oxlint', '--deny-warnings']],
  unused: [['knip', '--no-config-hints']],
  conventions: [['tools/check-conventions.ts'], ['tools/check-boundaries.ts'], ['tools/check-owners.ts']],
  english: [['tools/check-plain-english.ts']],
  docs: [['tools/check-docs.ts', '--references']],
  openapi: [['redocly', 'lint', 'apps/gateway/openapi/openapi.yaml', 'apps/console/openapi/openapi.yaml']],
  protos: [
    ['buf', 'lint'],
    ['buf', 'format', '--diff', '--exit-code'],
  ],
  observe: [['deploy/observe/check.ts']],
  migrations: [['tools/lint-migrations.ts']],
  charts: [['deploy/helm/check.ts']],
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.`);
const waiting = (named.length > 0 ? named : Object.keys(parts)).flatMap((name) => parts[name] ?? []);

/** Runs a command. Prints its output if it fails, or if the command line names parts. */
async function run([program = '', ...args]: readonly string[]): Promise<void> {
  const [file = '', ...rest] = program.includes('/')
    ? [process.execPath, program, ...args]
    : [join(root, 'node_modules/.bin', program), ...args];
  const child = spawn(file, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise((settle, fail) => child.on('close', settle).on('error', fail));
  if (code !== 0) process.exitCode = 1;
  if (code !== 0 || named.length > 0) process.stdout.write(Buffer.concat(output));
  if (code !== 0) console.error(`failed: ${[program, ...args].join(' ')}`);
}

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
}

await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
