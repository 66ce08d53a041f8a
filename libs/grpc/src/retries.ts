/** A repeatable call that failed as unavailable is made again: so often in all, after random times up to so long. */
export const ATTEMPTS_AT_MOST = 4;
const FIRST_PAUSE_MS = 50;
const PAUSE_GROWS = 3;
const PAUSE_MS_AT_MOST = 500;

/** Milliseconds to wait before the attempt after this one. The first attempt is 1. */
export const retryPauseMs = (attempt: number): number =>
  Math.random() * Math.min(FIRST_PAUSE_MS * PAUSE_GROWS ** (attempt - 1), PAUSE_MS_AT_MOST);

const seconds = (ms: number): string => `${ms / 1_000}s`;

/** The same for grpc-js. */
export const retryPolicy = {
  maxAttempts: ATTEMPTS_AT_MOST,
  initialBackoff: seconds(FIRST_PAUSE_MS),
  maxBackoff: seconds(PAUSE_MS_AT_MOST),
  backoffMultiplier: PAUSE_GROWS,
  retryableStatusCodes: ['UNAVAILABLE'],
};
