// oxlint-disable-next-line no-restricted-imports -- wrapped here
import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { markSessionEnded } from '../session/session.ts';
import { ApiError } from './problem.ts';

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

/** Runs after the timer in which the query library reports the end of the action to the page. */
const afterNotification = (open: () => void): void => void setTimeout(open);

/**
 * Runs an action once at a time. Blocks from the tick in which the action starts, before React renders again, so a
 * second click has no effect.
 */
export class SingleFlight {
  readonly #running = new Set<string>();
  readonly #later: (open: () => void) => void;

  constructor(later = afterNotification) {
    this.#later = later;
  }

  /**
   * @param name actions with different names run concurrently
   * @returns the result, or undefined if the action is already running
   */
  run<T>(name: string, act: () => Promise<T>): Promise<T> | undefined {
    if (this.#running.has(name)) return undefined;
    this.#running.add(name);
    const open = (): void => this.#later(() => this.#running.delete(name));
    const acting = act();
    acting.then(open, open);
    return acting;
  }
}

/**
 * A mutation that ignores repeated clicks while it runs. All changes of pages use it.
 * @param nameOf names changes that may run concurrently; by default none may
 */
export function useSubmission<T, V = void>(
  options: UseMutationOptions<T, Error, V>,
  nameOf: (value: V) => string = () => 'any',
): UseMutationResult<T, Error, V> {
  const mutation = useMutation(options);
  const [latch] = useState(() => new SingleFlight());
  return {
    ...mutation,
    mutate(...of) {
      // The mutation's state holds the error.
      latch.run(nameOf(of[0] as V), () => mutation.mutateAsync(...of))?.catch(() => undefined);
    },
  };
}
