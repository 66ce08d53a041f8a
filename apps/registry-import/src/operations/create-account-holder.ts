import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { AccountHolder, AccountHolderContent } from '../domain/account-holder.ts';
import { CONTRADICTS_STORED, refusedFor } from '../domain/refusals.ts';
import { ensureAccountHolders } from './ensure-account-holders.ts';

/**
 * Creates an account holder, once per business id.
 * @throws DomainError 'request-refused' when the stored account holder has other content
 */
export const createAccountHolder = (
  database: Database,
  content: AccountHolderContent,
  actor: Actor,
): Promise<{ accountHolder: AccountHolder; created: boolean }> =>
  database.transaction(async (em) => {
    const [ensured] = await ensureAccountHolders(em, [content], actor);
    if (!ensured?.agrees) throw refusedFor(CONTRADICTS_STORED);
    const { accountHolder, created } = ensured;
    return { accountHolder, created };
  });
