import { performance } from 'node:perf_hooks';
import type { Page } from 'playwright-core';

const TIMES = 5;

/** Repeats a measurement. @returns median in milliseconds */
export async function measureMedian(act: (round: number) => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < TIMES; round++) found.push(await act(round));
  return Number(found.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)]);
}

export async function measureMs(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/** Prints a measurement without judging it, because it depends on the machine. */
export const printMeasurement = (what: string, value: number, unit: 'ms' | 'MB' | 'rows', budget: number): boolean =>
  process.stderr.write(`measured: ${what}: ${value.toFixed(0)} ${unit} (budget ${budget} ${unit})\n`);

/**
 * Milliseconds until a page shows something, by its own clock and checked in every frame, because a locator polls every
 * half second. Without `act`, from the request for the page.
 * @param shown an expression that runs in the page
 */
export async function measureUntilShown(page: Page, shown: string, act?: () => Promise<unknown>): Promise<number> {
  const since = act ? 'performance.now()' : '0';
  const frame = page.evaluate<number>(`new Promise((done) => {
    const since = ${since};
    const look = () => (${shown} ? done(performance.now() - since) : requestAnimationFrame(look));
    look();
  })`);
  await act?.();
  return frame;
}
