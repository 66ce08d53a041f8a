import { DomainError, unavailable } from '@saleschannel/errors';
import type { Clock } from '@saleschannel/primitives';
import { errors, jwtVerify, type JWTVerifyGetKey, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { z } from 'zod';
import { unauthenticated } from '../domain/credentials.ts';
import { parseProfile, subject, type Profile } from '../domain/user.ts';
import type { ProviderKeys } from './provider-keys.ts';

/** Requirements of the installation on valid access tokens. */
interface TokenRequirements {
  /** All must be in `scope`. */
  readonly scopes: readonly string[];
  /** `acr` must be one of these, if any are listed. */
  readonly acrs: readonly string[];
}

/** End of the year 9999. Later times are nonsense, and Date cannot represent most of them. */
const LAST_SECOND = 253_402_300_799;
/** Seconds since the epoch (RFC 7519 section 2). */
const numericDate = z.number().min(0).max(LAST_SECOND);

const holderClaims = z.object({
  sub: subject,
  exp: numericDate,
  nbf: numericDate.optional(),
  iat: numericDate.optional(),
});

/** Access tokens of RFC 9068 section 2.1, and of the many providers that name no type. */
const accessTokenTypes = ['at+jwt', 'jwt'];
/**
 * Claims of id tokens (OpenID Connect Core sections 2 and 3.3.2.11) and logout tokens (Back-Channel Logout section 2.4)
 * only.
 */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];
/** Keycloak and Cognito have a claim for the kind of token. */
const foreignKinds = ['id', 'refresh', 'offline', 'logout'];

/** Refuses id tokens: a client could use those of its users to act as them here. */
function isAccessToken(header: JWTHeaderParameters, claims: JWTPayload): boolean {
  const type = header.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
  const kinds = [claims['typ'], claims['token_use']].filter((kind) => typeof kind === 'string');
  return (
    accessTokenTypes.includes(type) &&
    !foreignClaims.some((claim) => claim in claims) &&
    !kinds.some((kind) => foreignKinds.includes(kind.toLowerCase()))
  );
}

/**
 * Reads `scope`, separated by spaces (RFC 8693 section 4.2), or `scp` of some providers, which is a text or a list.
 */
function parseScopes({ scope, scp }: JWTPayload): readonly unknown[] {
  const found = scope ?? scp;
  if (typeof found === 'string') return found.split(' ');
  return Array.isArray(found) ? found : [];
}

/** Time and method of a person's sign-in, as far as their token has them. */
interface TokenSignIn {
  readonly atMs: number | undefined;
  readonly acr: string | undefined;
}

const signInClaims = z.object({
  auth_time: numericDate.optional().catch(undefined),
  acr: z.string().optional().catch(undefined),
});

/**
 * Reports whether a client obtained the token for itself. Its subject is then the client (RFC 9068 section 2.2), or the
 * provider has its own claim: `gty` of Auth0, `idtyp` of Microsoft Entra.
 */
const isClientToken = ({ sub, client_id: client, azp, gty, idtyp }: JWTPayload): boolean =>
  [client, azp].includes(sub) || gty === 'client-credentials' || idtyp === 'app';

/** Returns undefined for a program. */
function parseSignIn(claims: JWTPayload): TokenSignIn | undefined {
  if (isClientToken(claims)) return undefined;
  const { auth_time: seconds, acr } = signInClaims.parse(claims);
  return { atMs: seconds === undefined ? undefined : seconds * 1_000, acr };
}

interface AccessTokenHolder {
  readonly subject: string;
  readonly profile: Profile;
  readonly signIn: TokenSignIn | undefined;
  readonly expiresAtSeconds: number;
}

/**
 * Reads the holder of a token with a valid signature, issuer, audience and times.
 * @throws Error with the reason to refuse the token
 */
function parseHolder(
  header: JWTHeaderParameters,
  claims: JWTPayload,
  { scopes, acrs }: TokenRequirements,
): AccessTokenHolder {
  if (!isAccessToken(header, claims)) throw new Error('The token is not an access token.');
  // Valid only with proof of its holder's key (RFC 7800), which cannot be checked here (RFC 8705 for mutual TLS, RFC
  // 9449 for DPoP). Accepting it as a bearer token would defeat the protection against theft.
  if ('cnf' in claims) throw new Error('The token is bound to a key of its sender.');
  const granted = parseScopes(claims);
  if (!scopes.every((scope) => granted.includes(scope))) throw new Error('The token lacks a required scope.');
  if (acrs.length > 0 && !(typeof claims['acr'] === 'string' && acrs.includes(claims['acr'])))
    throw new Error('The token lacks a required authentication context.');
  const { sub, exp } = holderClaims.parse(claims);
  return { subject: sub, profile: parseProfile(claims), signIn: parseSignIn(claims), expiresAtSeconds: exp };
}

export interface BearerTokensOptions extends TokenRequirements {
  issuer: string;
  audience: string;
  algorithms: readonly string[];
  keys: Pick<ProviderKeys, 'find'>;
  clock: Clock;
}

/** Identity in a valid token. */
export interface TokenHolder {
  readonly issuer: string;
  readonly subject: string;
  readonly profile: Profile;
  /** Undefined for a program. */
  readonly signIn: TokenSignIn | undefined;
  readonly expiresAt: Date;
}

export interface BearerTokens {
  /** The only issuer whose tokens are accepted. */
  readonly issuer: string;
  /** @throws DomainError 'unauthenticated', or 'unavailable' if the issuer's keys cannot be read */
  verify(token: string): Promise<TokenHolder>;
}

/** Allowed difference between the issuer's clock and this one. */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_TOKEN_LENGTH = 16_384;

/** Verifies JWT access tokens of the configured issuer (RFC 9068 section 4). */
export function createBearerTokens(options: BearerTokensOptions): BearerTokens {
  const { issuer, audience, clock, keys } = options;

  /** Finds the key that signed a token. The token is invalid only if the issuer has no such key. */
  const findKey: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw error instanceof DomainError ? error : unavailable(error);
    }
  };

  return {
    issuer,
    async verify(token) {
      if (token.length > MAX_TOKEN_LENGTH) throw unauthenticated();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, findKey, {
          issuer,
          audience,
          algorithms: [...options.algorithms],
          requiredClaims: ['exp', 'sub'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: clock.now(),
        });
        const { subject, profile, signIn, expiresAtSeconds } = parseHolder(protectedHeader, payload, options);
        const expiresAt = new Date((expiresAtSeconds + CLOCK_TOLERANCE_SECONDS) * 1000);
        return { issuer, subject, profile, signIn, expiresAt };
      } catch (error) {
        if (error instanceof DomainError) throw error;
        throw unauthenticated(error);
      }
    },
  };
}
