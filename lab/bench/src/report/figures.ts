import { median } from '../measure/statistics.ts';
import type { Figure, Target } from '../scenario.ts';

/** Figures of a scenario. */
export interface Result {
  readonly scenario: string;
  readonly describe: string;
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
