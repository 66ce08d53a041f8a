import { INSTALLATION_SCOPE, recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { requestRefused } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { UserClaims } from '../domain/user.ts';
import { findUserByClaims, hasIntroduced, insertUserOnce, lockIntroductions } from '../store/users.ts';

/** Users whom one sales channel has made known and who never came: plenty for colleagues, few enough to keep. */
const UNSEEN_AT_MOST = 1_000;

/**
 * Makes a user known for a sales channel, before their first token, and returns their id. For a user who is known it
 * changes nothing. It is recorded where only operators read: the channel's own trail would say who was known before.
 * @throws DomainError 'request-refused' for a channel with too many users who never came
 */
export const introduceUser = (
  database: Database,
  claims: UserClaims,
  salesChannelId: string,
  actor: Actor,
): Promise<string> =>
  database.transaction(async (em) => {
    const [, known, isFull] = await Promise.all([
      lockIntroductions(em, salesChannelId),
      findUserByClaims(em, claims),
      hasIntroduced(em, salesChannelId, UNSEEN_AT_MOST),
    ]);
    if (known) return known.id;
    if (isFull)
      throw requestRefused(`There are ${UNSEEN_AT_MOST} users already whom you made known and who never signed in.`);
    const id = newId();
    if (await insertUserOnce(em, claims, { id, introducedBy: salesChannelId })) {
      const act = { action: 'identity.user.introduced', subject: { type: 'user', id } } as const;
      await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE], actor, after: { salesChannelId } }]);
      return id;
    }
    // They came by themselves meanwhile.
    const made = await findUserByClaims(em, claims);
    if (!made) throw new Error('a user is missing: users are never deleted');
    return made.id;
  });
