import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { principalReceivers, type Principal, type SignIn } from '@saleschannel/auth';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { callAs, catchFailure, principalToken } from '@saleschannel/testing';
import { decodeJwt } from 'jose';
import { environment } from '../src/environment.ts';
import { startIdentity, withKey, withToken, type Identity } from './support/identity.ts';

let identity: Identity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const inAWeek = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString();

test('a principal token is for the gateway and the named receivers', async () => {
  const credential = withToken(await identity.issuer.token(newId()));
  const { principalToken: one } = await identity.gateway.Authenticate({ ...credential, receivers: ['tasks'] });
  expect(decodeJwt(one).aud).toEqual(['gateway', 'tasks']);
  const { principalToken: two } = await identity.gateway.Authenticate({
    ...credential,
    receivers: ['registry-import', 'inventory'],
  });
  expect(decodeJwt(two).aud).toEqual(['gateway', 'registry-import', 'inventory']);
});

test.each([
  [[]],
  [['everybody']],
  [['gateway']],
  [['admin']],
  [['tasks', '']],
  [Array(principalReceivers.length + 1).fill('tasks')],
])('the receivers %j are refused', async (receivers) => {
  const credential = withToken(await identity.issuer.token(newId()));
  expect(await catchFailure(identity.gateway.Authenticate({ ...credential, receivers }))).toMatchObject({
    code: 'invalid-request',
  });
});

test('a principal token for another service creates no keys', async () => {
  const userId = await identity.newUser();
  const user = { kind: 'user', userId, salesChannelId: 'c1', roles: [], accountHolderId: 'h1' } as const;
  const stolen = { principalToken: await principalToken(user, ['gateway', 'events']) };
  const own = { principalToken: await principalToken(user, ['gateway', 'identity']) };
  const request = { expiresAt: inAWeek() };
  expect(await catchFailure(identity.gateway.CreateApiKey({}, stolen))).toMatchObject({ code: 'unauthenticated' });
  expect(await catchFailure(identity.gateway.CreateRegistryKey(request, stolen))).toMatchObject({
    code: 'unauthenticated',
  });
  expect((await identity.gateway.ListApiKeys({}, own)).keys).toEqual([]);
  await identity.gateway.CreateApiKey({}, own);
});

/** Sign-in of the principal, which operations of the gateway check. */

const HOUR_MS = 3_600_000;
const longAgo = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 2 * HOUR_MS);
const longAgoSeconds = longAgo.getTime() / 1_000;
const in12Hours = new Date(Date.now() + 12 * HOUR_MS).toISOString();

const signInOf = (principal: Principal): SignIn | undefined =>
  principal.kind === 'user' ? principal.signIn : undefined;

/** Starts identity with these settings. */
function useIdentity(variables: Record<string, string>) {
  let identity: Identity;
  let portal: ServiceClient<'sessions'>;
  beforeAll(async () => {
    identity = await startIdentity({ variables });
    portal = await callAs('portal', 'sessions', identity.service.address);
  });
  afterAll(async () => {
    portal.close();
    await identity.stop();
  });
  const signInBy = async (bearerToken: string) => signInOf(await identity.authenticate(withToken(bearerToken)));
  const tokenOf = (subject: string, claims: Record<string, unknown> = {}) =>
    identity.issuer.token(subject, { claims: { jti: newId(), ...claims } });
  const recordOf = (token: string) => ({
    sha256: createHash('sha256').update(token).digest('hex'),
    expiresAt: in12Hours,
  });
  return {
    tokenOf,
    signInBy,
    /** Authenticates with the person's own token, outside any session. */
    ownSignIn: async (claims?: Record<string, unknown>) => signInBy(await tokenOf(newId(), claims)),
    /** Begins a session of the portal with these claims of the ID token. */
    async session(acr?: string) {
      const [subject, id] = [newId(), randomUUID()];
      // Claims of an access token do not count in a session.
      const token = await tokenOf(subject, { auth_time: Math.floor(Date.now() / 1_000), acr: 'mfa' });
      await portal.BeginSession({
        id,
        issuer: identity.issuer.issuer,
        subject,
        signedInAt: longAgo.toISOString(),
        ...(acr !== undefined && { acr }),
        expiresAt: in12Hours,
        token: recordOf(token),
      });
      return {
        token,
        /** Adds another access token, as by a refresh token. */
        async refreshed() {
          const further = await tokenOf(subject);
          await portal.AddSessionToken({ id, token: recordOf(further) });
          return further;
        },
      };
    },
    async keySignIn() {
      const userId = await identity.newUser();
      const { key, secret } = await identity.issueApiKey(userId);
      return signInOf(await identity.authenticate(withKey(key, secret)));
    },
  };
}

