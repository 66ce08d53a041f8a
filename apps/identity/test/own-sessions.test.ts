import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs, catchFailure } from '@saleschannel/testing';
import { testClock, startIdentity, withToken, type Identity } from './support/identity.ts';

const clock = testClock();

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

const ROUNDS = 20;

interface SignIn {
  readonly subject: string;
  readonly sid: string;
  /** Relative to now, in whole seconds as from providers. */
  readonly atMs: number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

async function beginAs({ subject, sid, atMs }: SignIn, client = portal): Promise<string> {
  const accessToken = await identity.issuer.token(subject, { claims: { jti: newId() } });
  const sha256 = createHash('sha256').update(accessToken).digest('hex');
  const now = Date.now();
  const { id } = await client.BeginSession({
    id: randomUUID(),
    issuer: identity.issuer.issuer,
    subject,
    providerSession: sid,
    signedInAt: iso(now + atMs),
    expiresAt: iso(now + 12 * HOUR_MS),
    token: { sha256, expiresAt: iso(now + HOUR_MS) },
  });
  return id;
}

const newSignIn = (): SignIn => ({ subject: newId(), sid: newId(), atMs: -5_000 });

test('an ended provider session begins no session', async () => {
  const { issuer } = identity.issuer;
  const ended = newSignIn();
  await portal.EndProviderSessions({ issuer, providerSession: ended.sid });
  expect(await catchFailure(beginAs(ended))).toMatchObject(unauthenticated);
  expect(await catchFailure(beginAs({ ...ended, atMs: 60_000 }))).toMatchObject(unauthenticated);
  // Another session of the person, the other application, and another person's sign-out with this session's id.
  await expect(beginAs({ ...ended, sid: newId() })).resolves.toBeDefined();
  await expect(beginAs(ended, consoleClient)).resolves.toBeDefined();
  const other = newSignIn();
  await portal.EndProviderSessions({ issuer, subject: newId(), providerSession: other.sid });
  await expect(beginAs(other)).resolves.toBeDefined();
});

test('after a person signs out, only later sign-ins begin a session', async () => {
  const { issuer } = identity.issuer;
  const before = newSignIn();
  await portal.EndProviderSessions({ issuer, subject: before.subject });
  expect(await catchFailure(beginAs(before))).toMatchObject(unauthenticated);
  await expect(beginAs({ ...before, atMs: 2_000 })).resolves.toBeDefined();
  await expect(beginAs(newSignIn())).resolves.toBeDefined();
});

test('no session outlives a concurrent sign-out', async () => {
  const { issuer } = identity.issuer;
  for (let round = 0; round < ROUNDS; round += 1) {
    const signIn = newSignIn();
    const choice = round % 2 === 0 ? { providerSession: signIn.sid } : { subject: signIn.subject };
    const [began] = await Promise.allSettled([beginAs(signIn), portal.EndProviderSessions({ issuer, ...choice })]);
    if (began.status === 'rejected') expect(began.reason).toMatchObject(unauthenticated);
    else expect(await catchFailure(portal.CheckSession({ id: began.value }))).toMatchObject(unauthenticated);
  }
});

/** Sessions, listed and ended by their person and by operators. */

const HOUR_MS = 3_600_000;
const unauthenticated = { code: 'unauthenticated' };
const notFound = { code: 'not-found' };

const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
const inHours = (hours: number): string => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString();

interface Begun {
  readonly id: string;
  readonly accessToken: string;
  readonly tokenSha256: string;
}

async function begin(subject: string, directory = portal, providerSession?: string): Promise<Begun> {
  const accessToken = await identity.issuer.token(subject, { claims: { jti: newId() } });
  const tokenSha256 = sha256(accessToken);
  const times = { signedInAt: inHours(0), expiresAt: inHours(12) };
  const token = { sha256: tokenSha256, expiresAt: inHours(1) };
  const id = randomUUID();
  const options = { clientAddress: '192.0.2.17' };
  const optional = providerSession === undefined ? {} : { providerSession };
  await directory.BeginSession({ id, issuer: identity.issuer.issuer, subject, ...times, token, ...optional }, options);
  return { id, accessToken, tokenSha256 };
}

/** Creates a person with a session in portal and console, and a stranger with one. */
async function createPeople() {
  const [subject, other] = [newId(), newId()];
  const mine = await begin(subject);
  const atConsole = await begin(subject, consoleClient);
  const stranger = await begin(other);
  const { id: userId } = await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject });
  return { subject, userId, as: await asUser(undefined, [], userId), mine, atConsole, stranger };
}

const isAlive = async (directory: ServiceClient<'sessions'>, { id }: Begun): Promise<boolean> =>
  directory.CheckSession({ id }).then(
    () => true,
    () => false,
  );
const readEndings = async (id: string): Promise<unknown[]> => {
  const rows = await identity.service.sql<{ event: string }>(
    `select event from audit_event where event like $1 and event like '%identity.session.ended%'`,
    [`%${id}%`],
  );
  return rows.map(({ event }) => JSON.parse(event) as unknown);
};

