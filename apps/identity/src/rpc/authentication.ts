import { hash } from 'node:crypto';
import { PRINCIPAL_LIFETIME_MS, principalReceivers, type Principal, type SignIn } from '@saleschannel/auth';
import type { Call, RequestOf, Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { TokenHolder } from '../credentials/bearer-tokens.ts';
import { checkApiKey, checkRegistryKey } from '../credentials/keys.ts';
import { unauthenticated } from '../domain/credential-errors.ts';
import { isWorkingRegistry } from '../neighbours/account-holders.ts';
import { findRights } from '../neighbours/rights.ts';
import { ensureUser } from '../operations/ensure-user.ts';
import { renewApiKeyHash, renewRegistryKeyHash } from '../operations/renew-hash.ts';
import { findTokenSession, type TokenSession } from '../store/sessions.ts';

type Request = RequestOf<'identity.Authenticate'>;

const authenticateRequest = z.object({
  receivers: z.array(z.enum(principalReceivers)).min(1).max(principalReceivers.length),
});

/** Who a credential stands for. */
interface Authenticated {
  readonly principal: Principal;
  /** The end of the credential. */
  readonly expiresAt: Date;
}

/**
 * Each credential that is not good gets the same answer. What cannot be found out now is 'unavailable' and says nothing
 * about the credential. The token is for the named receivers alone.
 */
export const authenticate: Rpc<'identity.Authenticate', Context> = (context) => async (request, call) => {
  const { receivers } = parse(authenticateRequest, request, 'The receivers are not valid.');
  const { principal, expiresAt } = await check(context, request, call);
  // Whoever asks must be able to read the answer.
  const principalToken = await context.signer.sign(principal, [call.caller, ...receivers], expiresAt);
  const leftMs = expiresAt.getTime() - context.clock.now().getTime();
  return { principalToken, goodForMs: Math.max(0, Math.min(PRINCIPAL_LIFETIME_MS, Math.floor(leftMs))) };
};

/** Keys of one API are refused on the other. A request that names no API is refused too. */
async function check(context: Context, request: Request, call: Call): Promise<Authenticated> {
  switch (request.surface) {
    case 'SURFACE_SALES_CHANNEL':
      return checkUser(context, request, call);
    case 'SURFACE_REGISTRY':
      return checkRegistry(context, request, call);
    default:
      throw unauthenticated();
  }
}

/**
 * On the registry API only registry keys count, and of these only those of a registry: its right does not outlive the
 * reason for it.
 */
async function checkRegistry(context: Context, { key }: Request, call: Call): Promise<Authenticated> {
  if (!key) throw unauthenticated();
  const stored = await checkRegistryKey(context, key, call);
  renewRegistryKeyHash(context, key, stored);
  const { accountHolderId, expiresAt } = stored;
  if (!(await isWorkingRegistry(context, accountHolderId, call))) throw unauthenticated();
  context.sightings.registryKey(key.keyId);
  return { principal: { kind: 'registry', keyId: key.keyId, accountHolderId }, expiresAt };
}

async function checkUser(context: Context, request: Request, call: Call): Promise<Authenticated> {
  const { userId, accountHolderId: holderId, expiresAt, signIn } = await findUser(context, request, call);
  const accountHolderId = holderId ?? undefined;
  const [rights, isRegistry] = await Promise.all([
    findRights(context, userId, call),
    accountHolderId !== undefined && isWorkingRegistry(context, accountHolderId, call),
  ]);
  const keyId = request.key?.keyId;
  const claims = { keyId, isRegistry: isRegistry || undefined, signIn };
  return { principal: { kind: 'user', userId, accountHolderId, ...claims, ...rights }, expiresAt };
}

interface UserCredential {
  readonly userId: string;
  readonly accountHolderId: string | null;
  readonly expiresAt: Date;
  readonly signIn?: SignIn | undefined;
}

async function findUser(context: Context, { key, bearerToken }: Request, call: Call): Promise<UserCredential> {
  if (key) {
    const stored = await checkApiKey(context, key, call);
    renewApiKeyHash(context, key, stored);
    context.sightings.apiKey(key.keyId, stored.userId);
    return stored;
  }
  if (bearerToken === undefined) throw unauthenticated();
  const holder = await context.bearerTokens.verify(bearerToken);
  const { issuer, subject, profile, expiresAt } = holder;
  const [user, session] = await Promise.all([
    ensureUser(context.database, { issuer, subject }, profile),
    findTokenSession(context.database.em(), hash('sha256', bearerToken, 'buffer'), context.clock.now()),
  ]);
  // A token outlives its session at the provider, and nowhere else.
  if (user.disabledAt !== null || session?.isAlive === false) throw unauthenticated();
  await context.sightings.userWithToken(user, profile);
  const { id: userId, accountHolderId } = user;
  return { userId, accountHolderId, expiresAt, signIn: signInOf(context, holder, session) };
}

/**
 * The sign-in that operations may find too old. A session has that of its ID token, whatever its access tokens say.
 * Undefined for programs, and for people whom the installation does not ask.
 */
function signInOf(
  { recentSignIn: { of, acrs } }: Context,
  { signIn: own }: TokenHolder,
  session: TokenSession | undefined,
): SignIn | undefined {
  const ofSession = session && { atMs: Date.parse(session.signedInAt), acr: session.acr };
  const judged = ofSession ?? (of === 'everybody' ? own : undefined);
  if (!judged) return undefined;
  const { atMs = 0, acr } = judged;
  const isWanted = acrs.length === 0 || (typeof acr === 'string' && acrs.includes(acr));
  return { atMs, wantedAcrs: isWanted ? undefined : acrs };
}
