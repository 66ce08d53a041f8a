// npm run generate:contract [-- --check]
//
// Makes of each contract, openapi.yaml, what the app that serves it works with: the types of its operations, and the
// document as JSON, which loads fifty times as fast. With --check nothing is written, and a difference ends with exit
// code 1.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const apps = ['gateway', 'console'].map((app) => join(import.meta.dirname, '../apps', app));
// A workspace of its own, because it needs a TypeScript with a compiler API.
const generator = join(import.meta.dirname, 'codegen/node_modules/openapi-typescript/bin/cli.js');

function typesOf(file: string): string {
  const work = mkdtempSync(join(tmpdir(), 'saleschannel-contract-'));
  try {
    const made = join(work, 'openapi.ts');
    execFileSync(process.execPath, [generator, file, '--default-non-nullable', 'false', '-o', made]);
    return readFileSync(made, 'utf8');
  } finally {
    rmSync(work, { recursive: true });
  }
}

const filesOf = (contract: string): Record<string, string> => ({
  'openapi.json': `${JSON.stringify(parse(readFileSync(contract, 'utf8')))}\n`,
  'openapi.ts': typesOf(contract),
});

const isCheck = process.argv.includes('--check');
for (const app of apps) {
  for (const [name, text] of Object.entries(filesOf(join(app, 'openapi/openapi.yaml')))) {
    const file = join(app, 'src/contract/gen', name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (!isCheck) writeFileSync(file, text);
    else {
      console.error(`${file} is not what openapi.yaml makes it: npm run generate:contract`);
      process.exitCode = 1;
    }
  }
}
