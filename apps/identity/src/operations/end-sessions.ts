import { recordAudit, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import type { SessionEnd } from '../domain/session.ts';
import { endSessions as end, type SessionChoice } from '../store/sessions.ts';
import { findUserByClaims } from '../store/users.ts';
import { ownerOf, sessionScope } from './begin-session.ts';

interface Ending {
  readonly by: SessionEnd;
  /** Without a kind: the person of the sessions, by this request. */
  readonly actor: Actor | Pick<Actor, 'address' | 'requestId'>;
  readonly now: Date;
}

/** Ends sessions of one person, and so their access tokens. Returns an act to record for each that had not ended. */
export async function takeSessions(
  em: EntityManager,
  choice: SessionChoice,
  { by, actor, now }: Ending,
): Promise<Act[]> {
  const ended = await end(em, choice, { by, now });
  const [first] = ended;
  const userId = first && (await findUserByClaims(em, first))?.id;
  return ended.map((session): Act => {
    const { id, client, begunOn } = session;
    const owner = ownerOf(session, userId);
    return {
      action: 'identity.session.ended',
      scopes: [sessionScope(client)],
      actor: 'kind' in actor ? actor : { ...owner, ...actor },
      subject: { type: 'session', id },
      before: { client, owner: owner.id ?? null, begunOn },
      after: { endedBy: by },
    };
  });
}

/** Ends sessions of one person and records it. Returns the ids of those that had not ended. */
export async function endSessions(em: EntityManager, choice: SessionChoice, ending: Ending): Promise<string[]> {
  const acts = await takeSessions(em, choice, ending);
  await recordAudit(em, acts);
  return acts.map(({ subject }) => subject.id);
}
