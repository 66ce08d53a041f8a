// npm run docs:check [-- <document> …]
//
// Follows the documents to the letter: runs every block of shell in them against a running "npm start", in a copy of
// the checkout. A block that cannot run everywhere says why, in a comment above it. Then links, code and commands are
// compared with the repository, those of blocks that are not run among them: scripts, options and commands of our own
// programs, services and profiles of Compose, paths, and settings that two pages define. With --references only that is
// done, which is quick and part of "npm run check". Ends with exit code 1 when a document is wrong.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { documents, type Document } from './docs/documents.ts';
import { copyCheckout, fileOf, followDocument, startInCopy } from './docs/follow.ts';
import { faultsOfReferences } from './docs/references.ts';

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

const isThere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

async function followOne(document: Document, copy: string, addresses: ReadonlyMap<string, string>): Promise<number> {
  const shell = document.blocks.filter((block) => block.language === 'sh' || fileOf(block) !== undefined);
  const run = shell.filter(({ notRun }) => notRun === undefined);
  for (const { line, notRun } of shell) if (notRun) console.log(`not run: ${document.path}:${line}: ${notRun}`);
  if (run.length === 0) return 0;
  if (run.some((block) => fileOf(block)?.endsWith('.py')) && !isThere('python3')) {
    console.log(`not run: ${document.path}: there is no python3 on this machine`);
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
const references = faultsOfReferences();
for (const fault of references) console.error(fault);
const chosen = documents().filter(({ path }) => positionals.length === 0 || positionals.includes(path));
const faults = references.length + (values.references ? 0 : await follow(chosen));
console.log(`${documents().length} documents, ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
