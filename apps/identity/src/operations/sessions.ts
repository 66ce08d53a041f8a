import { INSTALLATION_SCOPE, recordAudit, SESSIONS_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import type { Context } from '../context.ts';
import { unauthenticated } from '../domain/credentials.ts';
import type { NewSession, Session, SessionClient, SessionEnd } from '../domain/session.ts';
import * as store from '../store/sessions.ts';
import { ensureUser, findUserByClaims, lockUser } from '../store/users.ts';

/** Operators' sessions belong to the trail of the installation. */
const auditScope = (client: SessionClient): string => (client === 'console' ? INSTALLATION_SCOPE : SESSIONS_SCOPE);

/** Converts the person of a session to an actor of the audit trail. */
const toActor = ({ client, subject }: Pick<Session, 'client' | 'subject'>, userId: string | undefined): Actor =>
  client === 'console' ? { kind: 'operator', id: subject } : { kind: 'user', ...(userId && { id: userId }) };

interface BegunSession {
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
    await ensureUser(database.em(), newSession);
  }
  return database.transaction(async (em) => {
    const now = clock.now();
    const userId = await lockEnabledUser(em, newSession);
    if (await store.isSignedOutAtProvider(em, newSession, client)) throw unauthenticated();
    const isNew = await store.insertSessionOnce(em, newSession, { client, address: request.address, now });
    const { id, token } = newSession;
    const isAlive = await store.insertSessionToken(em, { id, client, token, now });
    const session = isAlive && (await store.useSession(em, { id, client, isUsed: false, now }));
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

interface Ending {
  readonly by: SessionEnd;
  /** Without a kind: the person of the sessions, by this request. */
  readonly actor: Actor | Pick<Actor, 'address' | 'requestId'>;
  /** Given by an operator. */
  readonly reason?: string;
  readonly now: Date;
}

/** Ends a person's sessions and their access tokens. Returns those that were alive, and an audit act for each. */
export async function endAndDescribe(
  em: EntityManager,
  choice: store.SessionChoice,
  { by, actor, reason, now }: Ending,
): Promise<{ readonly ended: store.OwnSession[]; readonly acts: Act[] }> {
  const ended = await store.endSessions(em, choice, { by, now });
  const [first] = ended;
  const userId = first && (await findUserByClaims(em, first))?.id;
  const acts = ended.map((session): Act => {
    const { id, client, begunOn } = session;
    const owner = toActor(session, userId);
    return {
      action: 'identity.session.ended',
      scopes: [auditScope(client)],
      actor: 'kind' in actor ? actor : { ...owner, ...actor },
      subject: { type: 'session', id },
      before: { client, owner: owner.id ?? null, begunOn },
      after: { endedBy: by, ...(reason !== undefined && { reason }) },
    };
  });
  return { ended, acts };
}

/** Ends a person's sessions and records it in the audit trail. Returns those that were alive. */
export async function endSessions(
  em: EntityManager,
  choice: store.SessionChoice,
  ending: Ending,
): Promise<store.OwnSession[]> {
  const { ended, acts } = await endAndDescribe(em, choice, ending);
  await recordAudit(em, acts);
  return ended;
}
