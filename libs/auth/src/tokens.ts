import { importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import { ownerOf, type KeyHolder } from './keys.ts';
import { createBatchSigner } from './principal-batches.ts';
import type { Principal } from './principal.ts';

/**
 * A principal token is good for this long: a little less than what every verifier takes. It does not say how long the
 * rights in it are used. See the gateway's authenticator.
 */
export const PRINCIPAL_LIFETIME_MS = 58_000;
/** What is left at least of a principal token when the gateway starts a request with it. */
export const PRINCIPAL_LEFT_MS = 5_000;
const SERVICE_TOKEN_LIFETIME_SECONDS = 300;
const SERVICE_TOKEN_USED_MS = (SERVICE_TOKEN_LIFETIME_SECONDS * 1000) / 2;
/** Further algorithms are nobody's: all keys are Ed25519. */
export const ALGORITHM = 'EdDSA';
export const PRINCIPAL_TYPE = 'principal+jwt';
export const SERVICE_TYPE = 'service+jwt';
export const ISSUER_OF_PRINCIPALS = 'identity';

type SigningKey = Awaited<ReturnType<typeof importJWK>>;

/**
 * The key by which `name` is known, with the `kid` that finds its public half.
 * @throws Error for a key that says that it is another one's
 */
async function signingKeyOf(name: string, privateKey: JWK): Promise<{ key: SigningKey; kid: string }> {
  const kid = privateKey.kid ?? name;
  if (ownerOf(kid) !== name)
    throw new Error(`SERVICE_PRIVATE_KEY must be that of "${name}", and it is that of "${ownerOf(kid)}"`);
  return { key: await importJWK(privateKey, ALGORITHM), kid };
}

export interface PrincipalSigner {
  /**
   * @param receivers the programs that take the token: no other one does
   * @param expiresAt the credential's own end, if it has one. The token never outlives it
   */
  sign(principal: Principal, receivers: readonly string[], expiresAt?: Date): Promise<string>;
}

/** Only identity holds the key that signs principals. */
export async function createPrincipalSigner(
  privateKey: JWK,
  { now = () => new Date(), lifetimeMs = PRINCIPAL_LIFETIME_MS }: { now?: () => Date; lifetimeMs?: number } = {},
): Promise<PrincipalSigner> {
  const { key, kid } = await signingKeyOf(ISSUER_OF_PRINCIPALS, privateKey);
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
        // What is asked for in the same turn of the event loop shares a signature.
        if (waiting.push({ claims, resolve }) === 1) setImmediate(signWaiting);
      });
    },
  };
}

/** The tokens that a service shows to the services it calls: one for each of them, which serves many calls. */
export interface ServiceTokens {
  /** @param receiver the service that is called. The token is worth nothing at another one */
  for(receiver: string): Promise<string>;
}

interface Held {
  readonly token: Promise<string>;
  readonly madeAtMs: number;
}

/** @throws Error for a private key that says that it is another one's */
export async function createServiceTokens(
  name: KeyHolder,
  privateKey: JWK,
  { now = Date.now }: { now?: () => number } = {},
): Promise<ServiceTokens> {
  const { key, kid } = await signingKeyOf(name, privateKey);
  const held = new Map<string, Held>();

  const make = (receiver: string, nowMs: number): Promise<string> => {
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
    for(receiver) {
      const nowMs = now();
      const known = held.get(receiver);
      // After a clock that was fast is set right, a token of before begins in the future, and nobody takes it.
      if (known && nowMs >= known.madeAtMs && nowMs < known.madeAtMs + SERVICE_TOKEN_USED_MS) return known.token;
      const token = make(receiver, nowMs);
      held.set(receiver, { token, madeAtMs: nowMs });
      return token;
    },
  };
}
