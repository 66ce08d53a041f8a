import { createHash } from 'node:crypto';
import { among, instant, interaction, matching, text, tokenLike, type Contract } from '@saleschannel/testing/contracts';
import { headRequirements, trail } from './audit/trail.ts';

const CHANNEL_API = 'SURFACE_SALES_CHANNEL' as const;
const REGISTRY_API = 'SURFACE_REGISTRY' as const;
const at = '2025-03-04T10:02:11.318Z';
const signedIn = 'a user of a sales channel and of an account holder, with an access token and a key of each kind';
const one = { user: 'u1', channel: 'c1', holder: 'h1' };

/** Users of a registry too, who create registry keys. */
const asUser = ({ user, channel, holder }: typeof one) =>
  ({
    userId: user,
    salesChannelId: channel,
    roles: ['ROLE_ADMINISTRATOR'],
    accountHolderId: holder,
    isRegistry: true,
  }) as const;

/** Depends on the requested receivers. */
const receivers = matching(['rbac'], (value) => (Array.isArray(value) ? [] : ['no receivers']));
/** The gateway parses the token. */
const token = ({ principalToken }: { principalToken: string }) => ({
  principalToken: tokenLike(principalToken, ['gateway', 'rbac']),
});
const key = (id: string) => ({ id, createdOn: instant(at), expiresAt: instant(at) });
const created = { key: { id: text('k9'), createdOn: instant(at), expiresAt: instant(at) }, secret: text('secret') };

const withSession = 'a user with a session in the portal';
/** The hash is that of the token of `signedIn`. */
const inSession = { user: 'u1', session: 's1', sha256: createHash('sha256').update('token-1').digest('hex') };
const createSession = (id: string) => ({
  id,
  client: 'portal',
  begunOn: instant(at),
  lastUsedOn: instant(at),
  expiresAt: instant(at),
  address: undefined,
});

