/**
 * Test files that stop what a worker keeps running between test files, such as a shared system. The runner of
 * tools/jest runs them in that worker after its last file of the same project.
 */
export const endings = new Set<string>();

/**
 * Whether this is `npm run test:more`, the long form of tests. A `*.more.test.ts` imports each test file that depends
 * on it.
 */
export const isMore = process.env['TESTS'] === 'more';

/** Returns `many` in `npm run test:more`, and `few` in `npm test`. */
export const manyOrFew = (many: number, few: number): number => (isMore ? many : few);

/** Gives a test a resource that no other test uses, so that it can run concurrently (`test.concurrent`). */
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