describe('by default', () => {
  const { session, signInBy, ownSignIn, keySignIn } = useIdentity({});

  test('a session has the sign-in of its ID token, even after a refresh', async () => {
    const { token, refreshed } = await session();
    for (const each of [token, await refreshed()]) expect(await signInBy(each)).toEqual({ atMs: longAgo.getTime() });
  });

  test('other credentials have no sign-in', async () => {
    expect(await ownSignIn()).toBeUndefined();
    expect(await ownSignIn({ auth_time: longAgoSeconds })).toBeUndefined();
    expect(await keySignIn()).toBeUndefined();
  });
});

describe('with RECENT_SIGN_IN=everybody', () => {
  const { session, signInBy, ownSignIn, keySignIn, tokenOf } = useIdentity({ RECENT_SIGN_IN: 'everybody' });

  test("a person's own token has the time of its sign-in, or counts as very old", async () => {
    expect(await ownSignIn({ auth_time: longAgoSeconds })).toEqual({ atMs: longAgo.getTime() });
    for (const odd of [undefined, 'yesterday', -1, 1e300, null])
      expect(await ownSignIn({ auth_time: odd })).toEqual({ atMs: 0 });
    // A session keeps its own.
    const { token } = await session();
    expect(await signInBy(token)).toEqual({ atMs: longAgo.getTime() });
  });

  test('programs have no sign-in', async () => {
    expect(await keySignIn()).toBeUndefined();
    const client = newId();
    for (const claims of [{ client_id: client }, { azp: client }, { gty: 'client-credentials' }, { idtyp: 'app' }])
      expect(await signInBy(await tokenOf(client, claims))).toBeUndefined();
    // A client used by a person is not a program.
    expect(await ownSignIn({ client_id: 'cli', azp: 'cli' })).toEqual({ atMs: 0 });
  });
});

describe('with required contexts', () => {
  const wantedAcrs = ['mfa', 'urn:phr'];
  const { session, signInBy, ownSignIn } = useIdentity({
    RECENT_SIGN_IN: 'everybody',
    RECENT_SIGN_IN_ACR: 'mfa  urn:phr',
  });

  test.each([undefined, '', 'pwd', 'MFA', 'mfa urn:phr'])('a session with the context %p lacks it', async (acr) => {
    // The portal omits an empty context.
    const { token } = await session(acr === '' ? undefined : acr);
    expect(await signInBy(token)).toEqual({ atMs: longAgo.getTime(), wantedAcrs });
  });

  test('one of them suffices, and each credential has its own', async () => {
    for (const acr of wantedAcrs) {
      expect(await signInBy((await session(acr)).token)).toEqual({ atMs: longAgo.getTime() });
      expect(await ownSignIn({ acr, auth_time: longAgoSeconds })).toEqual({ atMs: longAgo.getTime() });
    }
    for (const acr of ['pwd', ['mfa'], undefined]) expect(await ownSignIn({ acr })).toEqual({ atMs: 0, wantedAcrs });
  });
});

test('a context that a challenge cannot contain is refused at startup', () => {
  const { schema } = environment.RECENT_SIGN_IN_ACR;
  for (const odd of ['m"fa', 'm\\fa', 'mfä', 'm\tfa', 'mfa "']) expect(schema.safeParse(odd).success).toBe(false);
});
