import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { patched, type AccountHolder, type AccountHolderPatch } from '../domain/account-holder.ts';
import { BUSINESS_ID_TAKEN, refusedFor } from '../domain/refusals.ts';
import { leasesEnded } from './leases.ts';
import { findByBusinessIds, isBusinessIdTaken, lockById, replaceContent } from '../store/account-holders.ts';

/**
 * Changes an account holder. Patches at once of different members all take effect. Whether it approves counts
 * everywhere once this returns.
 * @throws DomainError 'not-found', or 'request-refused' when another account holder has the business id
 */
export async function updateAccountHolder(
  database: Database,
  accountHolderId: string,
  patch: AccountHolderPatch,
  actor: Actor,
): Promise<AccountHolder> {
  const updated = await applyPatch(database, accountHolderId, patch, actor);
  if (patch.autoApproval !== undefined) await leasesEnded();
  return updated;
}

async function applyPatch(
  database: Database,
  accountHolderId: string,
  patch: AccountHolderPatch,
  actor: Actor,
): Promise<AccountHolder> {
  try {
    return await database.transaction(async (em) => {
      const current = await lockById(em, accountHolderId);
      if (!current) throw notFound();
      const changed = patched(current, patch);
      const namesakes = patch.businessId === undefined ? [] : await findByBusinessIds(em, [patch.businessId]);
      if (namesakes.some(({ id }) => id !== current.id)) throw refusedFor(BUSINESS_ID_TAKEN);
      await replaceContent(em, current.id, changed);
      const act = {
        action: 'registry-import.account-holder.updated',
        subject: { type: 'account-holder', id: current.id },
      } as const;
      const before = { businessId: current.businessId, autoApproval: current.autoApproval };
      const after = { businessId: changed.businessId, autoApproval: changed.autoApproval, members: Object.keys(patch) };
      await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE], actor, before, after }]);
      return { ...current, ...changed };
    });
  } catch (error) {
    if (isBusinessIdTaken(error)) throw refusedFor(BUSINESS_ID_TAKEN);
    throw error;
  }
}
