import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { projectRoot } from '@saleschannel/local';
import { createTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { listFaults } from './faults/index.ts';
import { ALL_IN_ONE, modes, listUnits, type Mode } from './fleet/layout.ts';
import { copyMutated, mutationNames } from './mutations.ts';
import { listReasons, formatTable } from './report.ts';
import { run } from './run.ts';

interface Arguments {
  readonly seed: number;
  readonly minutes: number;
  readonly only: readonly string[] | undefined;
  readonly loop: string | undefined;
  readonly mode: Mode;
  readonly mutate: string | undefined;
  readonly keep: boolean;
}

const SEEDS = 1_000_000;
const kinds = listFaults(listUnits('separate')).map(({ kind }) => kind);

/** @throws InvalidArgumentError */
function parseWholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number.');
}

/** @throws InvalidArgumentError */
function parseMinutes(text: string): number {
  if (/^\d{1,4}(\.\d)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('Use a number of minutes above 0.');
}

/** @throws InvalidArgumentError for an unknown kind */
function parseKinds(text: string): string[] {
  const kindNames = text.split(',');
  const unknown = kindNames.filter((kind) => !kinds.includes(kind));
  if (unknown.length === 0) return kindNames;
  throw new InvalidArgumentError(`Unknown kinds: ${unknown.join(', ')}. Known kinds: ${kinds.join(', ')}.`);
}

const options = new Command('npm run chaos --')
  .description('Runs two replicas of every service under load and random faults, and checks that nothing is lost.')
  .option(
    '--seed <number>',
    'seed of faults and load, random by default',
    parseWholeNumber,
    Math.floor(Math.random() * SEEDS),
  )
  .option('--minutes <number>', 'duration of the faults', parseMinutes, 20)
  .option('--only <kinds>', 'injects only these kinds of faults, separated by commas', parseKinds)
  .addOption(
    new Option('--loop <kind>', 'repeats one kind of fault instead of the schedule').choices(kinds).conflicts('only'),
  )
  .addOption(
    new Option('--mode <mode>', 'a process per service, or one process for all').choices(modes).default('separate'),
  )
  .addOption(new Option('--mutate <name>', 'runs sources with a known mistake').choices(mutationNames))
  .option('--keep', 'keeps the folder of a run that passed', false)
  .parse()
  .opts<Arguments>();

const startedMs = Date.now();
const log = (line: string): void => {
  const passed = ((Date.now() - startedMs) / 1_000).toFixed(1).padStart(7);
  process.stdout.write(`${passed} ${line}\n`);
};

/** Returns the exit code. */
async function main(): Promise<number> {
  const { seed, minutes, only, loop, mode, mutate, keep } = options;
  if (mode === 'all-in-one' && !existsSync(join(projectRoot, 'apps', ALL_IN_ONE, 'src/main.ts'))) {
    log(`There is no apps/${ALL_IN_ONE}.`);
    return 2;
  }
  const folder = await createTemporaryFolder();
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  log(`seed ${seed}, ${minutes} minutes, ${mode}, in ${folder}`);
  let hasPassed = false;
  try {
    const root = mutate === undefined ? projectRoot : copyMutated(mutate, join(folder, 'sources'));
    const outcome = await run({ seed, minutes, only, loop, mode, folder, root, signal: stopping.signal, log });
    process.stdout.write(`\n${formatTable(outcome)}\n`);
    hasPassed = listReasons(outcome).length === 0;
  } catch (error) {
    log(`The run failed: ${(error as Error).stack}`);
  }
  if (hasPassed && !keep) removeFolder(folder);
  else
    log(
      `Data, logs, journal, schedule and faults are in ${folder}. Repeat it with --seed ${seed} --minutes ${minutes}.`,
    );
  return hasPassed ? 0 : 1;
}

process.exit(await main());
