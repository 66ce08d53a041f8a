import { date, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { issuer, subject } from './user.ts';

/** The program that keeps a session in a cookie. */
export type SessionClient = 'portal' | 'console';

/** Why a session has ended. Stored, so a value that was released keeps its meaning. */
export type SessionEnd = 'SIGN_OUT' | 'PERSON' | 'OPERATOR' | 'USER_DISABLED' | 'PROVIDER';

export interface Session {
  readonly id: string;
  readonly client: SessionClient;
  readonly issuer: string;
  readonly subject: string;
  /** ISO 8601, as all times here. */
  readonly signedInAt: string;
  readonly acr: string | null;
  readonly address: string | null;
  readonly begunOn: string;
  readonly lastUsedOn: string;
  readonly expiresAt: string;
}

/** Longer than any provider calls its tokens or sessions. */
const CLAIM_LENGTH_AT_MOST = 255;
const claim = text({ min: 1, max: CLAIM_LENGTH_AT_MOST });

/** SHA-256 of an access token, in lower-case hex. */
const tokenSha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((hex) => Buffer.from(hex, 'hex'));

/** What tells the session of whoever asks. */
export const ofToken = z.object({ tokenSha256: tokenSha256.optional() });

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
