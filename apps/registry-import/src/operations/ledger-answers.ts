import type { DomainError } from '@saleschannel/errors';
import { errorOf, type ReplyOf } from '@saleschannel/grpc';

type ApplyResponse = ReplyOf<'ledger.ApplyFacilities'> | ReplyOf<'ledger.ApplyIssuances'>;

/** What became of one record that was sent to the ledger. */
export type ApplyResult = ApplyResponse['results'][number];

/** Why the ledger refused a record. Undefined when it took it. */
export const refusalOf = ({ problem }: ApplyResult): DomainError | undefined =>
  problem ? errorOf(problem) : undefined;

/** Whether the one record that was sent is new. @throws DomainError by which the ledger refused it */
export function isNew({ results }: ApplyResponse): boolean {
  const [result] = results;
  if (!result || results.length !== 1) throw new Error(`the ledger answered one record with ${results.length} results`);
  const refusal = refusalOf(result);
  if (refusal) throw refusal;
  return result.outcome === 'OUTCOME_CREATED';
}
