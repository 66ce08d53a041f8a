import { DomainError, unavailable } from '@saleschannel/errors';
import type { RequestOf } from '@saleschannel/grpc';
import { neighbour, startNeighbours } from '@saleschannel/testing';

type Begun = RequestOf<'sessions.BeginSession'>;

/** Fake of identity's sessions, shared by all replicas. */
export interface TestSessionDirectory {
  readonly address: string;
  /** Sessions by id. */
  readonly activeSessions: Map<string, Begun>;
  /** SHA-256 of every recorded access token, in hex. */
  readonly tokens: Set<string>;
  /** False: every call fails with 'unavailable'. */
  setReachable(isReachable: boolean): void;
  stop(): Promise<void>;
}

const refused = (): DomainError => new DomainError('unauthenticated', 'The session has ended.');

export async function startSessionDirectory(): Promise<TestSessionDirectory> {
  const living = new Map<string, Begun>();
  const tokens = new Set<string>();
  let isReachable = true;
  const reach = (): void => {
    if (!isReachable) throw unavailable(new Error('the session directory is down'));
  };
  const found = (id = '') => {
    reach();
    const begun = living.get(id);
    if (!begun) throw refused();
    return { id, client: 'portal', expiresAt: begun.expiresAt, signedInAt: begun.signedInAt };
  };
  const server = await startNeighbours(
    neighbour('sessions', ['portal'], {
      async BeginSession(begun) {
        reach();
        if (begun.subject === 'disabled') throw refused();
        living.set(begun.id ?? '', begun);
        tokens.add(begun.token?.sha256 ?? '');
        return { ...found(begun.id), userId: `user-of-${begun.subject}` };
      },
      async AddSessionToken({ id, token }) {
        found(id);
        tokens.add(token?.sha256 ?? '');
        return {};
      },
      CheckSession: ({ id }) => Promise.resolve().then(() => found(id)),
      async EndProviderSessions({ issuer, subject, providerSession }) {
        reach();
        const ended = [...living.values()].filter(
          (begun) =>
            begun.issuer === issuer &&
            (subject === undefined || begun.subject === subject) &&
            (providerSession === undefined || begun.providerSession === providerSession),
        );
        for (const { id } of ended) living.delete(id ?? '');
        return { sessions: ended.map(({ id }) => ({ id, client: 'portal' })) };
      },
      async EndSession({ id }) {
        reach();
        living.delete(id ?? '');
        return {};
      },
    }),
  );
  return {
    address: server.address,
    activeSessions: living,
    tokens,
    setReachable: (value) => void (isReachable = value),
    stop: () => server.stop(),
  };
}
