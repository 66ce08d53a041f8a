import { QueryCache, QueryClient, MutationCache } from '@tanstack/react-query';
import { ApiError } from './problem.ts';
import { markSessionEnded } from '../session/session.ts';

const RETRIES_AT_MOST = 3;
const STALE_MS = 30_000;

const endSessionIfSignedOut = (error: unknown): void => {
  if (error instanceof ApiError && error.isSignedOut) markSessionEnded();
};

/**
 * Reads are retried as the API advises and on reconnect. Changes are sent at once or fail: a change queued while
 * offline would be sent after its user has left.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionIfSignedOut }),
  mutationCache: new MutationCache({ onError: endSessionIfSignedOut }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: STALE_MS,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < RETRIES_AT_MOST && error instanceof ApiError && error.isTransient,
      retryDelay: (count, error) =>
        1_000 * ((error instanceof ApiError ? error.retryAfterSeconds : undefined) ?? 2 ** count),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
