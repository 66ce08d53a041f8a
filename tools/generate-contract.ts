// npm run generate:contract [-- --check]
//
// Makes of each contract, openapi.yaml, what the app that serves it works with: the types of its operations, and the
// document as JSON, which loads fifty times as fast. The SDK gets the types of what it covers of the public contract,
// a table of its operations, and the kinds of a sandbox. With --check nothing is written, and a difference
// ends with exit code 1.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { operationTable, sandboxKinds, sdkContract, type Contract } from './sdk-contract.ts';

const root = join(import.meta.dirname, '..');
const apps = ['gateway', 'console'].map((app) => join(root, 'apps', app));
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

/** The contract on which the SDK stands, as far as it covers it. */
function sdkFiles(): Record<string, string> {
  const contract = sdkContract(
    parse(readFileSync(join(root, 'apps/gateway/openapi/openapi.yaml'), 'utf8')) as Contract,
  );
  const work = mkdtempSync(join(tmpdir(), 'saleschannel-sdk-'));
  try {
    const file = join(work, 'openapi.json');
    writeFileSync(file, JSON.stringify(contract));
    return {
      'openapi.ts': typesOf(file),
      'operations.ts': operationTable(contract),
      'sandbox-kinds.ts': sandboxKinds(contract),
    };
  } finally {
    rmSync(work, { recursive: true });
  }
}

const isCheck = process.argv.includes('--check');

function settle(folder: string, files: Record<string, string>): void {
  if (!isCheck) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (!isCheck) writeFileSync(file, text);
    else {
      console.error(`${file} is not what openapi.yaml makes it: npm run generate:contract`);
      process.exitCode = 1;
    }
  }
}

for (const app of apps) settle(join(app, 'src/contract/gen'), filesOf(join(app, 'openapi/openapi.yaml')));
settle(join(root, 'clients/sdk/src/gen'), sdkFiles());
