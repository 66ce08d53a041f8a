import { join } from 'node:path';
import { services, type ServiceName } from '@saleschannel/installation';
import { createTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { Command, InvalidArgumentError } from 'commander';
import { percentile } from '../measure/statistics.ts';
import { Outcomes, type Row } from './outcomes.ts';
import { openRelease } from './release.ts';
import { runScaleOut, runUpgrade } from './rollouts.ts';
import { openSystem } from './system.ts';
import type { TrialReport } from './trial.ts';

const NAME_WIDTH = 34;
const NUMBER_WIDTH = 10;
const FAULTS_SHOWN = 20;

const formatLine = (name: string, ...numbers: (string | number)[]): string =>
  [name.padEnd(NAME_WIDTH), ...numbers.map((number) => String(number).padStart(NUMBER_WIDTH))].join(' ');

const formatRow = ({ name, answered, failed, milliseconds }: Row): string =>
  formatLine(name, answered, failed, ...[0.5, 0.99].map((part) => percentile(milliseconds, part).toFixed(0)));

/** Merges the many kinds of reads into one row, unless one of them failed. */
function mergeReads(rows: readonly Row[]): Row[] {
  const isRead = ({ name, failed }: Row): boolean => name.startsWith('read ') && failed === 0;
  const reads = rows.filter(isRead);
  const all = {
    name: `reads of ${reads.length} kinds`,
    answered: reads.reduce((sum, { answered }) => sum + answered, 0),
    failed: 0,
    milliseconds: reads.flatMap(({ milliseconds }) => milliseconds),
  };
  return [all, ...rows.filter((row) => !isRead(row))];
}

function formatTable(report: TrialReport): string {
  const { outcomes, faults } = report;
  const { failures } = outcomes;
  const answered = outcomes.byKind.reduce((sum, row) => sum + row.answered, 0);
  return [
    '',
    formatLine('phase', 'answered', 'failed', 'p50 ms', 'p99 ms'),
    ...outcomes.byPhase.map(formatRow),
    '',
    formatLine('request', 'answered', 'failed', 'p50 ms', 'p99 ms'),
    ...mergeReads(outcomes.byKind).map(formatRow),
    '',
    ...[...outcomes.reasons].map(([reason, count]) => `failed ${count} times: ${reason}`),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `wrong: ${fault}`),
    `${answered} requests answered, ${failures.length} failed`,
    `${report.accepted} transfers accepted, ${report.transactions} succeeded; ${report.imports} imports`,
    `${report.events} events, each read by polling and in ${report.streams} streams; ${report.messages} messages`,
    report.audit,
  ].join('\n');
}

interface CompatOptions {
  readonly from: string;
  readonly to: string | undefined;
  readonly seed: number;
  readonly mixed: number;
  readonly preStop: number;
  readonly drain: number;
  readonly atOnce: number;
  readonly reads: number;
  readonly trades: number;
  readonly retirements: number;
  readonly scale: readonly ServiceName[] | undefined;
  readonly keep: boolean;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @throws InvalidArgumentError */
function number(text: string): number {
  if (/^\d{1,6}(\.\d)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a number from 0.');
}

const isService = (name: string): name is ServiceName => services.some((service) => service.name === name);

/** @throws InvalidArgumentError */
function serviceNames(text: string): ServiceName[] {
  const names = text.split(',');
  if (names.every(isService)) return names;
  throw new InvalidArgumentError('Use names of services, separated by commas.');
}

const readArguments = (): CompatOptions =>
  new Command('npm run compat --')
    .description('Upgrades a system with two replicas per service under load, downgrades it, and upgrades it again.')
    .option('--from <ref>', 'running release: a tag, branch or commit', 'HEAD')
    .option('--to <ref>', 'next release, these sources by default')
    .option('--seed <number>', 'seed of the order, random by default', number, Math.floor(Math.random() * 1_000_000))
    .option('--mixed <seconds>', 'duration of each mixture of releases', number, 10)
    .option('--pre-stop <seconds>', 'time that a withdrawn replica keeps serving', number, 5)
    .option('--drain <seconds>', 'DRAIN_SECONDS of the gateways', number, 5)
    .option('--at-once <number>', 'services that replace a replica at the same time', number, 3)
    .option('--reads <number>', 'reads per second', number, 15)
    .option('--trades <number>', 'trades per second', number, 4)
    .option('--retirements <number>', 'retirements per second', number, 1)
    .option('--scale <services>', 'instead of upgrading, scales these services from two replicas to four', serviceNames)
    .option('--keep', 'keeps the logs of all replicas', false)
    .parse()
    .opts<CompatOptions>();

async function main(): Promise<boolean> {
  const options = readArguments();
  const folder = await createTemporaryFolder();
  const logs = join(folder, 'logs');
  const outcomes = new Outcomes(say);
  outcomes.beginPhase('before');
  try {
    const to = await openRelease(options.to, folder);
    const from = options.scale ? to : await openRelease(options.from, folder);
    say(options.scale ? to.name : `from ${from.name} to ${to.name}, seed ${options.seed}`);
    const onFault = (fault: string): void => void outcomes.faults.push(fault);
    const system = await openSystem({
      folder,
      logs,
      newest: to,
      preStopSeconds: options.preStop,
      // Set as in an installation; the local stack does not wait.
      variables: { DRAIN_SECONDS: String(options.drain) },
      onFault,
    });
    try {
      const { seed, mixed: mixedSeconds, atOnce, reads, trades, retirements } = options;
      const rates = { reads, trades, retirements };
      const report = options.scale
        ? await runScaleOut(system, outcomes, { from, services: options.scale, rates, say })
        : await runUpgrade(system, outcomes, { from, to, seed, mixedSeconds, atOnce, rates, say });
      say(formatTable(report));
      return outcomes.failures.length === 0 && report.faults.length === 0;
    } finally {
      await system.stop();
    }
  } finally {
    if (options.keep) say(`logs: ${logs}`);
    else removeFolder(folder);
  }
}

process.exit((await main()) ? 0 : 1);
