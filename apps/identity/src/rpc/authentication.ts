import { hash } from 'node:crypto';
import { PRINCIPAL_LIFETIME_MS, principalReceivers, type Principal, type SignIn } from '@saleschannel/auth';
import type { Call, RequestOf, Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { TokenHolder } from '../credentials/bearer-tokens.ts';
import { checkApiKey, checkRegistryKey } from '../credentials/keys.ts';
import { unauthenticated } from '../domain/credentials.ts';
import { findRights, isWorkingRegistry } from '../neighbours/rights.ts';
import { findTokenSession, type TokenSession } from '../store/sessions.ts';
import { ensureUser } from '../store/users.ts';

type Request = RequestOf<'identity.Authenticate'>;

const authenticateRequest = z.object({
  receivers: z.array(z.enum(principalReceivers)).min(1).max(principalReceivers.length),
});

interface Authenticated {
  readonly principal: Principal;
  /** End of the credential. */
  readonly expiresAt: Date;
}

/**
 * Answers every invalid credential alike. A check that cannot be made now is 'unavailable', which says nothing about
 * the credential. Only the named receivers accept the token.
 */
export const authenticate: Rpc<'identity.Authenticate', Context> = (context) => async (request, call) => {
  const { receivers } = parse(authenticateRequest, request, 'The receivers are not valid.');
  const { principal, expiresAt } = await check(context, request, call);
  // The caller itself must be able to read the token.
  const principalToken = await context.signer.sign(principal, [call.caller, ...receivers], expiresAt);
  const leftMs = expiresAt.getTime() - context.clock.now().getTime();
  return { principalToken, goodForMs: Math.max(0, Math.min(PRINCIPAL_LIFETIME_MS, Math.floor(leftMs))) };
};

/** Refuses keys of the other API, and requests that name no API. */
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

/** Accepts registry keys only, and only while their account holder is a registry that is not suspended. */
async function checkRegistry(context: Context, { key }: Request, call: Call): Promise<Authenticated> {
  if (!key) throw unauthenticated();
  const { accountHolderId, expiresAt } = await checkRegistryKey(context, key, call);
  if (!(await isWorkingRegistry(context, accountHolderId, call))) throw unauthenticated();
  context.lastSeen.recordRegistryKey(key.keyId);
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
    context.lastSeen.recordApiKey(key.keyId, stored.userId);
    return stored;
  }
  if (bearerToken === undefined) throw unauthenticated();
  const holder = await context.bearerTokens.verify(bearerToken);
  const { issuer, subject, profile, expiresAt } = holder;
  const [user, session] = await Promise.all([
    ensureUser(context.database.em(), { issuer, subject }, profile),
    findTokenSession(context.database.em(), hash('sha256', bearerToken, 'buffer'), context.clock.now()),
  ]);
  // The token of an ended session is still valid at the provider, but not here.
  if (user.disabledAt !== null || session?.isAlive === false) throw unauthenticated();
  await context.lastSeen.recordUser(user, profile);
  const { id: userId, accountHolderId } = user;
  return { userId, accountHolderId, expiresAt, signIn: findSignIn(context, holder, session) };
}

/**
 * Returns the sign-in that operations may find too old: for a session that of its ID token, regardless of its access
 * tokens. Undefined for programs, and for people whom the installation exempts.
 */
function findSignIn(
  { recentSignIn: { of, acrs } }: Context,
  { signIn: own }: TokenHolder,
  session: TokenSession | undefined,
): SignIn | undefined {
  const ofSession = session && { atMs: Date.parse(session.signedInAt), acr: session.acr };
  const relevant = ofSession ?? (of === 'everybody' ? own : undefined);
  if (!relevant) return undefined;
  const { atMs = 0, acr } = relevant;
  const isAccepted = acrs.length === 0 || (typeof acr === 'string' && acrs.includes(acr));
  return { atMs, wantedAcrs: isAccepted ? undefined : acrs };
}
