import { recordAudit, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import type { SessionEnd } from '../domain/session.ts';
import { endSessions as end, type OwnSession, type SessionChoice } from '../store/sessions.ts';
import { findUserByClaims } from '../store/users.ts';
import { ownerOf, sessionScope } from './begin-session.ts';

interface Ending {
  readonly by: SessionEnd;
  /** Without a kind: the person of the sessions, by this request. */
  readonly actor: Actor | Pick<Actor, 'address' | 'requestId'>;
  /** Given by an operator. */
  readonly reason?: string;
  readonly now: Date;
}

/** Ends sessions of one person, and so their access tokens. Returns those that lived, and an act to record for each. */
export async function takeSessions(
  em: EntityManager,
  choice: SessionChoice,
  { by, actor, reason, now }: Ending,
): Promise<{ readonly ended: OwnSession[]; readonly acts: Act[] }> {
  const ended = await end(em, choice, { by, now });
  const [first] = ended;
  const userId = first && (await findUserByClaims(em, first))?.id;
  const acts = ended.map((session): Act => {
    const { id, client, begunOn } = session;
    const owner = ownerOf(session, userId);
    return {
      action: 'identity.session.ended',
      scopes: [sessionScope(client)],
      actor: 'kind' in actor ? actor : { ...owner, ...actor },
      subject: { type: 'session', id },
      before: { client, owner: owner.id ?? null, begunOn },
      after: { endedBy: by, ...(reason !== undefined && { reason }) },
    };
  });
  return { ended, acts };
}

/** Ends sessions of one person and records it. Returns those that lived. */
export async function endSessions(em: EntityManager, choice: SessionChoice, ending: Ending): Promise<OwnSession[]> {
  const { ended, acts } = await takeSessions(em, choice, ending);
  await recordAudit(em, acts);
  return ended;
}
