import { instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

const at = '2026-01-01T00:00:00.000Z';
const known = 'a user';
const one = { user: 'u1', issuer: 'https://id.example', subject: 'anna' };
const userOf = ({ user: id, issuer, subject }: typeof one) => ({ id, issuer, subject, accountHolderId: undefined });
const created = { key: { id: text('k1'), createdOn: instant(at), expiresAt: instant(at) }, secret: text('the-secret') };
const withKey = 'a user of a sales channel with an API key';

const sessionOf = (id: string) => ({
  id,
  client: 'portal',
  begunOn: instant(at),
  lastUsedOn: instant(at),
  expiresAt: instant(at),
  address: undefined,
});

/** Operators need from identity users and keys, and their revocation. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'identity',
  interactions: [
    interaction('userDirectory.EnsureUser', {
      given: known,
      values: one,
      request: ({ issuer, subject }) => ({ issuer, subject }),
      answer: userOf,
    }),
    interaction('userDirectory.SetAccountHolder', {
      given: known,
      values: { ...one, holder: 'h1' },
      request: ({ user: userId, holder: accountHolderId }) => ({ userId, accountHolderId }),
      answer: ({ holder: accountHolderId, ...values }) => ({ ...userOf(values), accountHolderId }),
    }),
    interaction('userDirectory.SetAccountHolder', {
      given: known,
      values: one,
      request: ({ user: userId }) => ({ userId }),
      answer: userOf,
    }),
    interaction('userDirectory.IssueApiKey', {
      given: known,
      values: one,
      request: ({ user: userId }) => ({ userId }),
      answer: () => created,
    }),
    interaction('userDirectory.IssueRegistryKey', {
      given: known,
      values: { holder: 'h1', inAMonth: '2126-01-01T00:00:00.000Z' },
      request: ({ holder: accountHolderId, inAMonth: expiresAt }) => ({ accountHolderId, expiresAt }),
      answer: ({ inAMonth: expiresAt }) => ({ ...created, key: { ...created.key, expiresAt } }),
    }),
    interaction('identityAdministration.ListUsers', {
      given: known,
      values: one,
      request: ({ subject }) => ({ limit: 100, subject }),
      answer: (values) => ({ users: [{ ...userOf(values), disabledAt: undefined, disabledReason: undefined }] }),
    }),
    interaction('identityAdministration.DisableUser', {
      given: known,
      values: one,
      request: ({ user: userId }) => ({ userId, reason: 'left' }),
      answer: (values) => ({ ...userOf(values), disabledAt: instant(at), disabledReason: 'left' }),
    }),
    interaction('identityAdministration.DisableUser', {
      given: 'an id of no user',
      values: { nobody: 'u9' },
      request: ({ nobody: userId }) => ({ userId, reason: 'left' }),
      refusal: 'not-found',
    }),
    interaction('identityAdministration.EnableUser', {
      given: 'a disabled user',
      values: one,
      request: ({ user: userId }) => ({ userId }),
      answer: (values) => ({ ...userOf(values), disabledAt: undefined, disabledReason: undefined }),
    }),
    interaction('identityAdministration.ListKeys', {
      given: withKey,
      values: { user: 'u2', key: 'k2' },
      request: ({ user: userId }) => ({ limit: 100, userId }),
      answer: ({ user: userId, key: id }) => ({
        keys: [
          {
            id,
            kind: 'API',
            userId,
            accountHolderId: undefined,
            madeWithKeyId: undefined,
            createdOn: instant(at),
            expiresAt: instant(at),
          },
        ],
      }),
    }),
    interaction('identityAdministration.RevokeKey', {
      given: withKey,
      values: { key: 'k2' },
      request: ({ key: keyId }) => ({ keyId }),
      answer: ({ key }) => ({ keyIds: [key] }),
    }),
    interaction('identityAdministration.RevokeKey', {
      given: 'a credential of nobody',
      values: { key: 'k9' },
      request: ({ key: keyId }) => ({ keyId }),
      answer: () => ({ keyIds: [] }),
    }),
    interaction('identityAdministration.RevokeUserKeys', {
      given: withKey,
      values: { user: 'u2', key: 'k2' },
      request: ({ user: userId }) => ({ userId }),
      answer: ({ key }) => ({ keyIds: [key] }),
    }),
    interaction('identityAdministration.EndUserSessions', {
      given: 'a user with a session in the portal',
      values: { user: 'u3', session: 's3' },
      request: ({ user: userId }) => ({ userId, reason: 'lost laptop' }),
      answer: ({ session }) => ({ sessions: [sessionOf(session)] }),
    }),
    auditTrail('an act on a sales channel, and one of the registry'),
    lookUp('a user', 'user'),
  ],
};
