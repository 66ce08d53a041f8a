const AT_ONCE = 16;

/** Runs work on items with limited concurrency. Resolves with the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = AT_ONCE,
): Promise<R[]> {
  const queue = items.entries();
  const done: R[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of queue) done[index] = await work(item);
    }),
  );
  return done;
}
