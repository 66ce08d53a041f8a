import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { recordOnce } from '@saleschannel/idempotency';
import type { Clock } from '@saleschannel/primitives';
import type { Issuance } from '../domain/issuance.ts';
import { applyIssuances, type Outcome } from './apply-issuances.ts';

interface Repeatable {
  readonly scope: string;
  readonly key: string;
  readonly digest: string;
}

/**
 * Makes an issuance once per key. A repeat gets the first outcome, for as long as the issuance exists.
 * @throws DomainError why it was refused, or 'idempotency-key-reused' when the key made an issuance of another request
 */
export async function issueOnce(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  issuance: Issuance,
  actor: Actor,
  { digest: request, ...keyed }: Repeatable,
): Promise<{ outcomes: readonly Outcome[]; replayed: boolean }> {
  const { made, replayed } = await recordOnce<readonly Outcome[]>(
    'ledger.ApplyIssuances',
    { database, ...keyed, request },
    (transactional) => applyIssuances(transactional, clock, [issuance], actor),
    { toId: keptOutcome, load: (_em, outcome) => [outcome as 'CREATED' | 'UNCHANGED'] },
  );
  return { outcomes: made, replayed };
}

/** @throws DomainError for a refusal, which uses no key */
function keptOutcome([outcome]: readonly Outcome[]): string {
  if (typeof outcome === 'string') return outcome;
  throw outcome ?? new Error('an issuance has no outcome');
}
