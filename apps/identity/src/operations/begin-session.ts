import { INSTALLATION_SCOPE, recordAudit, SESSIONS_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credential-errors.ts';
import type { NewSession, Session, SessionClient } from '../domain/session.ts';
import { isSignedOutAtProvider } from '../store/provider-sign-outs.ts';
import { insertSessionOnce, insertSessionToken, useSession } from '../store/sessions.ts';
import { findUserByClaims, lockUser } from '../store/users.ts';
import { ensureUser } from './ensure-user.ts';

/** Where a session of a program is recorded. Operators' sessions belong to the trail of the installation. */
export const sessionScope = (client: SessionClient): string =>
  client === 'console' ? INSTALLATION_SCOPE : SESSIONS_SCOPE;

/** The person of a session, as the audit trail names them. */
export const ownerOf = ({ client, subject }: Pick<Session, 'client' | 'subject'>, userId: string | undefined): Actor =>
  client === 'console' ? { kind: 'operator', id: subject } : { kind: 'user', ...(userId && { id: userId }) };

export interface BegunSession {
  readonly session: Session;
  /** Undefined for an operator. */
  readonly userId: string | undefined;
}

/**
 * Records a session and its first access token. People of the portal become known users. Operators of the console need
 * not be users, and may have another issuer.
 * @throws DomainError 'unauthenticated' for a disabled user, for a sign-in that the provider has ended meanwhile, and
 * in the portal for another issuer
 */
export async function beginSession(
  { database, bearerTokens, clock }: Context,
  wanted: NewSession,
  client: SessionClient,
  request: Pick<Actor, 'address' | 'requestId'>,
): Promise<BegunSession> {
  if (client === 'portal') {
    if (wanted.issuer !== bearerTokens.issuer) throw unauthenticated();
    await ensureUser(database, wanted);
  }
  return database.transaction(async (em) => {
    const now = clock.now();
    const userId = await lockEnabledUser(em, wanted);
    if (await isSignedOutAtProvider(em, wanted, client)) throw unauthenticated();
    const isNew = await insertSessionOnce(em, wanted, { client, address: request.address, now });
    const { id, token } = wanted;
    const isAlive = await insertSessionToken(em, { id, client, token, now });
    const session = isAlive && (await useSession(em, { id, client, isUsed: false, now }));
    if (!session) throw unauthenticated();
    if (isNew) {
      const { signedInAt, acr, expiresAt } = session;
      const about = { scopes: [sessionScope(client)], subject: { type: 'session', id } };
      const actor = { ...ownerOf(session, userId), ...request };
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
