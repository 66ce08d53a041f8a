import { summarize, computeScore, formatTarget, type Result } from './figures.ts';

const NAME_WIDTH = 52;
const NUMBER_WIDTH = 10;
const TARGET_WIDTH = 9;

/** Formats the figures for a terminal. */
export function formatTable(results: readonly Result[]): string {
  const lines = results.flatMap(({ scenario, figures }) => [
    '',
    [scenario.padEnd(NAME_WIDTH), ...['median', 'min', 'max'].map((name) => name.padStart(NUMBER_WIDTH))].join(' '),
    ...figures.map((figure) => {
      const { name, unit, median, min, max, target } = summarize(figure);
      const numbers = [median, min, max].map((value) => String(value).padStart(NUMBER_WIDTH));
      const score = computeScore(median, target);
      const verdict = score === undefined ? '' : score >= 1 ? 'reached' : 'missed';
      return [
        `  ${name}`.padEnd(NAME_WIDTH),
        ...numbers,
        unit.padEnd(3),
        formatTarget(target).padEnd(TARGET_WIDTH),
        verdict,
      ]
        .join(' ')
        .trimEnd();
    }),
  ]);
  return lines.join('\n');
}
