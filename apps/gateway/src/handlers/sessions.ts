import { hash } from 'node:crypto';
import type { ReplyOf } from '@saleschannel/grpc';
import { parseAuthorization } from '../authentication/credentials.ts';
import type { Clients } from '../clients.ts';
import { json } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';

const sessionOf = ({
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

/** By which identity finds the session that asks. An API key is of no session. */
function tokenOf({ request }: RequestContext): { tokenSha256?: string } {
  const { authorization } = request.headers;
  const credential = authorization === undefined ? undefined : parseAuthorization(authorization, 'SALES_CHANNEL');
  return credential && 'bearerToken' in credential ? { tokenSha256: hash('sha256', credential.bearerToken) } : {};
}

/** Sessions of the signed-in user in the portal and the console. */
export const ownSessions = ({
  identity,
}: Clients): Pick<Handlers, 'listOwnSessions' | 'endOwnSession' | 'endOwnSessions'> => ({
  async listOwnSessions(_input, context) {
    const { sessions } = await identity.ListOwnSessions(tokenOf(context), context.call);
    return json(200, sessions.map(sessionOf));
  },
  async endOwnSession({ path: { sessionId: id } }, context) {
    const { sessions } = await identity.EndOwnSessions({ id, ...tokenOf(context) }, context.call);
    const [ended] = sessions;
    if (!ended) throw new Error('identity ended a session and did not say which');
    return json(200, sessionOf(ended));
  },
  async endOwnSessions({ query: { others } }, context) {
    const { sessions } = await identity.EndOwnSessions({ others, ...tokenOf(context) }, context.call);
    return json(200, sessions.map(sessionOf));
  },
});
