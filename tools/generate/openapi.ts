import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { operationTable, sandboxKinds, sdkContract, type Contract } from '../contracts/sdk-contract.ts';
import { root, type Files } from './files.ts';

const apps = ['gateway', 'console'] as const;
/** A workspace of its own, because it needs a TypeScript with a compiler API. */
export const TYPES_GENERATOR = 'tools/codegen/node_modules/openapi-typescript/bin/cli.js';

const contractFile = (app: (typeof apps)[number]): string => join(root, 'apps', app, 'openapi/openapi.yaml');
const readContract = (app: (typeof apps)[number]): Contract =>
  parse(readFileSync(contractFile(app), 'utf8')) as Contract;

/** Contracts as JSON, which loads fifty times as fast as YAML, and the tables that the SDK reads at run time. */
export function contractDocuments(): Files {
  const documents = apps.map((app) => [
    `apps/${app}/src/contract/gen/openapi.json`,
    `${JSON.stringify(readContract(app))}\n`,
  ]);
  const covered = sdkContract(readContract('gateway'));
  return {
    ...(Object.fromEntries(documents) as Files),
    'clients/sdk/src/gen/operations.ts': operationTable(covered),
    'clients/sdk/src/gen/sandbox-kinds.ts': sandboxKinds(covered),
  };
}

/**
 * Types of the operations of each contract. The SDK has a smaller contract of its own, in which prices may be texts,
 * and is published without the gateway.
 */
export async function contractTypes(): Promise<Files> {
  const work = mkdtempSync(join(tmpdir(), 'generate-contract-'));
  try {
    const sdk = join(work, 'sdk.json');
    writeFileSync(sdk, JSON.stringify(sdkContract(readContract('gateway'))));
    const sources = [...apps.map((app) => [`apps/${app}/src/contract`, contractFile(app)]), ['clients/sdk/src', sdk]];
    const generated = sources.map(async ([folder, contract = ''], index) => {
      const types = join(work, `${index}.ts`);
      const options = [contract, '--default-non-nullable', 'false', '-o', types];
      await promisify(execFile)(process.execPath, [join(root, TYPES_GENERATOR), ...options]);
      return [`${folder}/gen/openapi.ts`, readFileSync(types, 'utf8')] as const;
    });
    return Object.fromEntries(await Promise.all(generated));
  } finally {
    rmSync(work, { recursive: true });
  }
}
