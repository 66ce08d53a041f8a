import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CONCURRENCY } from './replay.ts';

export const USAGE = `npm run replay -- <file.csv> [--demo .local/demo.json] [--concurrency ${CONCURRENCY}] [--json]

Imports the issuances of a registry's records into a running stack and carries out the retirements and cancellations of the file through
its public APIs. May be run again: what was done stays done once.

  --demo         file with addresses and keys, as "npm start" writes it
  --concurrency  issuances worked on at a time, 1 to 256
  --json         print the account as JSON on standard output, everything else on standard error`;

const CONCURRENCY_AT_MOST = 256;

export interface Arguments {
  readonly file: string;
  readonly demo: string;
  readonly concurrency: number;
  readonly json: boolean;
}

/** The command line is not as it should be. */
export class BadUsage extends Error {
  override name = 'BadUsage';
}

/** npm runs scripts in the project's folder; a relative path may also be meant from where the user typed it. */
function pathOf(path: string, folders: readonly string[]): string {
  const candidates = folders.map((folder) => resolve(folder, path));
  return candidates.find((candidate) => existsSync(candidate)) ?? candidates[0]!;
}

/** @throws BadUsage */
export function readArguments(args: readonly string[], folders: readonly string[]): Arguments | 'help' {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        demo: { type: 'string', default: '.local/demo.json' },
        concurrency: { type: 'string', default: String(CONCURRENCY) },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new BadUsage((error as Error).message, { cause: error });
  }
  const { positionals, values } = parsed;
  if (values.help) return 'help';
  const [file, ...others] = positionals;
  if (file === undefined) throw new BadUsage('The CSV file is missing.');
  if (others.length > 0) throw new BadUsage(`One CSV file is read at a time; what is ${others.join(' ')}?`);
  const concurrency = Number(values.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_AT_MOST) {
    throw new BadUsage(`--concurrency takes a number from 1 to ${CONCURRENCY_AT_MOST}.`);
  }
  return { file: pathOf(file, folders), demo: pathOf(values.demo, folders), concurrency, json: values.json };
}
