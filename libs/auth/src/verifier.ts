import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DomainError } from '@saleschannel/errors';
import { countCacheUse, type CacheUse } from '@saleschannel/runtime';
import { readOwner, type KeyHolder } from './keys.ts';
import { createBatchVerifier, isBatchToken } from './principal-batches.ts';
import { readPrincipal, type Principal } from './principal.ts';
import { ALGORITHM, ISSUER_OF_PRINCIPALS, PRINCIPAL_TYPE, SERVICE_TYPE } from './tokens.ts';

/** Tolerated difference of clocks. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** Longer than the lifetimes in use, so that this release accepts tokens of a later one that extends them. */
const LIFETIMES_AT_MOST_SECONDS = { [PRINCIPAL_TYPE]: 60, [SERVICE_TYPE]: 600 } as const;
const CACHED_TOKENS = 20_000;

type TokenType = keyof typeof LIFETIMES_AT_MOST_SECONDS;

export interface TokenVerifier {
  /** Verifies a principal token. @throws DomainError 'unavailable' if it expired in transit, else 'unauthenticated' */
  verifyPrincipal(token: string | undefined): Promise<Principal>;
  /** Returns the name of the calling service. @throws DomainError 'unauthenticated' */
  verifyService(token: string | undefined): Promise<string>;
}

interface Verified<T> {
  value: T;
  expiresAtMs: number;
}

const requiredClaims = z.object({ iss: z.string(), iat: z.number(), exp: z.number() });

type Claims = z.infer<typeof requiredClaims> & Readonly<Record<string, unknown>>;
const batchedClaims = requiredClaims.extend({ aud: z.array(z.string()), principal: z.unknown() });

interface Checked {
  readonly issuer: string;
  readonly claims: Record<string, unknown>;
  readonly expiresAtMs: number;
}

function checkClaims(claims: Claims, kid: string | undefined, typ: TokenType): Checked {
  const { iss, iat, exp } = claims;
  if (kid === undefined || readOwner(kid) !== iss) throw new Error('The key does not belong to the issuer.');
  if (iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) throw new Error('The token was issued in the future.');
  if (exp - iat > LIFETIMES_AT_MOST_SECONDS[typ]) throw new Error('The token is valid for too long.');
  return { issuer: iss, claims, expiresAtMs: (exp + CLOCK_TOLERANCE_SECONDS) * 1000 };
}

/**
 * Creates the verifier of internal tokens for `receiver`. A service may have several public keys. Verified tokens are
 * cached until they expire.
 */
export function createTokenVerifier(publicKeys: JSONWebKeySet, receiver: KeyHolder): TokenVerifier {
  const keys = createLocalJWKSet(publicKeys);
  const principals = new LRUCache<string, Verified<Principal>>({ max: CACHED_TOKENS });
  const callers = new LRUCache<string, Verified<string>>({ max: CACHED_TOKENS });
  const useOfPrincipals = countCacheUse('principals');
  const useOfCallers = countCacheUse('callers');

  const readBatched = createBatchVerifier(publicKeys);

  /** Verifies a token that shares its signature with others. */
  function verifyBatched(token: string): Checked {
    const { kid, claims } = readBatched(token);
    const read = batchedClaims.parse(claims);
    if (!read.aud.includes(receiver)) throw new Error('The token is for other receivers.');
    const checked = checkClaims(read, kid, PRINCIPAL_TYPE);
    if (checked.expiresAtMs <= Date.now()) throw new errors.JWTExpired('expired', read, 'exp');
    return checked;
  }

  async function verify(token: string, typ: TokenType): Promise<Checked> {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      typ,
      audience: receiver,
      algorithms: [ALGORITHM],
      requiredClaims: ['iss', 'aud', 'iat', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return checkClaims({ ...payload, ...requiredClaims.parse(payload) }, protectedHeader.kid, typ);
  }

  async function verifyCached<T>(
    cache: LRUCache<string, Verified<T>>,
    use: CacheUse,
    token: string | undefined,
    check: (token: string) => Promise<Verified<T>>,
  ): Promise<T> {
    if (token === undefined) throw new DomainError('unauthenticated', 'The internal token is missing.');
    const known = cache.get(token);
    const hit = use.count(known && known.expiresAtMs > Date.now() ? known : undefined);
    if (hit) return hit.value;
    try {
      const verified = await check(token);
      cache.set(token, verified);
      return verified.value;
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new DomainError('unavailable', 'The request waited too long.', { retryAfterSeconds: 1 });
      throw new DomainError('unauthenticated', 'The internal token is not valid.', { cause: error });
    }
  }

  return {
    verifyPrincipal: (token) =>
      verifyCached(principals, useOfPrincipals, token, async (known) => {
        const { issuer, claims, expiresAtMs } = isBatchToken(known)
          ? verifyBatched(known)
          : await verify(known, PRINCIPAL_TYPE);
        if (issuer !== ISSUER_OF_PRINCIPALS) throw new Error('The issuer may not issue principals.');
        return { value: readPrincipal(claims['principal']), expiresAtMs };
      }),
    verifyService: (token) =>
      verifyCached(callers, useOfCallers, token, async (known) => {
        const { issuer, claims, expiresAtMs } = await verify(known, SERVICE_TYPE);
        // A receiver could use a token for several services to call the others in the name of the issuer.
        if (typeof claims['aud'] !== 'string') throw new Error('The token must have exactly one receiver.');
        return { value: issuer, expiresAtMs };
      }),
  };
}
