/** Median of the numbers. 0 if there are none. */
export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** Smallest number that is at least as large as this part of them. 0 if there are none. */
export const percentile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(numbers.length * part) - 1)] ?? 0;
