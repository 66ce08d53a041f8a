import type { Database } from '@saleschannel/database';
import { contradiction, type AccountHolder, type AccountHolderContent } from '../domain/account-holder.ts';
import { ensureAccountHolders } from './ensure-account-holders.ts';

/**
 * Idempotent by business id.
 * @throws DomainError `request-refused` when the stored account holder has other content
 */
export async function createAccountHolder(
  database: Database,
  content: AccountHolderContent,
): Promise<{ holder: AccountHolder; created: boolean }> {
  const [ensured] = await database.transaction((em) => ensureAccountHolders(em, [content]));
  if (!ensured?.agrees) throw contradiction();
  return { holder: ensured.holder, created: ensured.created };
}
