// oxlint-disable-next-line no-restricted-imports -- the one place
import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';

/** In a timer, because an earlier one tells the page that an act has ended. */
const afterThePage = (open: () => void): void => void setTimeout(open);

/**
 * Lets an act through once at a time. It closes in the same tick in which the act begins, before anything is drawn
 * again, so a second click has nothing to start.
 */
export class Latch {
  readonly #underWay = new Set<string>();
  readonly #later: (open: () => void) => void;

  constructor(later = afterThePage) {
    this.#later = later;
  }

  /**
   * @param name acts with different names do not wait for one another
   * @returns undefined when the act is under way already: it was not started again
   */
  pass<T>(name: string, act: () => Promise<T>): Promise<T> | undefined {
    if (this.#underWay.has(name)) return undefined;
    this.#underWay.add(name);
    const open = (): void => this.#later(() => this.#underWay.delete(name));
    const acting = act();
    acting.then(open, open);
    return acting;
  }
}

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
