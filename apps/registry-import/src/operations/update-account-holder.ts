import { sqlState, UNIQUE_VIOLATION, type Database } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { businessIdTaken, patched, type AccountHolder } from '../domain/account-holder.ts';
import { lockById, replaceContent } from '../store/account-holders.ts';

/**
 * Applies a JSON Merge Patch (RFC 7396).
 * @throws DomainError `not-found`, `invalid-request`, `request-refused` when another account holder has the business id
 */
export async function updateAccountHolder(database: Database, id: string, patch: unknown): Promise<AccountHolder> {
  try {
    return await database.transaction(async (em) => {
      const current = await lockById(em, id);
      if (!current) throw notFound();
      const content = patched(contentOnly(current), patch);
      await replaceContent(em, id, content);
      return { ...content, id, registeredOn: current.registeredOn };
    });
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw businessIdTaken();
    throw error;
  }
}

const contentOnly = ({ name, businessId, address, autoApproval }: AccountHolder) => ({
  name,
  businessId,
  address,
  autoApproval,
});
