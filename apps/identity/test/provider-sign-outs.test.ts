import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { callAs, failureOf } from '@saleschannel/testing';
import { startIdentity, type Identity } from './support/identity.ts';

/** Sign-ins concurrent with a sign-out at the provider. */

const HOUR_MS = 3_600_000;
const ROUNDS = 20;
const unauthenticated = { code: 'unauthenticated' };

let identity: Identity;
let portal: ServiceClient<'sessions'>;
let consoleClient: ServiceClient<'sessions'>;
beforeAll(async () => {
  identity = await startIdentity();
  portal = await callAs('portal', 'sessions', identity.service.address);
  consoleClient = await callAs('admin', 'sessions', identity.service.address);
});
afterAll(async () => {
  portal.close();
  consoleClient.close();
  await identity.stop();
});

interface SignIn {
  readonly subject: string;
  readonly sid: string;
  /** Relative to now, in whole seconds as from providers. */
  readonly atMs: number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

async function begin({ subject, sid, atMs }: SignIn, client = portal): Promise<string> {
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
  expect(await failureOf(begin(ended))).toMatchObject(unauthenticated);
  expect(await failureOf(begin({ ...ended, atMs: 60_000 }))).toMatchObject(unauthenticated);
  // Another session of the person, the other application, and another person's sign-out with this session's id.
  await expect(begin({ ...ended, sid: newId() })).resolves.toBeDefined();
  await expect(begin(ended, consoleClient)).resolves.toBeDefined();
  const other = newSignIn();
  await portal.EndProviderSessions({ issuer, subject: newId(), providerSession: other.sid });
  await expect(begin(other)).resolves.toBeDefined();
});

test('after a person signs out, only later sign-ins begin a session', async () => {
  const { issuer } = identity.issuer;
  const before = newSignIn();
  await portal.EndProviderSessions({ issuer, subject: before.subject });
  expect(await failureOf(begin(before))).toMatchObject(unauthenticated);
  await expect(begin({ ...before, atMs: 2_000 })).resolves.toBeDefined();
  await expect(begin(newSignIn())).resolves.toBeDefined();
});

test('no session outlives a concurrent sign-out', async () => {
  const { issuer } = identity.issuer;
  for (let round = 0; round < ROUNDS; round += 1) {
    const signIn = newSignIn();
    const choice = round % 2 === 0 ? { providerSession: signIn.sid } : { subject: signIn.subject };
    const [began] = await Promise.allSettled([begin(signIn), portal.EndProviderSessions({ issuer, ...choice })]);
    if (began.status === 'rejected') expect(began.reason).toMatchObject(unauthenticated);
    else expect(await failureOf(portal.CheckSession({ id: began.value }))).toMatchObject(unauthenticated);
  }
});
