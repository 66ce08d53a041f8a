import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, startProxy, testBrokerUrl, type Proxy } from '@saleschannel/testing';
import type { Powers } from '@saleschannel/edge/administration';
import type { Actor, System } from '../src/system.ts';
import { useOwnSystem } from './support/system.ts';
import { keyed, operator, v1 } from './support/world.ts';

/**
 * What is taken away counts at every replica of the gateway, whether or not the broker tells them. Time is the
 * gateways' own: how long they remember somebody does not depend on how fast this machine is.
 */

/** No right may be used for longer than this after it was taken away. */
const BOUND_MS = 5_000;

let broker: Proxy;
beforeAll(async () => {
  broker = await startProxy(testBrokerUrl());
});
/** Undefined: time goes on. */
let stopped: number | undefined;
const now = (): number => stopped ?? performance.now();
const stopTime = (): number => (stopped = now());

const running = useOwnSystem(() => ({ gateways: 2, now, brokerUrl: broker.url }));
let system: System;
let powers: Powers;
beforeAll(async () => {
  system = running();
  powers = await system.powers();
});
// After the system: hooks of the end run in the order in which they were given.
afterAll(async () => {
  await broker.stop();
  powers.close();
});
beforeEach(() => {
  stopped = undefined;
});

/** What each replica answers. */
type Ask = () => Promise<number[]>;
interface Revocation {
  /** Somebody with the right, whom all replicas have just let in. */
  readonly ask: Ask;
  readonly before: number;
  readonly after: number;
  revoke(): Promise<unknown>;
  restore?(): Promise<unknown>;
}

const askAll =
  (actor: Actor, send: (client: ReturnType<System['as']>) => Promise<{ status: number }>): Ask =>
  async () =>
    Promise.all(system.baseUrls.map(async (baseUrl) => (await send(system.as(actor, baseUrl))).status));
const read = (actor: Actor): Ask => askAll(actor, (client) => client.send('GET', `${v1}/traders`));
const change = (actor: Actor): Ask =>
  askAll(actor, (client) => {
    const body = { name: 'Kestrel', businessId: `DE-${randomBytes(6).toString('hex')}`, address: { city: 'Hamburg' } };
    return client.send('POST', `${v1}/traders`, { body, headers: keyed() });
  });

const channel = () => system.channels[0];
const newReader = () => system.newUser(channel(), ['TRADER_VIEWER']);

const revocations: Record<string, () => Promise<Revocation>> = {
  async 'an API key that is deleted'() {
    const user = await newReader();
    const path = `/authentication/api-keys/${user.apiKey.id}`;
    const revoke = () => system.as(user).ok('DELETE', path);
    return { ask: read(user), before: 200, after: 401, revoke };
  },
  async 'an API key that an operator revokes'() {
    const user = await newReader();
    const revoke = () => powers.identity.RevokeKey({ keyId: user.apiKey.id });
    return { ask: read(user), before: 200, after: 401, revoke };
  },
  async 'a user who is disabled, with an access token'() {
    const user = await newReader();
    const { clientId, clientSecret, userId } = user;
    const bearer = await system.accessTokenOf({ clientId, clientSecret });
    const revoke = () => powers.identity.DisableUser({ userId, reason: 'left' });
    return { ask: read({ bearer }), before: 200, after: 401, revoke };
  },
  async 'a role that is removed'() {
    const user = await newReader();
    const path = `/user-services/users/${user.userId}/saleschannel-binding/${channel().salesChannelId}/roles`;
    const revoke = () => system.as(operator(channel())).ok('DELETE', path, { query: { role: 'TRADER_VIEWER' } });
    return { ask: read(user), before: 200, after: 403, revoke };
  },
  async 'a sales channel that is suspended'() {
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
  async 'the registry key of an account holder that is suspended'() {
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

test('the broker tells every replica, before what it remembers has ended', async () => {
  for (const name of ['an API key that is deleted', 'a role that is removed']) {
    stopped = undefined;
    const { ask, before, after, revoke } = await (revocations[name] as () => Promise<Revocation>)();
    await eventually(async () => (await ask()).every((status) => status === before), 'the right');
    stopTime();
    await revoke();
    // What stands still is the gateways' time alone: their tokens may end, which answers 503.
    const isOver = async (): Promise<boolean> => (await ask()).every((status) => status === after);
    await eventually(() => isOver().catch(() => false), `the end of ${name}`);
  }
});

test('a key made with a deleted one goes on at every replica', async () => {
  const user = await newReader();
  const successor = await system
    .as(user)
    .ok<{ id: string; passphrase: string }>('POST', '/authentication/users/me/api-keys', { headers: keyed() });
  const [asFirst, asSuccessor] = [read(user), read({ username: successor.id, password: successor.passphrase })];
  expect([await asFirst(), await asSuccessor()]).toEqual([both(200), both(200)]);
  await system.as(user).ok('DELETE', `/authentication/api-keys/${user.apiKey.id}`);
  await eventually(async () => (await asFirst()).every((status) => status === 401), 'the end of the first key');
  expect(await asSuccessor()).toEqual(both(200));
});

describe.each<[string, () => void]>([
  ['is away', () => broker.cut()],
  ['takes everything and says nothing', () => broker.freeze()],
])('while the broker %s', (_state, harm) => {
  afterAll(() => {
    broker.cut();
    broker.restore();
  });

  test.each(Object.entries(revocations))('%s is refused by every replica in time', async (_name, make) => {
    const { ask, before, after, revoke, restore } = await make();
    // The replicas know the broker's word on what was done so far, and remember the answer of this moment.
    await eventually(async () => (await ask()).every((status) => status === before), 'the right');
    harm();
    // The tokens end by the clock of this machine. Where it stood still over that, time goes on once more.
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
