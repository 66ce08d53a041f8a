import { performance } from 'node:perf_hooks';

const TIMES = 5;

/** Measures something a few times. @returns its median, in milliseconds */
export async function medianOf(act: (round: number) => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < TIMES; round++) found.push(await act(round));
  return Number(found.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)]);
}

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/** What is measured is for people: how fast a machine is, tests do not judge. */
export const tell = (what: string, value: number, unit: 'ms' | 'MB' | 'rows', budget: number): boolean =>
  process.stderr.write(`measured: ${what}: ${value.toFixed(0)} ${unit} (budget ${budget} ${unit})\n`);
