import { afterAll, beforeAll, test } from '@jest/globals';
import { Broker } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import { eventually, testBrokerUrl, testNamespace } from '@saleschannel/testing';
import { SESSION_LIFETIME_MS } from '../src/authentication/authenticator.ts';
import { startSystem, type System } from './support/system.ts';

const namespace = testNamespace();
let system: System;
let broker: Broker;
let publish: (type: string, entry: object) => void = () => undefined;

beforeAll(async () => {
  system = await startSystem({}, { namespace });
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

/** Broadcasts until the gateway asks identity again, and answers how long that took: much less than a session lives. */
async function untilForgotten(authorization: string, type: string, entry: object): Promise<number> {
  let asked = 0;
  const authenticate = system.rpcs.identity['Authenticate'];
  system.rpcs.identity['Authenticate'] = (request, call) => {
    asked += 1;
    return authenticate?.(request, call);
  };
  const started = performance.now();
  await eventually(async () => {
    await system.call('getOwnBinding', { as: authorization });
    publish(type, entry);
    return asked > 1;
  }, 'a session that is forgotten');
  if (authenticate) system.rpcs.identity['Authenticate'] = authenticate;
  return performance.now() - started;
}

test('a change of rights and a deleted key end what is remembered of them at once', async () => {
  const { authorization, userId } = system.user();
  // Sooner than a session ends by itself; more than one try for the connection to the broker and for a busy machine.
  const soon = async (credential: string, type: string, entry: object) =>
    (await untilForgotten(credential, type, entry)) < SESSION_LIFETIME_MS;
  await eventually(() => soon(authorization, 'rbac.binding.changed.v1', { userId }), 'a user who is forgotten');
  system.credentials.basic.set('key1:secret', {
    surface: 'SALES_CHANNEL',
    principal: { kind: 'user', userId, salesChannelId: 'c1', roles: [], accountHolderId: undefined },
  });
  const basic = `Basic ${Buffer.from('key1:secret').toString('base64')}`;
  await eventually(() => soon(basic, 'identity.key.deleted.v1', { keyId: 'key1' }), 'a key that is forgotten');
});