describe('a person', () => {
  test('lists live sessions of all applications', async () => {
    const { subject, as, mine, atConsole } = await createPeople();
    const ended = await begin(subject);
    await portal.EndSession({ id: ended.id });
    const { sessions } = await identity.gateway.ListOwnSessions({ tokenSha256: mine.tokenSha256 }, as);
    const about = { begunOn: expect.any(String), lastUsedOn: expect.any(String), address: '192.0.2.17' };
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual(
      expect.objectContaining({ ...about, id: mine.id, client: 'portal', isCurrent: true }),
    );
    expect(sessions).toContainEqual(
      expect.objectContaining({ ...about, id: atConsole.id, client: 'console', isCurrent: false }),
    );
    clock.stopAt(clock.now().getTime() + 13 * HOUR_MS);
    try {
      expect((await identity.gateway.ListOwnSessions({}, as)).sessions).toEqual([]);
    } finally {
      clock.resume();
    }
  });

  test('sees the last use of a session, to the minute', async () => {
    const { as, mine, atConsole } = await createPeople();
    const first = async () => (await identity.gateway.ListOwnSessions({}, as)).sessions[0];
    const start = clock.now().getTime();
    try {
      clock.stopAt(start + 30_000);
      await consoleClient.CheckSession({ id: atConsole.id, isUsed: true });
      expect(Date.parse(String((await first())?.lastUsedOn))).toBeLessThan(start + 30_000);
      clock.stopAt(start + 120_000);
      await portal.CheckSession({ id: mine.id, isUsed: true });
      expect(await first()).toMatchObject({ id: mine.id, lastUsedOn: new Date(start + 120_000).toISOString() });
    } finally {
      clock.resume();
    }
  });

  test('ends one of their own sessions, and no others', async () => {
    const { as, mine, atConsole, stranger } = await createPeople();
    for (const id of [stranger.id, randomUUID(), 'x'.repeat(200), ''])
      expect(await catchFailure(identity.gateway.EndOwnSessions({ id }, as))).toMatchObject(notFound);
    const { sessions } = await identity.gateway.EndOwnSessions({ id: atConsole.id }, as);
    expect(sessions).toEqual([expect.objectContaining({ id: atConsole.id, isCurrent: false })]);
    expect(await isAlive(consoleClient, atConsole)).toBe(false);
    expect(await catchFailure(identity.gateway.Authenticate(withToken(atConsole.accessToken)))).toMatchObject(
      unauthenticated,
    );
    expect([await isAlive(portal, mine), await isAlive(portal, stranger)]).toEqual([true, true]);
    expect(await catchFailure(identity.gateway.EndOwnSessions({ id: atConsole.id }, as))).toMatchObject(notFound);
  });

  test('ends all other sessions, or all', async () => {
    const { as, userId, mine, atConsole, stranger } = await createPeople();
    const { tokenSha256 } = mine;
    const others = await identity.gateway.EndOwnSessions({ others: true, tokenSha256 }, as);
    expect(others.sessions.map(({ id }) => id)).toEqual([atConsole.id]);
    expect([await isAlive(portal, mine), await isAlive(consoleClient, atConsole)]).toEqual([true, false]);
    const all = await identity.gateway.EndOwnSessions({ tokenSha256 }, as);
    expect(all.sessions).toEqual([expect.objectContaining({ id: mine.id, isCurrent: true })]);
    expect([await isAlive(portal, mine), await isAlive(portal, stranger)]).toEqual([false, true]);
    expect(await catchFailure(identity.gateway.Authenticate(withToken(mine.accessToken)))).toMatchObject(
      unauthenticated,
    );
    expect(await readEndings(mine.id)).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ kind: 'user', id: userId }),
        after: { endedBy: 'PERSON' },
      }),
    ]);
    expect((await identity.gateway.EndOwnSessions({ tokenSha256 }, as)).sessions).toEqual([]);
  });

  test('with an API key has no current session', async () => {
    const { as, mine, atConsole } = await createPeople();
    const { sessions } = await identity.gateway.EndOwnSessions({ others: true }, as);
    expect(sessions.map(({ id }) => id).toSorted()).toEqual([mine.id, atConsole.id].toSorted());
  });

  test('cannot keep a session by the token of another person', async () => {
    const { as, stranger } = await createPeople();
    const { sessions } = await identity.gateway.EndOwnSessions({ others: true, tokenSha256: stranger.tokenSha256 }, as);
    expect(sessions).toHaveLength(2);
    expect(await isAlive(portal, stranger)).toBe(true);
  });

  test('ends each session once despite concurrent requests', async () => {
    const { as, mine } = await createPeople();
    const answers = await Promise.all(Array.from({ length: 8 }, () => identity.gateway.EndOwnSessions({}, as)));
    expect(answers.flatMap(({ sessions }) => sessions).filter(({ id }) => id === mine.id)).toHaveLength(1);
    expect(await readEndings(mine.id)).toHaveLength(1);
  });

  test.each(['', 'xyz', 'A'.repeat(64)])('refused: the hash %j', async (tokenSha256) => {
    const { as } = await createPeople();
    expect(await catchFailure(identity.gateway.ListOwnSessions({ tokenSha256 }, as))).toMatchObject({
      code: 'invalid-request',
    });
  });
});

