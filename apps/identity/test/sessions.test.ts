import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyHolders } from '@saleschannel/auth';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { callAs, catchFailure, openTestDatabase } from '@saleschannel/testing';
import { deleteOldSessions } from '../src/jobs/delete-sessions.ts';
import { schema } from '../src/store/schema.ts';
import { testClock, startIdentity, withKey, withToken, type Identity } from './support/identity.ts';

const HOUR_MS = 3_600_000;
const clock = testClock();
const unauthenticated = { code: 'unauthenticated' };

let identity: Identity;
let portal: ServiceClient<'sessions'>;
let consoleClient: ServiceClient<'sessions'>;
beforeAll(async () => {
  identity = await startIdentity({ clock });
  portal = await callAs('portal', 'sessions', identity.service.address);
  consoleClient = await callAs('admin', 'sessions', identity.service.address);
});
afterAll(async () => {
  portal.close();
  consoleClient.close();
  await identity.stop();
});

const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
const tokenOf = (token: string) => ({ sha256: sha256(token), expiresAt: inHours(1) });

/** A person and their sign-in. */
async function person() {
  const subject = newId();
  const accessToken = await identity.issuer.token(subject);
  const request = {
    id: randomUUID(),
    issuer: identity.issuer.issuer,
    subject,
    signedInAt: inHours(0),
    expiresAt: inHours(12),
    token: tokenOf(accessToken),
  };
  return { subject, accessToken, request };
}

async function signedIn(directory = portal) {
  const signing = await person();
  await directory.BeginSession(signing.request);
  return { ...signing, id: signing.request.id };
}

const authenticate = (token: string) => identity.authenticate(withToken(token));
const refusalOf = (token: string) => catchFailure(identity.gateway.Authenticate(withToken(token)));

interface Event {
  readonly action: string;
  readonly actor: Readonly<Record<string, string>>;
  readonly before: unknown;
  readonly after: unknown;
}

async function eventsOf(scope: string, id: string): Promise<Event[]> {
  const rows = await identity.service.sql<{ event: string }>(
    `select event from audit_event where scope = $1 and event like $2 order by sequence`,
    [scope, `%${id}%`],
  );
  return rows.map(({ event }) => JSON.parse(event) as Event);
}

describe('an access token of a session', () => {
  test('is refused once the session has ended, like those added later', async () => {
    const { id, subject, accessToken } = await signedIn();
    const refreshed = await identity.issuer.token(subject, { claims: { jti: newId() } });
    await portal.AddSessionToken({ id, token: tokenOf(refreshed) });
    const apart = await identity.issuer.token(subject, { claims: { jti: newId() } });
    for (const token of [accessToken, refreshed, apart]) await authenticate(token);
    await portal.EndSession({ id });
    for (const token of [accessToken, refreshed]) expect(await refusalOf(token)).toMatchObject(unauthenticated);
    // Tokens from elsewhere and keys are independent of it.
    const { userId } = (await authenticate(apart)) as { userId: string };
    const { key, secret } = await identity.issueApiKey(userId);
    expect(await identity.authenticate(withKey(key, secret))).toMatchObject({ userId });
  });

  test('is refused when the session has expired', async () => {
    const { id, accessToken } = await signedIn();
    clock.stopAt(Date.now() + 12 * HOUR_MS);
    try {
      expect(await catchFailure(portal.CheckSession({ id }))).toMatchObject(unauthenticated);
    } finally {
      clock.resume();
    }
    await authenticate(accessToken);
  });

  test('cannot be added after the end', async () => {
    const { id, subject } = await signedIn();
    await portal.EndSession({ id });
    const late = await identity.issuer.token(subject, { claims: { jti: newId() } });
    expect(await catchFailure(portal.AddSessionToken({ id, token: tokenOf(late) }))).toMatchObject(unauthenticated);
    const known = await identity.service.sql('select from session_token where token_hash = decode($1, $2)', [
      sha256(late),
      'hex',
    ]);
    expect(known).toHaveLength(0);
  });

  test('added while the session ends is either refused or invalid afterwards', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, subject } = await signedIn();
      const late = await identity.issuer.token(subject, { claims: { jti: newId() } });
      const adding = portal.AddSessionToken({ id, token: tokenOf(late) }).then(
        () => true,
        () => false,
      );
      const [isAdded] = await Promise.all([adding, portal.EndSession({ id })]);
      if (isAdded) expect(await refusalOf(late)).toMatchObject(unauthenticated);
    }
  });
});

