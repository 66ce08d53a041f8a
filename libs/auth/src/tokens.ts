import { importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import { readOwner, type KeyHolder } from './keys.ts';
import { createBatchSigner } from './principal-batches.ts';
import type { Principal } from './principal.ts';

/**
 * Lifetime of a principal token, a little less than verifiers accept. The gateway's authenticator decides for how long
 * its rights are used.
 */
export const PRINCIPAL_LIFETIME_MS = 58_000;
/** Minimum remaining lifetime of a principal token when the gateway starts a request. */
export const PRINCIPAL_MIN_REMAINING_MS = 5_000;
const SERVICE_TOKEN_LIFETIME_SECONDS = 300;
const SERVICE_TOKEN_USED_MS = (SERVICE_TOKEN_LIFETIME_SECONDS * 1000) / 2;
/** The only algorithm: all keys are Ed25519. */
export const ALGORITHM = 'EdDSA';
export const PRINCIPAL_TYPE = 'principal+jwt';
export const SERVICE_TYPE = 'service+jwt';
export const ISSUER_OF_PRINCIPALS = 'identity';

type SigningKey = Awaited<ReturnType<typeof importJWK>>;

/**
 * Imports the signing key of `name`, with the `kid` of its public half.
 * @throws Error for the key of another program
 */
async function importSigningKey(name: string, privateKey: JWK): Promise<{ key: SigningKey; kid: string }> {
  const kid = privateKey.kid ?? name;
  if (readOwner(kid) !== name)
    throw new Error(`SERVICE_PRIVATE_KEY must be the key of "${name}", not of "${readOwner(kid)}"`);
  return { key: await importJWK(privateKey, ALGORITHM), kid };
}

export interface PrincipalSigner {
  /**
   * @param receivers the only programs that accept the token
   * @param expiresAt expiry of the credential, which the token never outlives
   */
  sign(principal: Principal, receivers: readonly string[], expiresAt?: Date): Promise<string>;
}

/** Creates the signer of principal tokens. Only identity has its key. */
export async function createPrincipalSigner(
  privateKey: JWK,
  { now = () => new Date(), lifetimeMs = PRINCIPAL_LIFETIME_MS }: { now?: () => Date; lifetimeMs?: number } = {},
): Promise<PrincipalSigner> {
  const { key, kid } = await importSigningKey(ISSUER_OF_PRINCIPALS, privateKey);
  const signTogether = createBatchSigner(privateKey, kid);
  const signAlone = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: PRINCIPAL_TYPE, kid }).sign(key);
  let waiting: { readonly claims: JWTPayload; readonly resolve: (token: string | Promise<string>) => void }[] = [];

  const signWaiting = (): void => {
    const all = waiting;
    waiting = [];
    const [first, second] = all;
    if (first && !second) first.resolve(signAlone(first.claims));
    else signTogether(all.map(({ claims }) => claims)).forEach((token, index) => all[index]?.resolve(token));
  };

  return {
    sign(principal, receivers, expiresAt) {
      const issuedAtMs = now().getTime();
      const end = Math.min(issuedAtMs + lifetimeMs, expiresAt?.getTime() ?? Infinity);
      const claims = {
        principal: { ...principal },
        iss: ISSUER_OF_PRINCIPALS,
        aud: [...receivers],
        iat: issuedAtMs / 1000,
        exp: end / 1000,
      };
      return new Promise((resolve) => {
        // Tokens requested in the same turn of the event loop share a signature.
        if (waiting.push({ claims, resolve }) === 1) setImmediate(signWaiting);
      });
    },
  };
}

/** Tokens of a service for the services that it calls. One per receiver, for many calls. */
export interface ServiceTokens {
  /** @param receiver called service. Others reject the token */
  getToken(receiver: string): Promise<string>;
}

interface CachedToken {
  readonly token: Promise<string>;
  readonly issuedAtMs: number;
}

/** @throws Error for the private key of another program */
export async function createServiceTokens(
  name: KeyHolder,
  privateKey: JWK,
  { now = Date.now }: { now?: () => number } = {},
): Promise<ServiceTokens> {
  const { key, kid } = await importSigningKey(name, privateKey);
  const cache = new Map<string, CachedToken>();

  const issue = (receiver: string, nowMs: number): Promise<string> => {
    const issuedAt = Math.floor(nowMs / 1000);
    return new SignJWT({})
      .setProtectedHeader({ alg: ALGORITHM, typ: SERVICE_TYPE, kid })
      .setIssuer(name)
      .setAudience(receiver)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + SERVICE_TOKEN_LIFETIME_SECONDS)
      .sign(key);
  };

  return {
    getToken(receiver) {
      const nowMs = now();
      const known = cache.get(receiver);
      // Receivers reject a token that was issued before a fast clock was corrected: it comes from the future.
      if (known && nowMs >= known.issuedAtMs && nowMs < known.issuedAtMs + SERVICE_TOKEN_USED_MS) return known.token;
      const token = issue(receiver, nowMs);
      cache.set(receiver, { token, issuedAtMs: nowMs });
      return token;
    },
  };
}