describe('an operator', () => {
  test('lists and ends the sessions of a user, with an audited reason', async () => {
    const { userId, mine, atConsole, stranger } = await createPeople();
    const ids = [mine.id, atConsole.id].toSorted();
    const listed = await identity.operator.ListUserSessions({ userId });
    expect(listed.sessions.map(({ id }) => id).toSorted()).toEqual(ids);
    const options = { operator: 'olga' };
    const ended = await identity.operator.EndUserSessions({ userId, reason: 'lost laptop' }, options);
    expect(ended.sessions.map(({ id }) => id).toSorted()).toEqual(ids);
    expect([await isAlive(portal, mine), await isAlive(consoleClient, atConsole)]).toEqual([false, false]);
    expect(await isAlive(portal, stranger)).toBe(true);
    expect(await catchFailure(identity.gateway.Authenticate(withToken(mine.accessToken)))).toMatchObject(
      unauthenticated,
    );
    // Operators' acts are in the trail of the installation too.
    for (const event of (await Promise.all(ids.map(readEndings))).flat())
      expect(event).toMatchObject({
        actor: { kind: 'operator', id: 'olga' },
        after: { endedBy: 'OPERATOR', reason: 'lost laptop' },
      });
    for (const id of ids) expect(await readEndings(id)).not.toHaveLength(0);
    expect((await identity.operator.ListUserSessions({ userId })).sessions).toEqual([]);
    expect((await identity.operator.EndUserSessions({ userId, reason: 'again' }, options)).sessions).toEqual([]);
  });

  test('must name a user and a reason', async () => {
    const { userId, mine } = await createPeople();
    expect(await catchFailure(identity.operator.EndUserSessions({ userId, reason: '' }))).toMatchObject({
      code: 'invalid-request',
      violations: [expect.objectContaining({ parameter: 'reason' })],
    });
    expect(await isAlive(portal, mine)).toBe(true);
    const unknown = newId();
    expect(await catchFailure(identity.operator.ListUserSessions({ userId: unknown }))).toMatchObject(notFound);
    const ending = identity.operator.EndUserSessions({ userId: unknown, reason: 'x' });
    expect(await catchFailure(ending)).toMatchObject(notFound);
  });
});

describe('the provider', () => {
  test('ends the sessions of one provider session or of a person, in the calling application', async () => {
    const { issuer } = identity.issuer;
    const [subject, sid] = [newId(), newId()];
    const first = await begin(subject, portal, sid);
    const second = await begin(subject, portal, newId());
    const atConsole = await begin(subject, consoleClient, sid);
    const other = await begin(newId(), portal, newId());
    const bySession = await portal.EndProviderSessions({ issuer, providerSession: sid });
    expect(bySession.sessions.map(({ id }) => id)).toEqual([first.id]);
    expect(await catchFailure(identity.gateway.Authenticate(withToken(first.accessToken)))).toMatchObject(
      unauthenticated,
    );
    expect([await isAlive(portal, second), await isAlive(consoleClient, atConsole)]).toEqual([true, true]);
    const byBoth = { issuer, subject: newId(), providerSession: sid };
    expect((await consoleClient.EndProviderSessions(byBoth)).sessions).toEqual([]);
    const byPerson = await portal.EndProviderSessions({ issuer, subject });
    expect(byPerson.sessions.map(({ id }) => id)).toEqual([second.id]);
    expect([await isAlive(portal, other), await isAlive(consoleClient, atConsole)]).toEqual([true, true]);
    expect((await portal.EndProviderSessions({ issuer: 'https://other.example', subject })).sessions).toEqual([]);
    expect(await readEndings(first.id)).toEqual([expect.objectContaining({ after: { endedBy: 'PROVIDER' } })]);
  });

  test('must name a person or a session', async () => {
    const { issuer } = identity.issuer;
    for (const request of [{ issuer }, { issuer, subject: '' }, { issuer: '', subject: 'anna' }])
      expect(await catchFailure(portal.EndProviderSessions(request))).toMatchObject({ code: 'invalid-request' });
  });
});

test('only the listed callers may call these RPCs', async () => {
  const { as } = await createPeople();
  for (const service of ['portal', 'rbac'] as const) {
    const own = await callAs(service, 'identity', identity.service.address);
    const others = await callAs(service, 'identityAdministration', identity.service.address);
    try {
      expect(await catchFailure(own.EndOwnSessions({}, as))).toMatchObject({ code: 'forbidden' });
      expect(await catchFailure(others.EndUserSessions({ userId: 'u', reason: 'x' }))).toMatchObject({
        code: 'forbidden',
      });
    } finally {
      own.close();
      others.close();
    }
  }
});
