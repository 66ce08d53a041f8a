// npm run generate:errors [-- --check]
//
// Writes docs/integrate/errors.md from the codes of libs/errors, to which the types hold every error, and from what
// each POST of the contract says about repeats. With --check nothing is written, and a difference ends with exit code
// 1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { errorsPage } from './contracts/errors-page.ts';
import { writeGenerated } from './generated-file.ts';
import type { Contract } from './sdk-contract.ts';

const contract = join(import.meta.dirname, '../apps/gateway/openapi/openapi.yaml');
writeGenerated(
  'docs/integrate/errors.md',
  errorsPage(parse(readFileSync(contract, 'utf8')) as Contract),
  'generate:errors',
);