describe('a session', () => {
  test('is alive until it ends, and cannot be begun again', async () => {
    const { id, request } = await signedIn();
    expect(await portal.CheckSession({ id })).toMatchObject({ id, client: 'portal' });
    await portal.EndSession({ id });
    await portal.EndSession({ id });
    expect(await catchFailure(portal.CheckSession({ id, isUsed: true }))).toMatchObject(unauthenticated);
    expect(await catchFailure(portal.BeginSession(request))).toMatchObject(unauthenticated);
  });

  test('begun again with the same id is the same one', async () => {
    const { request } = await person();
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => portal.BeginSession(request)));
    for (const other of others) expect(other).toEqual(first);
    expect(await eventsOf('sessions', request.id)).toHaveLength(1);
  });

  test('records its use to within a minute', async () => {
    const { id } = await signedIn();
    const begun = (await portal.CheckSession({ id })).lastUsedOn;
    expect((await portal.CheckSession({ id, isUsed: true })).lastUsedOn).toBe(begun);
    const later = new Date(Date.now() + 61_000);
    clock.stopAt(later);
    try {
      await portal.CheckSession({ id });
      expect((await portal.CheckSession({ id })).lastUsedOn).toBe(begun);
      await portal.CheckSession({ id, isUsed: true });
      expect((await portal.CheckSession({ id })).lastUsedOn).toBe(later.toISOString());
    } finally {
      clock.resume();
    }
  });

  test('is audited at its start and end, in a trail that gateways do not watch', async () => {
    const signing = await person();
    const { id } = signing.request;
    await portal.BeginSession(signing.request, { clientAddress: '192.0.2.7', requestId: 'r1' });
    const { userId } = (await authenticate(signing.accessToken)) as { userId: string };
    await portal.EndSession({ id }, { clientAddress: '192.0.2.8', requestId: 'r2' });
    expect(await eventsOf('sessions', id)).toMatchObject([
      {
        action: 'identity.session.begun',
        actor: { kind: 'user', id: userId },
        address: '192.0.2.7',
        requestId: 'r1',
      },
      {
        action: 'identity.session.ended',
        actor: { kind: 'user', id: userId },
        address: '192.0.2.8',
        after: { endedBy: 'SIGN_OUT' },
      },
    ]);
    expect(await eventsOf('installation', id)).toEqual([]);
  });

  test('of an operator is in the trail of the installation, and creates no user', async () => {
    const { id, subject } = await signedIn(consoleClient);
    await consoleClient.EndSession({ id });
    expect(await eventsOf('installation', id)).toMatchObject([
      { action: 'identity.session.begun', actor: { kind: 'operator', id: subject } },
      { action: 'identity.session.ended', actor: { kind: 'operator', id: subject } },
    ]);
    expect(await identity.service.sql('select from app_user where subject = $1', [subject])).toEqual([]);
  });

  test('is visible only to its own application', async () => {
    const [{ id }, operators] = [await signedIn(), await signedIn(consoleClient)];
    expect(await catchFailure(consoleClient.CheckSession({ id }))).toMatchObject(unauthenticated);
    await consoleClient.EndSession({ id });
    expect(await portal.CheckSession({ id })).toMatchObject({ id });
    expect(await catchFailure(portal.CheckSession({ id: operators.id }))).toMatchObject(unauthenticated);
    for (const name of keyHolders.filter((each) => each !== 'portal' && each !== 'admin')) {
      const stranger = await callAs(name, 'sessions', identity.service.address);
      expect(await catchFailure(stranger.CheckSession({ id }))).toMatchObject({ code: 'forbidden' });
      stranger.close();
    }
  });

  test('of another issuer, or without a hash of its token, is refused', async () => {
    const { request } = await person();
    expect(await catchFailure(portal.BeginSession({ ...request, issuer: 'https://other.example' }))).toMatchObject(
      unauthenticated,
    );
    const token = { ...request.token, sha256: 'no hash' };
    expect(await catchFailure(portal.BeginSession({ ...request, token }))).toMatchObject({ code: 'invalid-request' });
  });

  test('is deleted after ninety days, its tokens and provider sign-outs after a day', async () => {
    const { id } = await signedIn();
    const provider = newId();
    await portal.EndProviderSessions({ issuer: identity.issuer.issuer, providerSession: provider });
    const database = await openTestDatabase({ url: identity.service.databaseUrl, poolMax: 2, ...schema });
    const counted = async () => {
      const [row] = await identity.service.sql<{ sessions: number; tokens: number; signOuts: number }>(
        `select (select count(*) from session where id = $1)::int as sessions,
                (select count(*) from session_token where session_id = $1)::int as tokens,
                (select count(*) from provider_sign_out where provider_session = $2)::int as "signOuts"`,
        [id, provider],
      );
      return row;
    };
    try {
      for (const [days, left] of [
        [0, { sessions: 1, tokens: 1, signOuts: 1 }],
        [2, { sessions: 1, tokens: 0, signOuts: 0 }],
        [89, { sessions: 1, tokens: 0, signOuts: 0 }],
        [91, { sessions: 0, tokens: 0, signOuts: 0 }],
      ] as const) {
        const at = new Date(Date.now() + days * 24 * HOUR_MS);
        await deleteOldSessions({ database, clock: { now: () => at } });
        expect({ days, ...(await counted()) }).toEqual({ days, ...left });
      }
    } finally {
      await database.stop();
    }
  });
});

