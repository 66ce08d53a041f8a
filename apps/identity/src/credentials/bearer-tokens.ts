import { DomainError, unavailable } from '@saleschannel/errors';
import type { Clock } from '@saleschannel/primitives';
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { unauthenticated } from '../domain/credential-errors.ts';
import type { Profile } from '../domain/user.ts';
import { holderOf, type TokenRequirements, type TokenSignIn } from './access-token.ts';
import type { ProviderKeys } from './provider-keys.ts';

export interface BearerTokensOptions extends TokenRequirements {
  issuer: string;
  audience: string;
  algorithms: readonly string[];
  keys: Pick<ProviderKeys, 'find'>;
  clock: Clock;
}

/** Whom a token stands for, and until when. */
export interface TokenHolder {
  readonly issuer: string;
  readonly subject: string;
  readonly profile: Profile;
  /** Undefined for a program. */
  readonly signIn: TokenSignIn | undefined;
  readonly expiresAt: Date;
}

export interface BearerTokens {
  /** Whose tokens are taken, and nobody else's. */
  readonly issuer: string;
  /** @throws DomainError 'unauthenticated', or 'unavailable' when the issuer's keys cannot be had */
  verify(token: string): Promise<TokenHolder>;
}

/** The issuer's clock may differ from ours by this much. */
const CLOCK_TOLERANCE_SECONDS = 5;
const TOKEN_LENGTH_AT_MOST = 16_384;

/** Verifies the JWT access tokens of the configured issuer, RFC 9068 section 4. */
export function createBearerTokens(options: BearerTokensOptions): BearerTokens {
  const { issuer, audience, clock, keys } = options;

  /** The key that signed a token. Only "the issuer has no such key" speaks against the token. */
  const keyOf: JWTVerifyGetKey = async (header, token) => {
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
        const { subject, profile, signIn, expiresAtSeconds } = holderOf(protectedHeader, payload, options);
        const expiresAt = new Date((expiresAtSeconds + CLOCK_TOLERANCE_SECONDS) * 1000);
        return { issuer, subject, profile, signIn, expiresAt };
      } catch (error) {
        if (error instanceof DomainError) throw error;
        throw unauthenticated(error);
      }
    },
  };
}
