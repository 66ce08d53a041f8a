import { afterAll, beforeAll, test } from '@jest/globals';
import { Broker } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import { eventually, testBrokerUrl, testNamespace } from '@saleschannel/testing';
import { countAuthenticateCalls, startSystem, type System } from './support/system.ts';

const namespace = testNamespace();
let system: System;
let broker: Broker;
let publish: (type: string, entry: object) => void = () => undefined;

beforeAll(async () => {
  // The clock stands still, so no session expires.
  system = await startSystem({}, { namespace, now: () => 0 });
  broker = new Broker({ url: testBrokerUrl(), namespace, service: 'test', logger: silentLogger });
  broker.use(async (channel) => {
    publish = (type, entry) =>
      void channel.publish(`${namespace}.events`, type, Buffer.from(JSON.stringify({ entries: [entry] })), { type });
  });
  await broker.start();
});
afterAll(async () => {
  await broker.stop();
  await system.stop();
});

/** Broadcasts until the gateway calls identity again. More than once, since it may not listen to the broker yet. */
async function forget(authorization: string, type: string, entry: object): Promise<void> {
  const calls = countAuthenticateCalls(system);
  await eventually(async () => {
    await system.call('getOwnBinding', { as: authorization });
    publish(type, entry);
    return calls() > 1;
  }, 'a dropped session');
}

test('a change of rights drops the sessions of a user', async () => {
  const { authorization, userId } = system.user();
  await forget(authorization, 'rbac.binding.changed.v1', { userId });
});

test('the deletion of a key drops its session', async () => {
  system.credentials.basic.set('key1:secret', {
    surface: 'SALES_CHANNEL',
    principal: { kind: 'user', userId: 'u1', salesChannelId: 'c1', roles: [], accountHolderId: undefined },
  });
  const basic = `Basic ${Buffer.from('key1:secret').toString('base64')}`;
  await forget(basic, 'identity.key.deleted.v1', { keyId: 'key1' });
});
