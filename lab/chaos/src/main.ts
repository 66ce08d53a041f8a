import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit, formatResult, toDatabaseUrls } from '@saleschannel/auditor';
import { AUDITOR } from '@saleschannel/installation';
import { projectRoot, connectPowers, type Demo } from '@saleschannel/local';
import { createTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { Command, InvalidArgumentError, Option } from 'commander';
import { listReasons, formatTable, type RunOutcome, checkEverything } from './checks/check.ts';
import type { Operator, PublicInstallation, Verdict } from './contract.ts';
import { Installation } from './fleet/installation.ts';
import { ALL_IN_ONE, modes, listUnits, type Mode, zones } from './fleet/replicas.ts';
import { listFaults, healEverything, injectAll, type Injection } from './injection.ts';
import { copyMutated, mutationNames } from './mutations.ts';
import { drawLoop, drawSchedule } from './schedule.ts';
import { Workload } from './workload/workload.ts';

export interface RunOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly only: readonly string[] | undefined;
  /** The only kind, repeated. */
  readonly loop: string | undefined;
  readonly mode: Mode;
  /** Folder for all files of the run. */
  readonly folder: string;
  /** Folder of the services' sources. */
  readonly root: string;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** Limit for the last unknown outcomes, after everything is healed. */
const FINISH_MS = 180_000;
const MINUTE_MS = 60_000;
const AUDIT_QUIET_SECONDS = 20;
const RECEIVER_HOST = '127.0.0.1';

/** Runs an installation under load and faults, heals it, and checks all outcomes. */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const { seed, minutes, only, loop, mode, folder, root, signal, log } = options;
  const units = listUnits(mode);
  const faults = listFaults(units);
  const looped = faults.find(({ kind }) => kind === loop);
  const planned = looped ? drawLoop(seed, minutes, looped) : drawSchedule(seed, minutes, faults, only);
  writeFileSync(join(folder, 'schedule.json'), JSON.stringify(planned, undefined, 1));
  const installation = await Installation.open({ folder, units, root, log });
  const { fleet } = installation;
  const powers = await Promise.all(zones.map((zone) => connectPowers({ place: fleet.createPlace(zone) })));
  try {
    const world = createWorld(await installation.createDemo(), fleet.gateways, powers);
    const workload = new Workload(world, { seed, folder, log });
    log('workload');
    await workload.start();
    log(looped ? `${looped.kind} in a loop` : `${planned.length} faults`);
    const forMs = minutes * MINUTE_MS;
    const injected = await injectAll({ installation, faults, planned, forMs, isLoop: !!looped, signal, log });
    writeFileSync(join(folder, 'faults.json'), JSON.stringify(injected, undefined, 1));
    log('healing');
    await healEverything(installation);
    log('repeating unknown outcomes');
    await workload.finish(FINISH_MS);
    log('checks');
    const verdict = await checkEverything(world, workload.journal.file, injected);
    log('audit');
    return buildOutcome(verdict, injected, installation, await findFindings(installation));
  } finally {
    for (const each of powers) each.close();
    await installation.stop();
  }
}

function createWorld(demo: Demo, gateways: readonly string[], operators: readonly Operator[]): PublicInstallation {
  const channels = demo.channels.map(({ salesChannelId, accountHolderId, traders, users: [operator] }) => ({
    id: salesChannelId,
    credentials: operator.apiKey,
    traders,
    accountHolders: [accountHolderId],
  }));
  return { gateways, demo, channels, registry: demo.registryKey, operators, receiverHost: RECEIVER_HOST };
}

/** Runs the auditor, which reads the databases, for a second opinion. */
async function findFindings({ place }: Installation): Promise<string[]> {
  const broker = { url: place.brokerUrlOf(AUDITOR), namespace: place.namespace };
  const results = await audit(toDatabaseUrls(place.auditUrl), { quietSeconds: AUDIT_QUIET_SECONDS, broker });
  return results.filter(({ count }) => count > 0).flatMap(formatResult);
}

function buildOutcome(
  verdict: Verdict,
  { intervals, kills, failures }: Injection,
  { fleet }: Installation,
  audit: readonly string[],
): RunOutcome {
  const notes = fleet.replicas
    .filter(({ crashes }) => crashes > 0)
    .map(({ name, crashes }) => `${name} exited unexpectedly ${crashes} times`);
  return { verdict, intervals, kills, audit, failures, notes };
}

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
