import { median } from '../measure/statistics.ts';
import type { Figure, Target } from '../scenario.ts';
import { sumSystemCpu, type CpuTimes } from '../measure/processes.ts';

/**
 * Budget of a trade under load in CPU microseconds per process, on two cores of the machine in
 * docs/operate/performance.md.
 */
const budget: Readonly<Record<string, number>> = {
  gateway: 200,
  tasks: 130,
  inventory: 120,
  events: 50,
  postgresql: 400,
  rabbitmq: 70,
};
const OTHERS_BUDGET = 30;
const LOAD = 'load';

const hasBudget = (name: string): boolean => Object.hasOwn(budget, name);

/** CPU of a trade by process with its budget. Processes without one share a budget. */
export function budgetFigures(rounds: readonly CpuTimes[]): Figure[] {
  const names = Object.keys(rounds[0] ?? {});
  const figure = (name: string, select: (cpu: CpuTimes) => number, atMost?: number): Figure => ({
    name: `CPU of a trade, ${name}`,
    unit: 'µs',
    rounds: rounds.map(select),
    ...(atMost === undefined ? {} : { target: { atMost } }),
  });
  const others = names.filter((name) => !hasBudget(name) && name !== LOAD);
  const all = Object.values(budget).reduce((sum, each) => sum + each, OTHERS_BUDGET);
  return [
    figure('without the load', sumSystemCpu, all),
    ...names.map((name) => figure(name, (cpu) => cpu[name] ?? 0, budget[name])),
    figure('all others together', (cpu) => others.reduce((sum, name) => sum + (cpu[name] ?? 0), 0), OTHERS_BUDGET),
  ];
}

/** Figures of a scenario. */
export interface Result {
  readonly scenario: string;
  readonly figures: readonly Figure[];
}

/** A figure as stored: median, minimum and maximum of its rounds. */
export interface StoredFigure {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly target?: Target;
}

export const summarize = ({ name, unit, rounds, target }: Figure): StoredFigure => ({
  name,
  unit,
  median: rounded(median(rounds)),
  min: rounded(Math.min(...rounds)),
  max: rounded(Math.max(...rounds)),
  ...(target ? { target } : {}),
});

const SIGNIFICANT_DIGITS = 3;

/** Rounds to three digits, because a noisy machine yields no more. */
const rounded = (value: number): number =>
  Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT_DIGITS));

/** Score of a value: the target is reached from 1. Undefined without a target. */
export function computeScore(value: number, target: Target | undefined): number | undefined {
  if (!target) return undefined;
  if ('atLeast' in target) return value / target.atLeast;
  // Clocks may make a lag negative.
  return value <= 0 ? Infinity : target.atMost / value;
}

export const formatTarget = (target: Target | undefined): string => {
  if (!target) return '';
  return 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
};

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
