import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs } from '@saleschannel/testing';
import { contractTests, type States } from '@saleschannel/testing/contract-tests';
import { startIdentity, withToken, type Identity } from './support/identity.ts';

const DAY_MS = 86_400_000;
const inAMonth = (): string => new Date(Date.now() + 30 * DAY_MS).toISOString();
const ADMINISTRATOR = ['ROLE_ADMINISTRATOR'] as const;

/** Sets the states named in the contracts of consumers. */
function statesOf(identity: Identity): States {
  const { admin, gateway, issuer, newUser, rights } = identity;
  const userOf = async (channel: string) => {
    const subject = newId();
    const user = (await admin.EnsureUser({ issuer: issuer.issuer, subject })).id;
    rights.set(user, { salesChannelId: channel, roles: [...ADMINISTRATOR] });
    return { subject, user };
  };
  const withKeys = async () => {
    const [channel, holder] = [newId(), newId()];
    const { subject, user } = await userOf(channel);
    await admin.SetAccountHolder({ userId: user, accountHolderId: holder });
    const bearerToken = await issuer.token(subject);
    const apiKey = (await identity.issueApiKey(user)).key.id;
    const registryKey = (await identity.issueRegistryKey(holder, inAMonth())).key.id;
    const known = { user, channel, holder, bearerToken, apiKey, registryKey };
    return { ...known, inAMonth: inAMonth(), issuer: issuer.issuer, subject: newId() };
  };
  /** Both creations are audited: of an own key, and of a registry key. */
  const acted = async () => {
    const { user, channel, holder } = await withKeys();
    const as = await asUser(channel, ADMINISTRATOR, user, holder, { isRegistry: true });
    await identity.createApiKey(as);
    await identity.createRegistryKey(inAMonth(), as);
    return { channel };
  };
  const sessionId = () => {
    const sha256 = createHash('sha256').update(newId()).digest('hex');
    return { id: randomUUID(), issuer: issuer.issuer, subject: newId(), sha256, provider: newId() };
  };
  const sessionOf = async (isEnded: boolean, providerSession?: string): Promise<Record<string, string>> => {
    const { id, subject, sha256 } = sessionId();
    const sessions = await callAs('portal', 'sessions', identity.service.address);
    try {
      const token = { sha256, expiresAt: inAMonth() };
      const times = { signedInAt: new Date().toISOString(), expiresAt: inAMonth() };
      await sessions.BeginSession({
        id,
        issuer: issuer.issuer,
        subject,
        ...times,
        token,
        ...(providerSession !== undefined && { providerSession }),
      });
      if (isEnded) await sessions.EndSession({ id });
    } finally {
      sessions.close();
    }
    return { [isEnded ? 'ended' : 'id']: id, subject, own: sha256, sha256: sessionId().sha256 };
  };
  const known = async () => {
    const subject = newId();
    const user = (await admin.EnsureUser({ issuer: issuer.issuer, subject })).id;
    return { user, issuer: issuer.issuer, subject, holder: newId(), inAMonth: inAMonth() };
  };
  return {
    'a user': known,
    async 'a disabled user'() {
      const found = await known();
      await identity.operator.DisableUser({ userId: found.user, reason: 'left' });
      return found;
    },
    async 'two users, one of whom has shown an address'() {
      const subject = newId();
      const email = `${subject}@example.test`;
      await gateway.Authenticate(withToken(await issuer.token(subject, { claims: { email, email_verified: true } })));
      const known = (await admin.EnsureUser({ issuer: issuer.issuer, subject })).id;
      return { known, email, other: await newUser() };
    },
    'a person who signs in': () => Promise.resolve(sessionId()),
    async 'a disabled person who signs in'() {
      const { user, subject } = await known();
      await identity.operator.DisableUser({ userId: user, reason: 'left' });
      return { ...sessionId(), subject };
    },
    async 'a user with a session in the portal'() {
      const session = await sessionOf(false);
      const { id: user } = await admin.EnsureUser({ issuer: issuer.issuer, subject: String(session['subject']) });
      return { user, session: String(session['id']), sha256: String(session['own']), stranger: await newUser() };
    },
    async 'a session of a session at the provider'() {
      const provider = newId();
      const { id, subject } = await sessionOf(false, provider);
      return { id: String(id), issuer: issuer.issuer, subject: String(subject), provider };
    },
    'a session': () => sessionOf(false),
    'a session that has ended': () => sessionOf(true),
    'an id of no user': () => Promise.resolve({ nobody: newId() }),
    'a user of a sales channel and of an account holder, with an access token and a key of each kind': withKeys,
    async 'a user of a sales channel with an API key'() {
      const channel = newId();
      const { user } = await userOf(channel);
      const { key, secret } = await identity.issueApiKey(user);
      return { user, channel, key: key.id, secret, stranger: await newUser() };
    },
    async 'a registry key'() {
      const holder = newId();
      const { key, secret } = await identity.issueRegistryKey(holder, inAMonth());
      return { holder, key: key.id, secret, inAMonth: inAMonth() };
    },
    'a credential of nobody': () => Promise.resolve({ key: newId(), secret: newId() }),
    'an act on a sales channel, and one of the registry': acted,
    'a sales channel on which something was changed': acted,
  };
}

let identity: Identity;
beforeAll(async () => {
  // The calls of the sandbox service need a sandbox.
  identity = await startIdentity({ variables: { SANDBOX: 'true' } });
});
afterAll(() => identity.stop());

await contractTests('identity', () => ({ service: identity.service, states: statesOf(identity) }));
