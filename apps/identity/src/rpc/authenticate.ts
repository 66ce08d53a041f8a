import { isRole, type Principal, type UserPrincipal } from '@saleschannel/auth';
import type { AuthenticateRequest__Output } from '@saleschannel/contracts/gen/identity/v1/AuthenticateRequest';
import type { AuthenticateResponse } from '@saleschannel/contracts/gen/identity/v1/AuthenticateResponse';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { checkApiKey, checkRegistryKey } from '../credentials/keys.ts';
import { cannotTell, unauthenticated } from '../domain/credential-errors.ts';
import { ensureUser } from '../store/users.ts';

const BINDING_TIMEOUT_MS = 3_000;

interface Authenticated {
  readonly principal: Principal;
  /** The end of the credential. */
  readonly expiresAt: Date;
}

/** Every credential that is not good gets the same answer; what cannot be found out now is 'unavailable' and says nothing about the credential. */
export const authenticate =
  (context: Context) =>
  async (request: AuthenticateRequest__Output, call: Call): Promise<AuthenticateResponse> => {
    const isRegistry = request.surface === 'REGISTRY';
    const { principal, expiresAt } = await (isRegistry
      ? registryPrincipal(context, request)
      : userPrincipal(context, request, call));
    return { principalToken: await context.signer.sign(principal, expiresAt) };
  };

/** On the registry API nothing but a registry key counts. */
async function registryPrincipal(context: Context, { basic }: AuthenticateRequest__Output): Promise<Authenticated> {
  if (!basic) throw unauthenticated();
  const { accountHolderId, expiresAt } = await checkRegistryKey(context, basic);
  return { principal: { kind: 'registry', keyId: basic.username, accountHolderId }, expiresAt };
}

async function userPrincipal(
  context: Context,
  request: AuthenticateRequest__Output,
  call: Call,
): Promise<Authenticated> {
  const { userId, accountHolderId, expiresAt } = await identify(context, request);
  return {
    principal: { kind: 'user', userId, accountHolderId, ...(await rightsOf(context, userId, call)) },
    expiresAt,
  };
}

interface IdentifiedUser {
  userId: string;
  accountHolderId: string | undefined;
  expiresAt: Date;
}

async function identify(
  context: Context,
  { basic, bearerToken }: AuthenticateRequest__Output,
): Promise<IdentifiedUser> {
  if (basic) return checkApiKey(context, basic);
  if (bearerToken === undefined) throw unauthenticated();
  const { issuer, subject, expiresAt } = await context.bearerTokens.verify(bearerToken);
  const user = await ensureUser(context.database, issuer, subject);
  return { userId: user.id, accountHolderId: user.accountHolderId ?? undefined, expiresAt };
}

/** The user's rights of this moment: an API key has them too. Whatever goes wrong here is no fault of the credential. */
async function rightsOf(
  context: Context,
  userId: string,
  call: Call,
): Promise<Pick<UserPrincipal, 'salesChannelId' | 'roles'>> {
  try {
    const { salesChannelId, roles } = await context.bindings.ReadBinding(
      { userId },
      { within: call, timeoutMs: BINDING_TIMEOUT_MS },
    );
    return { salesChannelId: salesChannelId === '' ? undefined : salesChannelId, roles: roles.filter(isRole) };
  } catch (error) {
    context.logger.warn({ err: error }, 'the rights of a user cannot be read');
    throw cannotTell(error);
  }
}
