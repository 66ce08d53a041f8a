// npm run docs:check [-- <document> …]
//
// Runs every shell block of the documents against a running "npm start", in a copy of the checkout. A block that cannot
// run everywhere has a comment with the reason above it. Compares links, code and commands with the repository, also in
// blocks that do not run: scripts, options and subcommands of our programs, services and profiles of Compose, paths,
// and settings that two pages define. With --references only compares, as "npm run lint" does.
import { execFileSync, spawnSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, delimiter, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { findFreePort } from '../libs/local-backends/src/index.ts';
import { readDocuments, type Document, root, type Block } from './docs/documents.ts';
import { checkReferences } from './docs/references.ts';

/** Copies the checkout with its history and tags, so that documents cannot change the original. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'saleschannel-docs-'));
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, copy]);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { recursive: true, verbatimSymlinks: true });
  }
  execFileSync('git', ['reset', '--quiet'], { cwd: copy });
  execFileSync('cp', ['-a', join(root, 'node_modules'), join(copy, 'node_modules')]);
  return copy;
}

/** The environment without npm's changes: PATH entries of the checkout, and variables. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE|INIT_CWD)/.test(name))),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules\/\.bin$|node-gyp-bin$/.test(folder))
    .join(delimiter),
});

interface ServedStack {
  /** Address in the documents → address of the stack. */
  readonly addresses: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

/** Runs `npm start` in the copy, on free ports. @throws Error if it ends before it serves */
async function startInCopy(copy: string, log: (line: string) => void): Promise<ServedStack> {
  const [gateway, idp, portal, console] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const child = spawn('npm', ['start'], {
    cwd: copy,
    env: {
      ...environment(),
      GATEWAY_PORT: String(gateway),
      IDP_PORT: String(idp),
      PORTAL_PORT: String(portal),
      CONSOLE_PORT: String(console),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await serving(child, log);
  return {
    addresses: new Map([
      ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
      ['127.0.0.1:8090', `127.0.0.1:${idp}`],
      ['127.0.0.1:8070', `127.0.0.1:${portal}`],
      ['127.0.0.1:8071', `127.0.0.1:${console}`],
    ]),
    stop: async () => {
      if (child.exitCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, 'SIGINT');
      await once(child, 'exit');
    },
  };
}

const serving = (child: ChildProcess, log: (line: string) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`npm start ended with exit code ${code}`)));
    if (!child.stdout) throw new Error('npm start has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      log(line);
      if (line.includes('Press Ctrl-C to stop')) resolve();
    });
  });

/** Precedes the commands: any failure, also an HTTP error of curl, ends the session. */
const PROLOGUE = `set -euo pipefail
curl() { command curl --fail-with-body --max-time 60 "$@"; }
`;

/** Limit of a session, after which it is killed with its children. Longer than any document takes. */
const SECONDS_PER_DOCUMENT = 900;

/** First line of a block that is part of an example program. Quoted code of the repository names a folder too. */
const PART = /^(?:\/\/|#) ([\w-]+\.(?:ts|py))\n/;

/** File to which a block belongs. Undefined for commands and code of the repository. */
const fileOf = ({ text }: Block): string | undefined => PART.exec(text)?.[1];

/** Commands stay; a part of a program is appended to its file. */
function commandsOf(block: Block, blocks: readonly Block[]): string {
  const file = fileOf(block);
  if (file === undefined) return block.text;
  const isFirst = blocks.find((each) => fileOf(each) === file) === block;
  return `cat ${isFirst ? '>' : '>>'} ${file} <<'END OF THE PART'\n${block.text}\nEND OF THE PART`;
}

/**
 * Runs the blocks of a document in one shell session, which keeps variables and functions.
 * @returns the exit code (124 after a timeout) and all output
 */
async function followDocument(
  { path }: Document,
  blocks: readonly Block[],
  copy: string,
  addresses: ReadonlyMap<string, string>,
): Promise<{ code: number; output: string }> {
  const commands = blocks.map((block) => `echo '--- ${path}:${block.line}'\n${commandsOf(block, blocks)}\n`).join('');
  let script = PROLOGUE + commands;
  for (const [written, real] of addresses) script = script.replaceAll(written, real);
  const child = spawn('timeout', [String(SECONDS_PER_DOCUMENT), 'bash', '-c', script], {
    cwd: copy,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { references: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
});

async function follow(chosen: readonly Document[]): Promise<number> {
  const copy = copyCheckout();
  let faults = 0;
  const stack = await startInCopy(copy, (line) => values.verbose && console.log(line));
  process.once('SIGINT', () => void stack.stop());
  try {
    for (const document of chosen) faults += await followOne(document, copy, stack.addresses);
  } finally {
    await stack.stop();
    rmSync(join(copy), { recursive: true, force: true });
  }
  return faults;
}

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

async function followOne(document: Document, copy: string, addresses: ReadonlyMap<string, string>): Promise<number> {
  const shell = document.blocks.filter((block) => block.language === 'sh' || fileOf(block) !== undefined);
  const run = shell.filter(({ notRun }) => notRun === undefined);
  for (const { line, notRun } of shell) if (notRun) console.log(`not run: ${document.path}:${line}: ${notRun}`);
  if (run.length === 0) return 0;
  if (run.some((block) => fileOf(block)?.endsWith('.py')) && !isInstalled('python3')) {
    console.log(`not run: ${document.path}: this machine has no python3`);
    return 0;
  }
  const startedAt = performance.now();
  const { code, output } = await followDocument(document, run, copy, addresses);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (code !== 0 || values.verbose) console.log(output);
  console.log(
    `${code === 0 ? 'ok' : `FAILED (exit code ${code})`}: ${document.path}, ${run.length} blocks, ${seconds} s`,
  );
  return code === 0 ? 0 : 1;
}

// Documents link to generated pages.
execFileSync(process.execPath, [join(import.meta.dirname, 'generate.ts'), '--untracked'], { stdio: 'inherit' });
const references = checkReferences();
for (const fault of references) console.error(fault);
const chosen = readDocuments().filter(({ path }) => positionals.length === 0 || positionals.includes(path));
const faults = references.length + (values.references ? 0 : await follow(chosen));
console.log(`${readDocuments().length} documents, ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
