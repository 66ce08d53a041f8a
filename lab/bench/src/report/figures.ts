import { median } from '../measure/statistics.ts';
import type { Figure, Target } from '../scenario.ts';

/** What a scenario came to. */
export interface Result {
  readonly scenario: string;
  readonly describe: string;
  readonly figures: readonly Figure[];
}

/** A figure as it is kept: the median of its rounds with the smallest and the largest. */
export interface KeptFigure {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly target?: Target;
}

export const keep = ({ name, unit, rounds, target }: Figure): KeptFigure => ({
  name,
  unit,
  median: rounded(median(rounds)),
  min: rounded(Math.min(...rounds)),
  max: rounded(Math.max(...rounds)),
  ...(target ? { target } : {}),
});

const SIGNIFICANT_DIGITS = 3;

/** Three digits are more than a noisy machine can tell. */
const rounded = (value: number): number =>
  Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT_DIGITS));

/** From 1 the target is reached. Undefined without a target. */
export function scoreOf(value: number, target: Target | undefined): number | undefined {
  if (!target) return undefined;
  if ('atLeast' in target) return value / target.atLeast;
  // What is told ahead of its time, such as an event's, has a lag below zero.
  return value <= 0 ? Infinity : target.atMost / value;
}

export const textOf = (target: Target | undefined): string => {
  if (!target) return '';
  return 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
};
