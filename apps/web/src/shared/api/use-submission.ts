// oxlint-disable-next-line no-restricted-imports -- the one place
import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Latch } from './latch.ts';

/**
 * A mutation that is sent once, however often its button is pressed while it is under way. Every change that a page
 * makes is sent by one of these.
 * @param nameOf names what may be under way at the same time; by default nothing may
 */
export function useSubmission<T, V = void>(
  options: UseMutationOptions<T, Error, V>,
  nameOf: (value: V) => string = () => 'any',
): UseMutationResult<T, Error, V> {
  const mutation = useMutation(options);
  const [latch] = useState(() => new Latch());
  return {
    ...mutation,
    mutate(...of) {
      // A failure is in the state of the mutation.
      latch.pass(nameOf(of[0] as V), () => mutation.mutateAsync(...of))?.catch(() => undefined);
    },
  };
}
