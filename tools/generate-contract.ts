// npm run generate:contract [-- --check]
//
// Makes of the public contract, openapi.yaml, what the gateway works with: the document as JSON, which loads fifty
// times as fast, and the types of its operations. With --check nothing is written, and a difference ends with exit code
// 1.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const gateway = join(import.meta.dirname, '../apps/gateway');
const contract = join(gateway, 'openapi/openapi.yaml');
const folder = join(gateway, 'src/contract/gen');
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

const files = {
  'openapi.json': `${JSON.stringify(parse(readFileSync(contract, 'utf8')))}\n`,
  'openapi.ts': typesOf(contract),
};
const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = join(folder, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (!isCheck) writeFileSync(file, text);
  else {
    console.error(`${file} is not what openapi.yaml makes it: npm run generate:contract`);
    process.exitCode = 1;
  }
}
