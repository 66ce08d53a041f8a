import { date, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { issuer, subject } from './user.ts';

/** Application that keeps the session in a cookie. */
export type SessionClient = 'portal' | 'console';

/** Reason of a session's end. Stored, so released values keep their meaning. */
export type SessionEnd = 'SIGN_OUT' | 'PERSON' | 'OPERATOR' | 'USER_DISABLED' | 'PROVIDER';

export interface Session {
  readonly id: string;
  readonly client: SessionClient;
  readonly issuer: string;
  readonly subject: string;
  /** In ISO 8601, like all times here. */
  readonly signedInAt: string;
  readonly acr: string | null;
  readonly address: string | null;
  readonly begunOn: string;
  readonly lastUsedOn: string;
  readonly expiresAt: string;
}

/** Longer than the identifiers of any provider. */
const MAX_CLAIM_LENGTH = 255;
const claim = text({ min: 1, max: MAX_CLAIM_LENGTH });

/** SHA-256 of an access token, in lower-case hex. */
const tokenSha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((hex) => Buffer.from(hex, 'hex'));

/** Identifies the caller's own session. */
export const callerToken = z.object({ tokenSha256: tokenSha256.optional() });

const sessionToken = z.object({
  sha256: tokenSha256,
  expiresAt: date,
});

export const newSession = z.object({
  id: z.uuid(),
  issuer,
  subject,
  signedInAt: date,
  acr: claim.optional(),
  providerSession: claim.optional(),
  expiresAt: date,
  token: sessionToken,
});

/** A sign-out at the provider. */
export const providerSignOut = z.object({ issuer, subject: subject.optional(), providerSession: claim.optional() });

export type ProviderSignOut = z.output<typeof providerSignOut>;

export const newSessionToken = z.object({ id: z.string(), token: sessionToken });

export type NewSession = z.output<typeof newSession>;
export type SessionToken = NewSession['token'];
