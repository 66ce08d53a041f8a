import { DomainError, internal } from '@saleschannel/errors';

/** What the work returns, or why it is refused. Any other error is a fault of the program and goes on. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/**
 * Does the next step for all items that were not refused yet, at once. When the step as a whole cannot be done,
 * because a service or the database cannot be reached, each of these items is refused.
 * @param step returns results in the order of what it is given
 */
export async function attemptAll<Item, Next>(
  items: readonly (Item | DomainError)[],
  step: (open: readonly Item[]) => Promise<readonly (Next | DomainError)[]>,
): Promise<(Next | DomainError)[]> {
  const open = items.flatMap((item) => (item instanceof DomainError ? [] : [item]));
  const done = open.length === 0 ? [] : await attempt(() => step(open));
  if (done instanceof DomainError) return items.map((item) => (item instanceof DomainError ? item : done));
  const answers = done.values();
  return items.map((item) => (item instanceof DomainError ? item : (answers.next().value ?? internal())));
}
