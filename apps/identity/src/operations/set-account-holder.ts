import { INSTALLATION_SCOPE, recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import type { User } from '../domain/user.ts';
import { lockUser, updateAccountHolder } from '../store/users.ts';

/**
 * Says to which account holder a user belongs.
 * @param accountHolderId undefined takes the user out of theirs
 * @throws DomainError 'not-found' for an unknown user
 */
export const setAccountHolder = (
  database: Database,
  id: string,
  accountHolderId: string | undefined,
  actor: Actor,
): Promise<User> =>
  database.transaction(async (em) => {
    const known = await lockUser(em, id);
    const user = known && (await updateAccountHolder(em, id, accountHolderId));
    if (!user) throw notFound();
    const act = { action: 'identity.user.account-holder-set', subject: { type: 'user', id } } as const;
    const before = { accountHolderId: known.accountHolderId };
    const after = { accountHolderId: user.accountHolderId };
    await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE], actor, before, after }]);
    return user;
  });
