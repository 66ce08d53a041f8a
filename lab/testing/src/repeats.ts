import type { CallOptions } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';

const AT_ONCE = 5;

export interface RepeatResults<Reply> {
  /** Answers to five concurrent calls and a later one, all with one idempotency key. */
  readonly answers: Reply[];
  /** Number of answers marked as replays. */
  readonly replays: number;
  /** Result of another request with the same key. */
  readonly refusal: unknown;
}

/**
 * Repeats a call that creates something.
 * @param ask makes the call with these options: always the same request, or one other request if `isOther`
 */
export async function repeatCall<Reply>(
  as: { readonly principalToken: string } | { readonly operator: string },
  ask: (options: CallOptions, isOther: boolean) => Promise<Reply>,
): Promise<RepeatResults<Reply>> {
  let replays = 0;
  const options: CallOptions = { ...as, idempotencyKey: newId(), onReplayed: () => (replays += 1) };
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(options, false)));
  answers.push(await ask(options, false));
  const refusal = await ask(options, true).catch((error: unknown) => error);
  return { answers, replays, refusal };
}

/** Result of {@link repeatCall} if the call created one object. */
export const createdOnce = <Reply>(answer: Reply) => ({
  answers: Array.from({ length: AT_ONCE + 1 }, () => answer),
  replays: AT_ONCE,
  refusal: expectedRefusal,
});

const expectedRefusal: object = {
  asymmetricMatch: (error: unknown) => (error as { code?: unknown } | undefined)?.code === 'idempotency-key-reused',
  toString: () => 'IdempotencyKeyReused',
};