/** The gateway's requirements of identity: principals of credentials, and keys and sessions of users. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'identity',
  interactions: [
    interaction('identity.Authenticate', {
      given: signedIn,
      values: { ...one, bearerToken: 'token-1', principalToken: 'token' },
      as: asUser,
      request: ({ bearerToken }) => ({ surface: CHANNEL_API, receivers, bearerToken }),
      answer: token,
    }),
    interaction('identity.Authenticate', {
      given: 'a user of a sales channel with an API key',
      values: { user: 'u2', channel: 'c1', key: 'k1', secret: 'secret-1', principalToken: 'token' },
      as: ({ user, channel, key: keyId }) => ({
        userId: user,
        keyId,
        salesChannelId: channel,
        roles: ['ROLE_ADMINISTRATOR'],
      }),
      request: ({ key: keyId, secret }) => ({ surface: CHANNEL_API, receivers, key: { keyId, secret } }),
      // The lifetime is optional.
      answer: token,
    }),
    interaction('identity.Authenticate', {
      given: 'a registry key',
      values: { holder: 'h1', key: 'k2', secret: 'secret-2', principalToken: 'token' },
      as: ({ holder, key: keyId }) => ({ kind: 'registry', accountHolderId: holder, keyId }),
      request: ({ key: keyId, secret }) => ({ surface: REGISTRY_API, receivers, key: { keyId, secret } }),
      answer: token,
    }),
    interaction('identity.Authenticate', {
      given: 'a credential of nobody',
      values: { key: 'k3', secret: 'secret-3' },
      request: ({ key: keyId, secret }) => ({ surface: CHANNEL_API, receivers, key: { keyId, secret } }),
      refusal: 'unauthenticated',
    }),
    interaction('identity.GetMe', {
      given: signedIn,
      values: one,
      as: asUser,
      request: () => ({}),
      answer: ({ user, channel, holder }) => ({
        userId: user,
        issuer: text('https://id.example'),
        subject: text('anna'),
        email: undefined,
        salesChannel: { id: channel, name: text('Nordic'), status: 'ACTIVE' },
        roles: ['ROLE_ADMINISTRATOR'],
        accountHolder: { accountHolderId: holder, name: text('Havkalk'), kind: 'REGISTRY', status: 'ACTIVE' },
      }),
    }),
    interaction('identity.ListApiKeys', {
      given: signedIn,
      values: { ...one, apiKey: 'k4' },
      as: asUser,
      request: () => ({}),
      answer: ({ apiKey }) => ({ keys: [key(apiKey)] }),
    }),
    interaction('identity.CreateApiKey', {
      given: signedIn,
      values: one,
      as: asUser,
      request: () => ({}),
      answer: () => created,
    }),
    interaction('identity.DeleteApiKey', {
      given: signedIn,
      values: { ...one, apiKey: 'k4' },
      as: asUser,
      request: ({ apiKey }) => ({ id: apiKey }),
      answer: ({ apiKey }) => key(apiKey),
    }),
    interaction('identity.DeleteApiKey', {
      given: 'a user of a sales channel with an API key',
      values: { user: 'u2', channel: 'c1', stranger: 'u3', key: 'k1' },
      as: ({ stranger, channel }) => ({ userId: stranger, salesChannelId: channel, roles: ['ROLE_ADMINISTRATOR'] }),
      request: ({ key: id }) => ({ id }),
      refusal: 'not-found',
    }),
    interaction('identity.ListRegistryKeys', {
      given: signedIn,
      values: { ...one, registryKey: 'k5' },
      as: asUser,
      request: () => ({}),
      answer: ({ registryKey }) => ({ keys: [key(registryKey)] }),
    }),
    interaction('identity.CreateRegistryKey', {
      given: signedIn,
      values: { ...one, inAMonth: '2125-03-04T10:02:11.318Z' },
      as: asUser,
      request: ({ inAMonth }) => ({ expiresAt: inAMonth }),
      answer: ({ inAMonth }) => ({ ...created, key: { ...created.key, expiresAt: inAMonth } }),
    }),
    interaction('identity.DeleteRegistryKey', {
      given: signedIn,
      values: { ...one, registryKey: 'k5' },
      as: asUser,
      request: ({ registryKey }) => ({ id: registryKey }),
      answer: ({ registryKey }) => key(registryKey),
    }),
    interaction('identity.ListKeyDetails', {
      given: signedIn,
      values: { ...one, apiKey: 'k4', registryKey: 'k5' },
      as: asUser,
      request: () => ({}),
      answer: ({ apiKey, registryKey }) => ({
        keys: among(
          { ...key(apiKey), kind: 'API', name: undefined, lastUsedOn: undefined },
          { ...key(registryKey), kind: 'REGISTRY' },
        ),
      }),
    }),
    interaction('identity.NameKey', {
      given: signedIn,
      values: { ...one, apiKey: 'k4' },
      as: asUser,
      request: ({ apiKey }) => ({ id: apiKey, name: 'Reporting' }),
      answer: ({ apiKey }) => ({ ...key(apiKey), kind: 'API', name: 'Reporting' }),
    }),
    interaction('identity.IntroduceUser', {
      given: signedIn,
      values: { ...one, issuer: 'https://id.example', subject: 'berit' },
      as: asUser,
      request: ({ issuer, subject }) => ({ issuer, subject }),
      answer: () => ({ userId: text('u9') }),
    }),
    interaction('identity.ListOwnSessions', {
      given: withSession,
      values: inSession,
      as: ({ user }) => ({ userId: user }),
      request: ({ sha256 }) => ({ tokenSha256: sha256 }),
      answer: ({ session }) => ({ sessions: [{ ...createSession(session), isCurrent: true }] }),
    }),
    interaction('identity.EndOwnSessions', {
      given: withSession,
      values: inSession,
      as: ({ user }) => ({ userId: user }),
      request: ({ session, sha256 }) => ({ id: session, tokenSha256: sha256 }),
      answer: ({ session }) => ({ sessions: [{ ...createSession(session), isCurrent: true }] }),
    }),
    interaction('identity.EndOwnSessions', {
      given: withSession,
      values: inSession,
      as: ({ user }) => ({ userId: user }),
      request: ({ sha256 }) => ({ others: true, tokenSha256: sha256 }),
      answer: () => ({ sessions: [] }),
    }),
    interaction('identity.EndOwnSessions', {
      given: withSession,
      values: { ...inSession, session: 's2', stranger: 'u3' },
      as: ({ stranger }) => ({ userId: stranger }),
      request: ({ session, sha256 }) => ({ id: session, tokenSha256: sha256 }),
      refusal: 'not-found',
    }),
    ...trail('both'),
    headRequirements,
  ],
};
