// npm run generate:errors [-- --check]
//
// Writes docs/errors.md from the codes of libs/errors, which the types hold every error to, and from what each POST of
// the contract says of its repeats. With --check nothing is written, and a difference ends with exit code 1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { errorsPage } from './contracts/errors-page.ts';
import { writeGenerated } from './generated-file.ts';
import type { Contract } from './sdk-contract.ts';

const contract = join(import.meta.dirname, '../apps/gateway/openapi/openapi.yaml');
writeGenerated('docs/errors.md', errorsPage(parse(readFileSync(contract, 'utf8')) as Contract), 'generate:errors');
