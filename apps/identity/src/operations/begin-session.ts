import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credential-errors.ts';
import type { NewSession, Session, SessionClient } from '../domain/session.ts';
import { isSignedOutAtProvider } from '../store/provider-sign-outs.ts';
import { insertSessionOnce, insertSessionToken, useSession } from '../store/sessions.ts';
import { findUserByClaims, lockUser } from '../store/users.ts';
import { auditScope, toActor } from './end-sessions.ts';
import { ensureUser } from './users.ts';

export interface BegunSession {
  readonly session: Session;
  /** Undefined for an operator. */
  readonly userId: string | undefined;
}

/**
 * Records a session and its first access token. In the portal, a new person becomes a user. Operators of the console
 * need not be users, and may have another issuer.
 * @throws DomainError 'unauthenticated' for a disabled user, for a sign-in that the provider has ended meanwhile, and
 * in the portal for another issuer
 */
export async function beginSession(
  { database, bearerTokens, clock }: Context,
  newSession: NewSession,
  client: SessionClient,
  request: Pick<Actor, 'address' | 'requestId'>,
): Promise<BegunSession> {
  if (client === 'portal') {
    if (newSession.issuer !== bearerTokens.issuer) throw unauthenticated();
    await ensureUser(database, newSession);
  }
  return database.transaction(async (em) => {
    const now = clock.now();
    const userId = await lockEnabledUser(em, newSession);
    if (await isSignedOutAtProvider(em, newSession, client)) throw unauthenticated();
    const isNew = await insertSessionOnce(em, newSession, { client, address: request.address, now });
    const { id, token } = newSession;
    const isAlive = await insertSessionToken(em, { id, client, token, now });
    const session = isAlive && (await useSession(em, { id, client, isUsed: false, now }));
    if (!session) throw unauthenticated();
    if (isNew) {
      const { signedInAt, acr, expiresAt } = session;
      const about = { scopes: [auditScope(client)], subject: { type: 'session', id } };
      const actor = { ...toActor(session, userId), ...request };
      await recordAudit(em, [
        { action: 'identity.session.begun', actor, ...about, after: { client, signedInAt, acr, expiresAt } },
      ]);
    }
    return { session, userId: client === 'portal' ? userId : undefined };
  });
}

/** Waits until a concurrent DisableUser commits, so that no session begins after it. */
async function lockEnabledUser(em: EntityManager, claims: NewSession): Promise<string | undefined> {
  const known = await findUserByClaims(em, claims);
  const user = known && (await lockUser(em, known.id));
  if (user?.disabledAt) throw unauthenticated();
  return user?.id;
}
