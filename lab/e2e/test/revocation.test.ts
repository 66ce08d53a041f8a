import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, startProxy, testBrokerUrl, type Proxy } from '@saleschannel/testing';
import type { OperatorClients } from '@saleschannel/edge/administration';
import type { Actor, System } from '../src/system.ts';
import { useOwnSystem } from './support/system.ts';
import { withIdempotencyKey, operator, v1 } from './support/api.ts';

/**
 * Revocations take effect at every gateway replica, whether or not the broker delivers them. The gateways have their
 * own clock, so cache times do not depend on the speed of this machine.
 */

/** A revoked right may be used for at most this time. */
const BOUND_MS = 5_000;

let broker: Proxy;
beforeAll(async () => {
  broker = await startProxy(testBrokerUrl());
});
/** Undefined while time passes. */
let stopped: number | undefined;
const now = (): number => stopped ?? performance.now();
const stopTime = (): number => (stopped = now());

const running = useOwnSystem(() => ({ gateways: 2, now, brokerUrl: broker.url }));
let system: System;
let powers: OperatorClients;
beforeAll(async () => {
  system = running();
  powers = await system.openOperatorClients();
});
// After the system, because afterAll hooks run in order of registration.
afterAll(async () => {
  await broker.stop();
  powers.close();
});
beforeEach(() => {
  stopped = undefined;
});

/** Statuses that the replicas answer. */
type Ask = () => Promise<number[]>;
interface Revocation {
  /** A request with the right, which all replicas have just accepted. */
  readonly ask: Ask;
  readonly before: number;
  readonly after: number;
  revoke(): Promise<unknown>;
  restore?(): Promise<unknown>;
}

const askAll =
  (actor: Actor, send: (client: ReturnType<System['createClient']>) => Promise<{ status: number }>): Ask =>
  async () =>
    Promise.all(system.baseUrls.map(async (baseUrl) => (await send(system.createClient(actor, baseUrl))).status));
const read = (actor: Actor): Ask => askAll(actor, (client) => client.send('GET', `${v1}/traders`));
const change = (actor: Actor): Ask =>
  askAll(actor, (client) => {
    const body = { name: 'Kestrel', businessId: `DE-${randomBytes(6).toString('hex')}`, address: { city: 'Hamburg' } };
    return client.send('POST', `${v1}/traders`, { body, headers: withIdempotencyKey() });
  });

const channel = () => system.channels[0];
const newReader = () => system.newUser(channel(), ['TRADER_VIEWER']);

const revocations: Record<string, () => Promise<Revocation>> = {
  async 'a deleted API key'() {
    const user = await newReader();
    const path = `/authentication/api-keys/${user.apiKey.id}`;
    const revoke = () => system.createClient(user).ok('DELETE', path);
    return { ask: read(user), before: 200, after: 401, revoke };
  },
  async 'an API key revoked by an operator'() {
    const user = await newReader();
    const revoke = () => powers.identity.RevokeKey({ keyId: user.apiKey.id });
    return { ask: read(user), before: 200, after: 401, revoke };
  },
  async 'a disabled user with an access token'() {
    const user = await newReader();
    const { clientId, clientSecret, userId } = user;
    const bearer = await system.fetchAccessToken({ clientId, clientSecret });
    const revoke = () => powers.identity.DisableUser({ userId, reason: 'left' });
    return { ask: read({ bearer }), before: 200, after: 401, revoke };
  },
  async 'a removed role'() {
    const user = await newReader();
    const path = `/user-services/users/${user.userId}/saleschannel-binding/${channel().salesChannelId}/roles`;
    const revoke = () =>
      system.createClient(operator(channel())).ok('DELETE', path, { query: { role: 'TRADER_VIEWER' } });
    return { ask: read(user), before: 200, after: 403, revoke };
  },
  async 'a suspended sales channel'() {
    const user = await system.newUser(channel(), ['TRADER_ADMINISTRATOR']);
    const { salesChannelId } = channel();
    return {
      ask: change(user),
      before: 201,
      after: 403,
      revoke: () => powers.rbac.SuspendSalesChannel({ salesChannelId, reason: 'by order' }),
      restore: () => powers.rbac.ResumeSalesChannel({ salesChannelId }),
    };
  },
  async 'the registry key of a suspended account holder'() {
    const { accountHolderId } = await system.administration.ensureAccountHolder({
      name: 'Basalt Registry ehf',
      businessId: `IS-${randomBytes(6).toString('hex')}`,
      address: { postalCode: '101', city: 'Reykjavík', country: 'Iceland', street1: 'Laugavegur 1' },
    });
    await system.administration.setKind(accountHolderId, 'REGISTRY');
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const { id, secret } = await system.administration.issueRegistryKey({ accountHolderId, expiresAt });
    const ask = askAll({ username: id, password: secret }, (client) =>
      client.send('GET', '/Registry/api/account-holders'),
    );
    const revoke = () => powers.accountHolders.SuspendAccountHolder({ accountHolderId, reason: 'by order' });
    return { ask, before: 200, after: 401, revoke };
  },
};

const both = (status: number): number[] => system.baseUrls.map(() => status);

test('the broker informs every replica before its cache expires', async () => {
  for (const name of ['a deleted API key', 'a removed role']) {
    stopped = undefined;
    const { ask, before, after, revoke } = await (revocations[name] as () => Promise<Revocation>)();
    await eventually(async () => (await ask()).every((status) => status === before), 'the right');
    stopTime();
    await revoke();
    // Only the gateways' clock stands still. Their tokens may expire, which answers 503.
    const isOver = async (): Promise<boolean> => (await ask()).every((status) => status === after);
    await eventually(() => isOver().catch(() => false), `the end of ${name}`);
  }
});

test('a key created with a deleted one keeps working at every replica', async () => {
  const user = await newReader();
  const successor = await system
    .createClient(user)
    .ok<{ id: string; passphrase: string }>('POST', '/authentication/users/me/api-keys', {
      headers: withIdempotencyKey(),
    });
  const [asFirst, asSuccessor] = [read(user), read({ username: successor.id, password: successor.passphrase })];
  expect([await asFirst(), await asSuccessor()]).toEqual([both(200), both(200)]);
  await system.createClient(user).ok('DELETE', `/authentication/api-keys/${user.apiKey.id}`);
  await eventually(async () => (await asFirst()).every((status) => status === 401), 'the end of the first key');
  expect(await asSuccessor()).toEqual(both(200));
});

describe.each<[string, () => void]>([
  ['is disconnected', () => broker.cut()],
  ['accepts everything and does not answer', () => broker.freeze()],
])('while the broker %s', (_state, harm) => {
  afterAll(() => {
    broker.cut();
    broker.restore();
  });

  test.each(Object.entries(revocations))('every replica rejects %s in time', async (_name, make) => {
    const { ask, before, after, revoke, restore } = await make();
    // The replicas have received all earlier messages of the broker, and cache the answer of this moment.
    await eventually(async () => (await ask()).every((status) => status === before), 'the right');
    harm();
    // Tokens expire by this machine's clock. If they have, let time pass once more.
    const at = await eventually(async () => {
      stopped = undefined;
      const moment = stopTime();
      const answers = await ask().catch(() => []);
      return answers.length > 0 && answers.every((status) => status === before) && moment;
    }, 'the right, at a moment that lasts');
    try {
      await revoke();
      stopped = at + BOUND_MS;
      expect(await ask()).toEqual(both(after));
    } finally {
      await restore?.();
    }
  });
});
