// npm run docs:check [-- <document> …]
//
// Runs every shell block of the documents against a running "npm start", in a copy of the checkout. A block that cannot
// run everywhere has a comment with the reason above it. Compares links, code and commands with the repository, also in
// blocks that do not run: scripts, options and subcommands of our programs, services and profiles of Compose, paths,
// and settings that two pages define. With --references only compares, as "npm run lint" does.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDocuments, type Document } from './docs/documents.ts';
import { copyCheckout, fileOf, followDocument, startInCopy } from './docs/follow.ts';
import { checkReferences } from './docs/references.ts';

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
