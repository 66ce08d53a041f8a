import type { DomainError } from '@saleschannel/errors';
import { errorOf, type ReplyOf } from '@saleschannel/grpc';

type ApplyResponse = ReplyOf<'ledger.ApplyFacilities'> | ReplyOf<'ledger.ApplyIssuances'>;

/** What became of one record that was sent to the ledger. */
export type ApplyResult = ApplyResponse['results'][number];

/**
 * Why the ledger refused a record. Undefined when it took it.
 * @throws Error when the result says neither
 */
export function refusalOf({ outcome, problem }: ApplyResult): DomainError | undefined {
  switch (outcome) {
    case 'OUTCOME_CREATED':
    case 'OUTCOME_UPDATED':
    case 'OUTCOME_UNCHANGED':
      return undefined;
    case 'OUTCOME_REFUSED':
      if (problem) return errorOf(problem);
  }
  throw new Error(`the ledger answered a record with ${outcome} and no reason`);
}

/** Whether the one record that was sent is new. @throws DomainError by which the ledger refused it */
export function isNew({ results }: ApplyResponse): boolean {
  const [result] = results;
  if (!result || results.length !== 1) throw new Error(`the ledger answered one record with ${results.length} results`);
  const refusal = refusalOf(result);
  if (refusal) throw refusal;
  return result.outcome === 'OUTCOME_CREATED';
}
