import { createLocalJWKSet, errors, importJWK, jwtVerify, SignJWT, type JSONWebKeySet, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DomainError } from '@saleschannel/errors';
import { isRole, type Role } from './roles.ts';

/** Who asks, as identity found out: a user with their rights of this moment, or a registry key. */
export type Principal = UserPrincipal | RegistryPrincipal;

export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  /** The API key that was shown. Undefined for an access token. */
  readonly keyId?: string | undefined;
  /** Undefined for a user who is bound to no sales channel. */
  readonly salesChannelId: string | undefined;
  readonly roles: readonly Role[];
  readonly accountHolderId: string | undefined;
  /** True while the sales channel is suspended: it is read, and nothing on it changes. */
  readonly isSuspended?: boolean | undefined;
  /** True for a user of an account holder that is a registry and not suspended: they make registry keys. */
  readonly isRegistry?: boolean | undefined;
}

export interface RegistryPrincipal {
  readonly kind: 'registry';
  readonly keyId: string;
  readonly accountHolderId: string;
}

/** A principal token is good for this long. The gateway starts no request with one older than half of it. */
export const PRINCIPAL_LIFETIME_MS = 5_000;
/** Clocks of two machines may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 5;
const PRINCIPAL_TYPE = 'principal+jwt';
const SERVICE_TYPE = 'service+jwt';
const ALGORITHM = 'EdDSA';
const ISSUER_OF_PRINCIPALS = 'identity';
const SERVICE_TOKEN_LIFETIME_SECONDS = 300;
const CACHED_TOKENS = 20_000;

export interface PrincipalSigner {
  /** @param expiresAt the credential's own end, if it has one. The token never outlives it. */
  sign(principal: Principal, expiresAt?: Date): Promise<string>;
}

/** Only identity holds the key that signs principals. */
export async function createPrincipalSigner(
  privateKey: JWK,
  now: () => Date = () => new Date(),
): Promise<PrincipalSigner> {
  const key = await importJWK(privateKey, ALGORITHM);
  return {
    async sign(principal, expiresAt) {
      const end = Math.min(now().getTime() + PRINCIPAL_LIFETIME_MS, expiresAt?.getTime() ?? Infinity);
      return new SignJWT({ principal: { ...principal } })
        .setProtectedHeader({ alg: ALGORITHM, typ: PRINCIPAL_TYPE, kid: ISSUER_OF_PRINCIPALS })
        .setIssuer(ISSUER_OF_PRINCIPALS)
        .setExpirationTime(end / 1000)
        .sign(key);
    },
  };
}

/** The token that a service shows to the services it calls. One token serves many calls. */
export interface ServiceTokens {
  current(): Promise<string>;
}

export async function createServiceTokens(name: string, privateKey: JWK): Promise<ServiceTokens> {
  const key = await importJWK(privateKey, ALGORITHM);
  let token: Promise<string> | undefined;
  let renewAt = 0;
  return {
    current() {
      const now = Date.now();
      if (!token || now >= renewAt) {
        renewAt = now + (SERVICE_TOKEN_LIFETIME_SECONDS * 1000) / 2;
        token = new SignJWT({})
          .setProtectedHeader({ alg: ALGORITHM, typ: SERVICE_TYPE, kid: name })
          .setIssuer(name)
          .setExpirationTime(Math.floor(now / 1000) + SERVICE_TOKEN_LIFETIME_SECONDS)
          .sign(key);
      }
      return token;
    },
  };
}

export interface TokenVerifier {
  /** @throws DomainError 'unavailable' for one that expired on its way, 'unauthenticated' for any other fault. */
  principal(token: string | undefined): Promise<Principal>;
  /** The name of the calling service. @throws DomainError 'unauthenticated' */
  service(token: string | undefined): Promise<string>;
}

interface Verified<T> {
  value: T;
  expiresAtMs: number;
}

/**
 * Verifies internal tokens against the public keys of all services (`kid` = service name). A token is checked once and
 * then remembered until it ends.
 */
export function createTokenVerifier(publicKeys: JSONWebKeySet): TokenVerifier {
  const keys = createLocalJWKSet(publicKeys);
  const principals = new LRUCache<string, Verified<Principal>>({ max: CACHED_TOKENS });
  const callers = new LRUCache<string, Verified<string>>({ max: CACHED_TOKENS });

  async function verify(
    token: string,
    typ: string,
  ): Promise<{ issuer: string; claims: Record<string, unknown>; expiresAtMs: number }> {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      typ,
      algorithms: [ALGORITHM],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    if (!payload.iss || payload.iss !== protectedHeader.kid) throw new Error('issuer and key differ');
    return { issuer: payload.iss, claims: payload, expiresAtMs: ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000 };
  }

  async function remembered<T>(
    cache: LRUCache<string, Verified<T>>,
    token: string | undefined,
    check: (token: string) => Promise<Verified<T>>,
  ): Promise<T> {
    if (token === undefined) throw new DomainError('unauthenticated', 'There is no internal token.');
    const hit = cache.get(token);
    if (hit && hit.expiresAtMs > Date.now()) return hit.value;
    try {
      const verified = await check(token);
      cache.set(token, verified);
      return verified.value;
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new DomainError('unavailable', 'The request waited for too long.', { retryAfterSeconds: 1 });
      throw new DomainError('unauthenticated', 'The internal token is not valid.', { cause: error });
    }
  }

  return {
    principal: (token) =>
      remembered(principals, token, async (known) => {
        const { issuer, claims, expiresAtMs } = await verify(known, PRINCIPAL_TYPE);
        if (issuer !== ISSUER_OF_PRINCIPALS) throw new Error('not an issuer of principals');
        return { value: readPrincipal(claims['principal']), expiresAtMs };
      }),
    service: (token) =>
      remembered(callers, token, async (known) => {
        const { issuer, expiresAtMs } = await verify(known, SERVICE_TYPE);
        return { value: issuer, expiresAtMs };
      }),
  };
}

const principalClaim = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('registry'), keyId: z.string(), accountHolderId: z.string() }),
  z.object({
    kind: z.literal('user'),
    userId: z.string(),
    keyId: z.string().optional(),
    salesChannelId: z.string().optional(),
    // A role that a newer release has given out means nothing to this one.
    roles: z.array(z.string()).transform((roles) => roles.filter(isRole)),
    accountHolderId: z.string().optional(),
    isSuspended: z.boolean().optional(),
    isRegistry: z.boolean().optional(),
  }),
]);

/** @throws z.ZodError for a claim that identity would not make */
function readPrincipal(claim: unknown): Principal {
  const principal = principalClaim.parse(claim);
  if (principal.kind === 'registry') return principal;
  const { salesChannelId, accountHolderId, ...user } = principal;
  return { ...user, salesChannelId, accountHolderId };
}
