import { INSTALLATION_SCOPE, recordAudit, SESSIONS_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import type { Session, SessionClient, SessionEnd } from '../domain/session.ts';
import * as store from '../store/sessions.ts';
import { findUserByClaims } from '../store/users.ts';

/** Operators' sessions belong to the trail of the installation. */
export const auditScope = (client: SessionClient): string =>
  client === 'console' ? INSTALLATION_SCOPE : SESSIONS_SCOPE;

/** Converts the person of a session to an actor of the audit trail. */
export const toActor = ({ client, subject }: Pick<Session, 'client' | 'subject'>, userId: string | undefined): Actor =>
  client === 'console' ? { kind: 'operator', id: subject } : { kind: 'user', ...(userId && { id: userId }) };

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
