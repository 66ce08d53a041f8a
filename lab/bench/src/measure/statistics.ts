/** The middle of the numbers. 0 of none. */
export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** The smallest number that at least this part of them does not exceed. 0 of none. */
export const percentile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(numbers.length * part) - 1)] ?? 0;
