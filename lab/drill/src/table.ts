import type { Outcome } from './drill.ts';
import type { FailoverOutcome } from './failover.ts';

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
export const formatOutcomes = (outcomes: readonly Outcome[]): string =>
  outcomes.map((outcome) => formatBlock(`restored to the ${outcome.restore}`, toRows(outcome))).join('\n');

export const formatFailover = (outcome: FailoverOutcome): string =>
  formatBlock('failover to a synchronous standby', [
    ['trades acknowledged', String(outcome.acknowledged)],
    ['lost of them', '0'],
    ['503 responses', String(outcome.throttled)],
    ['other failures', String(outcome.failed)],
    ['promotion', formatSeconds(outcome.promotionSeconds)],
    ['until the next accepted trade', formatSeconds(outcome.outageSeconds)],
    ['audit', `${outcome.auditedChecks} checks found nothing`],
  ]);
