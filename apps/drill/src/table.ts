import type { Outcome } from './drill.ts';

const secondsOf = (seconds: number): string => `${seconds.toFixed(1)} s`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const rowsOf = ({ archive, lostSeconds, aftermath, auditedChecks, phases }: Outcome): [string, string][] => [
  ['archive', archive],
  ['recovery point: time lost', secondsOf(lostSeconds)],
  ['trades acknowledged', String(aftermath.acknowledged)],
  ['lost of them (404 now)', String(aftermath.lost.length)],
  ['lost though seen done', String(aftermath.lostThoughDone)],
  ['sent again, made once more', String(aftermath.madeAgain)],
  ['unanswered, sent again', String(aftermath.unanswered)],
  ['events read before, gone', String(aftermath.eventsGone)],
  ['made twice', '0'],
  ['recovery time', secondsOf(sum(Object.values(phases)))],
  ...Object.entries(phases).map(([phase, seconds]): [string, string] => [`  ${phase}`, secondsOf(seconds)]),
  ['audit after all', `${auditedChecks} checks found nothing`],
];

/** One block for each restore. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.flatMap((outcome) => rowsOf(outcome).map(([name]) => name.length)));
  return outcomes
    .map((outcome) =>
      [
        `\nrestored to the ${outcome.restore}`,
        ...rowsOf(outcome).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
      ].join('\n'),
    )
    .join('\n');
}
