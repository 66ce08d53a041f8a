/** Maximum number of attempts of a repeatable call that fails as unavailable, with random pauses. */
export const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 50;
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 500;

/** Returns the milliseconds to wait after an attempt. The first attempt is 1. */
export const retryPauseMs = (attempt: number): number =>
  Math.random() * Math.min(FIRST_PAUSE_MS * PAUSE_FACTOR ** (attempt - 1), MAX_PAUSE_MS);

const toSeconds = (ms: number): string => `${ms / 1_000}s`;

/** The same policy in the form of grpc-js. */
export const retryPolicy = {
  maxAttempts: MAX_ATTEMPTS,
  initialBackoff: toSeconds(FIRST_PAUSE_MS),
  maxBackoff: toSeconds(MAX_PAUSE_MS),
  backoffMultiplier: PAUSE_FACTOR,
  retryableStatusCodes: ['UNAVAILABLE'],
};
