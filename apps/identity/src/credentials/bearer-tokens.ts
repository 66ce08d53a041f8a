import { DomainError, unavailable } from '@saleschannel/errors';
import type { Clock } from '@saleschannel/primitives';
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { unauthenticated } from '../domain/credential-errors.ts';
import type { Profile } from '../domain/user.ts';
import { parseHolder, type TokenRequirements, type TokenSignIn } from './access-token.ts';
import type { ProviderKeys } from './provider-keys.ts';

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
