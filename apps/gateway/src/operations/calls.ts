/** Lists are streams of any length to clients of any speed. */
export const LIST_TIMEOUT_MS = 120_000;

/** Joins headers; a condition that does not hold adds none. */
export const withHeaders = (...parts: (Record<string, string> | false)[]): Record<string, string> =>
  Object.assign({}, ...parts) as Record<string, string>;
