/**
 * Test files that end what a worker keeps running from one test file to the next, such as a system that several files
 * share. The runner of tools/jest runs them in that worker after its last file of the same project.
 */
export const endings = new Set<string>();

/**
 * Whether this is `npm run test:more`, which takes all of what `npm test` takes examples of. A file that asks is run
 * there by a `*.more.test.ts` beside it, which imports it.
 */
export const isMore = process.env['TESTS'] === 'more';

/** So many in `npm run test:more`, and a few in `npm test`. */
export const manyOrFew = (many: number, few: number): number => (isMore ? many : few);

/** Gives a test something that no other test uses, so that it can run beside them (`test.concurrent`). */
export const withOwn =
  <Own extends { stop(): Promise<unknown> }, Args extends unknown[]>(
    start: () => Promise<Own>,
    work: (own: Own, ...args: Args) => Promise<unknown>,
  ) =>
  async (...args: Args): Promise<void> => {
    const own = await start();
    try {
      await work(own, ...args);
    } finally {
      await own.stop();
    }
  };
