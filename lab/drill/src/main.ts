import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { archiveNames } from './archive.ts';
import { drill, restoreNames, type DrillOptions, type Outcome } from './drill.ts';
import { failover, type FailoverOutcome } from './failover.ts';

const formatSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const toRows = ({ archive, lostSeconds, aftermath, auditedChecks, phases }: Outcome): [string, string][] => [
  ['archive', archive],
  ['recovery point: time lost', formatSeconds(lostSeconds)],
  ['trades acknowledged', String(aftermath.acknowledged)],
  ['of these lost (404 now)', String(aftermath.lost.length)],
  ['of these known as done', String(aftermath.lostKnownDone)],
  ['sent again, created again', String(aftermath.createdAgain)],
  ['unanswered, sent again', String(aftermath.unanswered)],
  ['events read before, gone', String(aftermath.eventsGone)],
  ['made twice', '0'],
  ['recovery time', formatSeconds(sum(Object.values(phases)))],
  ...Object.entries(phases).map(([phase, seconds]): [string, string] => [`  ${phase}`, formatSeconds(seconds)]),
  ['final audit', `${auditedChecks} checks found nothing`],
];

const formatBlock = (title: string, rows: readonly [string, string][]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [`\n${title}`, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join('\n');
};

/** One block per restore. */
const formatOutcomes = (outcomes: readonly Outcome[]): string =>
  outcomes.map((outcome) => formatBlock(`restored to the ${outcome.restore}`, toRows(outcome))).join('\n');

const formatFailover = (outcome: FailoverOutcome): string =>
  formatBlock('failover to a synchronous standby', [
    ['trades acknowledged', String(outcome.acknowledged)],
    ['lost of them', '0'],
    ['503 responses', String(outcome.throttled)],
    ['other failures', String(outcome.failed)],
    ['promotion', formatSeconds(outcome.promotionSeconds)],
    ['until the next accepted trade', formatSeconds(outcome.outageSeconds)],
    ['audit', `${outcome.auditedChecks} checks found nothing`],
  ]);

interface Arguments extends Omit<DrillOptions, 'restores'> {
  readonly failover: boolean;
  readonly json: string | undefined;
}

/** @throws InvalidArgumentError */
function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number from 1.');
}

const {
  failover: isFailover,
  json,
  ...options
} = new Command('npm run restore:drill --')
  .description('Destroys a whole installation under load and restores it from its backup, on private servers.')
  .option('--trades <number>', 'trades acknowledged before the disaster', wholeNumber, 600)
  .addOption(
    new Option(
      '--archive <how>',
      '"command" uses archive_command, "job" the backup job of Compose, which needs POSTGRES_BIN',
    )
      .choices(archiveNames)
      .default('command'),
  )
  .option(
    '--archive-timeout-seconds <number>',
    'time after which archive_command copies a partial segment',
    wholeNumber,
    5,
  )
  .option('--failover', 'kills only the primary database and promotes its synchronous standby', false)
  .option('--json <file>', 'file for the figures as JSON')
  .addHelpText('after', '\nExamples:\n  npm run restore:drill\n  npm run restore:drill -- --archive job --trades 2000')
  .parse()
  .opts<Arguments>();

const say = (line: string): void => void process.stdout.write(`${line}\n`);
if (isFailover) {
  const outcome = await failover(options.trades, say);
  say(formatFailover(outcome));
  writeJson(outcome);
} else {
  const outcomes = await drill({ ...options, restores: restoreNames }, say);
  say(formatOutcomes(outcomes));
  writeJson(outcomes.map(({ aftermath, ...rest }) => ({ ...rest, ...aftermath, lost: aftermath.lost.length })));
}
process.exit(0);

function writeJson(figures: object): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`);
}
