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
