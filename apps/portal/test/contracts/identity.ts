import { createHash } from 'node:crypto';
import { instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';

const session = { id: '6f1a7a52-2ac3-4d0c-9d0a-5f3b3f1f0b11' };
const sha256 = createHash('sha256').update('token').digest('hex');
const TIME = '2126-01-01T00:00:00.000Z';
const token = (hash: string) => ({ sha256: hash, expiresAt: instant(TIME) });

/** Requirements of the portal on identity: records of sessions. The console uses the same library. */
export const contract: Contract = {
  consumer: 'portal',
  provider: 'identity',
  interactions: [
    interaction('sessions.BeginSession', {
      given: 'a person who signs in',
      values: { ...session, issuer: 'https://idp.example', subject: 'anna', sha256, provider: 'p1' },
      request: ({ id, issuer, subject, sha256: hash, provider }) => ({
        id,
        issuer,
        subject,
        signedInAt: instant('2026-01-01T00:00:00.000Z'),
        expiresAt: instant(TIME),
        acr: 'mfa',
        providerSession: provider,
        token: token(hash),
      }),
      answer: ({ id }) => ({ id, userId: text('u1') }),
    }),
    interaction('sessions.BeginSession', {
      given: 'a disabled person who signs in',
      values: { ...session, issuer: 'https://idp.example', subject: 'disabled', sha256 },
      request: ({ id, issuer, subject, sha256: hash }) => ({
        id,
        issuer,
        subject,
        signedInAt: instant('2026-01-01T00:00:00.000Z'),
        expiresAt: instant(TIME),
        token: token(hash),
      }),
      refusal: 'unauthenticated',
    }),
    interaction('sessions.CheckSession', {
      given: 'a session',
      values: session,
      request: ({ id }) => ({ id, isUsed: true }),
      answer: ({ id }) => ({ id }),
    }),
    interaction('sessions.CheckSession', {
      given: 'a session',
      values: session,
      request: ({ id }) => ({ id, isUsed: false }),
      answer: ({ id }) => ({ id }),
    }),
    interaction('sessions.AddSessionToken', {
      given: 'a session',
      values: { ...session, sha256 },
      request: ({ id, sha256: hash }) => ({ id, token: token(hash) }),
      answer: () => ({}),
    }),
    interaction('sessions.EndProviderSessions', {
      given: 'a session of a session at the provider',
      values: { ...session, issuer: 'https://idp.example', subject: 'anna', provider: 'p1' },
      request: ({ issuer, subject, provider }) => ({ issuer, subject, providerSession: provider }),
      answer: ({ id }) => ({ sessions: [{ id }] }),
    }),
    interaction('sessions.EndSession', {
      given: 'a session',
      values: session,
      request: ({ id }) => ({ id }),
      answer: () => ({}),
    }),
    interaction('sessions.CheckSession', {
      given: 'a session that has ended',
      values: { ended: 'b7a4c1de-0c55-4f0e-8a64-3f3f2b8a9e10' },
      request: ({ ended: id }) => ({ id, isUsed: false }),
      refusal: 'unauthenticated',
    }),
    interaction('sessions.AddSessionToken', {
      given: 'a session that has ended',
      values: { ended: 'b7a4c1de-0c55-4f0e-8a64-3f3f2b8a9e10', sha256 },
      request: ({ ended: id, sha256: hash }) => ({ id, token: token(hash) }),
      refusal: 'unauthenticated',
    }),
  ],
};
