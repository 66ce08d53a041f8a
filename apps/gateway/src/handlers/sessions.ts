import { hash } from 'node:crypto';
import type { ReplyOf } from '@saleschannel/grpc';
import { parseAuthorization } from '../authentication/credentials.ts';
import type { Clients } from '../clients.ts';
import { createJsonAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';

const toSession = ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  address,
  isCurrent,
}: ReplyOf<'identity.ListOwnSessions'>['sessions'][number]) => ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  address: address ?? null,
  current: isCurrent,
});

/** Identifies the current session for identity. An API key belongs to no session. */
function currentToken({ request }: RequestContext): { tokenSha256?: string } {
  const { authorization } = request.headers;
  const credential = authorization === undefined ? undefined : parseAuthorization(authorization, 'SALES_CHANNEL');
  return credential && 'bearerToken' in credential ? { tokenSha256: hash('sha256', credential.bearerToken) } : {};
}

/** Sessions of the signed-in user in the portal and the console. */
export const createSessionHandlers = ({
  identity,
}: Clients): Pick<Handlers, 'listOwnSessions' | 'endOwnSession' | 'endOwnSessions'> => ({
  async listOwnSessions(_input, context) {
    const { sessions } = await identity.ListOwnSessions(currentToken(context), context.callOptions);
    return createJsonAnswer(200, sessions.map(toSession));
  },
  async endOwnSession({ path: { sessionId: id } }, context) {
    const { sessions } = await identity.EndOwnSessions({ id, ...currentToken(context) }, context.callOptions);
    const [ended] = sessions;
    if (!ended) throw new Error('identity answered without the ended session');
    return createJsonAnswer(200, toSession(ended));
  },
  async endOwnSessions({ query: { others } }, context) {
    const { sessions } = await identity.EndOwnSessions({ others, ...currentToken(context) }, context.callOptions);
    return createJsonAnswer(200, sessions.map(toSession));
  },
});
