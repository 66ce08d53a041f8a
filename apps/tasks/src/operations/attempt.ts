import { DomainError, internal } from '@saleschannel/errors';

/** Returns the result of the work, or the DomainError that it throws. Throws other errors, which are bugs. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/**
 * Runs the next step once for all items not yet refused. If the whole step fails, because a service or the database
 * cannot be reached, each of them is refused.
 * @param step returns results in the order of its items
 */
export async function attemptAll<Item, Next>(
  items: readonly (Item | DomainError)[],
  step: (open: readonly Item[]) => Promise<readonly (Next | DomainError)[]>,
): Promise<(Next | DomainError)[]> {
  const open = items.flatMap((item) => (item instanceof DomainError ? [] : [item]));
  const results = open.length === 0 ? [] : await attempt(() => step(open));
  if (results instanceof DomainError) return items.map((item) => (item instanceof DomainError ? item : results));
  const remaining = results.values();
  return items.map((item) => (item instanceof DomainError ? item : (remaining.next().value ?? internal())));
}
