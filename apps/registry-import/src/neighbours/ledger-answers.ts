import type { DomainError } from '@saleschannel/errors';
import { toError, type ReplyOf } from '@saleschannel/grpc';

type ApplyResponse = ReplyOf<'ledger.ApplyFacilities'> | ReplyOf<'ledger.ApplyIssuances'>;

/** Result of one record sent to the ledger. */
export type ApplyResult = ApplyResponse['results'][number];

/**
 * Returns the ledger's refusal of a record, or undefined if it was applied.
 * @throws Error for an unknown outcome
 */
export function findRefusal({ outcome, problem }: ApplyResult): DomainError | undefined {
  switch (outcome) {
    case 'OUTCOME_CREATED':
    case 'OUTCOME_UPDATED':
    case 'OUTCOME_UNCHANGED':
      return undefined;
    case 'OUTCOME_REFUSED':
      if (problem) return toError(problem);
  }
  throw new Error(`The ledger answered a record with ${outcome} and no reason.`);
}

/** Reports whether the single record was created. @throws DomainError if the ledger refused it */
export function isNew({ results }: ApplyResponse): boolean {
  const [result] = results;
  if (!result || results.length !== 1)
    throw new Error(`The ledger answered one record with ${results.length} results.`);
  const refusal = findRefusal(result);
  if (refusal) throw refusal;
  return result.outcome === 'OUTCOME_CREATED';
}
