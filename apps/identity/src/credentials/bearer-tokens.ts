import { DomainError, unavailable } from '@saleschannel/errors';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { unauthenticated } from '../domain/credential-errors.ts';
import { subject } from '../domain/user.ts';
import { createProviderKeys } from './provider-keys.ts';

export interface BearerTokensOptions {
  issuer: string;
  audience: string;
  jwksUrl: string | undefined;
  algorithms: readonly string[];
  clock: Clock;
  logger: Logger;
}

/** Whom a token stands for, and until when. */
export interface TokenHolder {
  readonly issuer: string;
  readonly subject: string;
  readonly expiresAt: Date;
}

export interface BearerTokens {
  /** @throws DomainError 'unauthenticated', or 'unavailable' when the issuer's keys cannot be had */
  verify(token: string): Promise<TokenHolder>;
}

/** The issuer's clock may differ from ours by this much. */
const CLOCK_TOLERANCE_SECONDS = 5;
const TOKEN_LENGTH_AT_MOST = 16_384;

/** `exp` is in seconds since the epoch. */
const holderClaims = z.object({ sub: subject, exp: z.number() });

/** Access tokens by RFC 9068 section 2.1, and those of the many providers that name no kind. */
const accessTokenTypes = ['at+jwt', 'jwt'];
/**
 * Claims that only id tokens (OpenID Connect Core sections 2 and 3.3.2.11) and logout tokens (Back-Channel Logout
 * section 2.4) have.
 */
const claimsOfOtherTokens = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];
/** Keycloak and Cognito say in a claim what kind of token it is. */
const otherKinds = ['id', 'refresh', 'offline', 'logout'];

/** An id token tells a client who signed in. Shown here it would let that client act as the user everywhere. */
function isAccessToken(header: JWTHeaderParameters, claims: JWTPayload): boolean {
  const type = header.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
  const kinds = [claims['typ'], claims['token_use']].filter((kind) => typeof kind === 'string');
  return (
    accessTokenTypes.includes(type) &&
    !claimsOfOtherTokens.some((claim) => claim in claims) &&
    !kinds.some((kind) => otherKinds.includes(kind.toLowerCase()))
  );
}

/** Verifies the JWT access tokens of the configured issuer, RFC 9068 section 4. */
export function createBearerTokens(options: BearerTokensOptions): BearerTokens {
  const { issuer, audience, clock, logger } = options;
  const providerKeys = createProviderKeys(issuer, options.jwksUrl);

  /** The key that signed a token. Only "the issuer has no such key" speaks against the token. */
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      const keys = await providerKeys.current();
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      logger.warn({ err: error }, `the keys of the issuer ${issuer} cannot be read`);
      throw unavailable(error);
    }
  };

  return {
    async verify(token) {
      if (token.length > TOKEN_LENGTH_AT_MOST) throw unauthenticated();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
          issuer,
          audience,
          algorithms: [...options.algorithms],
          requiredClaims: ['exp', 'sub'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: clock.now(),
        });
        if (!isAccessToken(protectedHeader, payload)) throw new Error('not an access token');
        const { sub, exp } = holderClaims.parse(payload);
        return { issuer, subject: sub, expiresAt: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000) };
      } catch (error) {
        if (error instanceof DomainError) throw error;
        throw unauthenticated(error);
      }
    },
  };
}