describe('a disabled user', () => {
  const idOf = async (subject: string) =>
    (await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject })).id;

  test('has no session, begins none, and regains none', async () => {
    const { id, subject, accessToken } = await signedIn();
    const operators = { ...(await person()).request, subject };
    await consoleClient.BeginSession(operators);
    const userId = await idOf(subject);
    await identity.operator.DisableUser({ userId, reason: 'left' }, { operator: 'olga' });
    expect(await catchFailure(portal.CheckSession({ id }))).toMatchObject(unauthenticated);
    expect(await catchFailure(consoleClient.CheckSession({ id: operators.id }))).toMatchObject(unauthenticated);
    const again = { ...(await person()).request, subject };
    expect(await catchFailure(portal.BeginSession(again))).toMatchObject(unauthenticated);
    await identity.operator.EnableUser({ userId });
    expect(await catchFailure(portal.CheckSession({ id }))).toMatchObject(unauthenticated);
    expect(await refusalOf(accessToken)).toMatchObject(unauthenticated);
    expect((await eventsOf('sessions', id)).at(-1)).toMatchObject({
      actor: { kind: 'operator', id: 'olga' },
      after: { endedBy: 'USER_DISABLED' },
    });
  });

  test('has no session even if disabled by an earlier release', async () => {
    const { id, subject } = await signedIn();
    await identity.service.sql('update app_user set disabled_at = now(), disabled_reason = $2 where subject = $1', [
      subject,
      'left',
    ]);
    expect(await catchFailure(portal.CheckSession({ id }))).toMatchObject(unauthenticated);
  });

  test('keeps no session that begins concurrently', async () => {
    for (let round = 0; round < 20; round++) {
      const { subject, request } = await person();
      const userId = await idOf(subject);
      const beginning = portal.BeginSession(request).catch(() => undefined);
      await Promise.all([beginning, identity.operator.DisableUser({ userId, reason: 'left' })]);
      await identity.operator.EnableUser({ userId });
      expect(await catchFailure(portal.CheckSession({ id: request.id }))).toMatchObject(unauthenticated);
    }
  });
});
