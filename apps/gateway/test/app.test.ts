import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '@saleschannel/local-backends';
import {
  catchFailure,
  startTestService,
  startNeighbours,
  eventually,
  testBrokerUrl,
  testNamespace,
} from '@saleschannel/testing';
import { Broker } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import { service } from '../src/app.ts';
import { newAgent, sendRaw, expectProblem } from './support/http.ts';
import { operations } from './support/public-contract.ts';
import { startSystem, type System, countAuthenticateCalls } from './support/system.ts';
import { createFake, fakes } from './support/fakes.ts';

let system: System | undefined;
afterEach(async () => {
  await system?.stop();
  system = undefined;
});

describe('the registry API', () => {
  const of = (principal: string) => operations.filter(({ access }) => access['principal'] === principal);
  const toPath = ({ path }: { path: string }) => path.replaceAll(/\{\w+\}/g, 'x');

  test('shares the port of the other APIs by default', async () => {
    system = await startSystem();
    for (const operation of of('registry')) {
      const answer = await system.raw({ method: operation.method, path: toPath(operation) });
      expectProblem(answer, 401, 'unauthenticated');
    }
  });

  test('is the only API of its own port', async () => {
    const port = await findFreePort();
    const started = (system = await startSystem({ REGISTRY_PORT: String(port) }));
    const agent = newAgent();
    const there = (request: Parameters<System['raw']>[0]) => sendRaw(`127.0.0.1:${port}`, agent, request);
    for (const operation of of('registry')) {
      const request = { method: operation.method, path: toPath(operation) };
      expectProblem(await started.raw(request), 404, 'route-not-found');
      expectProblem(await there(request), 401, 'unauthenticated');
    }
    for (const operation of [...of('user'), ...of('public')]) {
      const request = { method: operation.method, path: toPath(operation) };
      expectProblem(await there(request), 404, 'route-not-found');
      expect((await started.raw(request)).status).toBe(operation.access['principal'] === 'user' ? 401 : 200);
    }
    const headers = { Authorization: started.registryKey().authorization };
    expect((await there({ path: '/Registry/api/account-holders', headers })).status).toBe(200);
    expect((await there({ path: '/problems/not-found' })).status).toBe(200);
    agent.destroy();
  });
});

describe('proxies', () => {
  const failure = async (variables: Record<string, string>) => {
    const names = [
      'IDENTITY',
      'RBAC',
      'TRADERS',
      'INVENTORY',
      'TASKS',
      'EVENTS',
      'WEBHOOKS',
      'SANDBOX',
      'REGISTRY_IMPORT',
    ];
    const addresses = Object.fromEntries(names.map((name) => [`${name}_ADDRESS`, '127.0.0.1:1']));
    const options = {
      databaseUrl: 'postgresql://unused',
      variables: { ...addresses, GATEWAY_PORT: '0', ...variables },
    };
    return (await catchFailure(startTestService(service, options))).message;
  };

  test('must be named if there are any, or the gateway does not start', async () => {
    expect(await failure({ BEHIND_PROXY: 'yes' })).toMatch(/BEHIND_PROXY is yes: TRUSTED_PROXIES must name/);
    system = await startSystem({ BEHIND_PROXY: 'yes', TRUSTED_PROXIES: '192.0.2.1' });
    expect((await system.call('getHealth')).status).toBe(200);
  });

  test.each(['0.0.0.0/0', '10.0.0.1, ::/0'])('must not be all addresses: %s', async (names) => {
    expect(await failure({ TRUSTED_PROXIES: names })).toMatch(/includes every client/);
  });

  test('must be addresses', async () => {
    expect(await failure({ TRUSTED_PROXIES: 'proxy.example' })).toMatch(/TRUSTED_PROXIES must be addresses/);
  });
});

test('the served contract states a lower limit of selections', async () => {
  const started = (system = await startSystem({ SELECTIONS_AT_MOST: '2' }));
  const asset = { start: 'a_1', end: 'a_2' };
  const body = { assets: [asset, asset, asset] };
  // The response is checked against the contract file.
  const { errors } = expectProblem(await started.call('startOfframp', { body }), 400, 'invalid-request');
  expect(errors).toEqual([{ pointer: '#/assets', code: 'maxItems', detail: 'must have at most 2 items' }]);
  const { text: yaml } = await started.raw({ path: '/openapi.yaml' });
  const { text: json } = await started.raw({ path: '/openapi.json' });
  expect(yaml).toContain('maxItems: 2\n');
  expect(json).toContain('"maxItems":2,');
  for (const text of [yaml, json]) {
    expect(text).toContain('1 to 2 selections');
    expect(text).not.toMatch(/maxItems"?: ?1000/);
  }
});

describe('readiness', () => {
  let system: System;
  let tasks: Awaited<ReturnType<typeof startNeighbours>>;
  let nowMs = 0;
  beforeAll(async () => {
    tasks = await startNeighbours(createFake('tasks', fakes.tasks));
    system = await startSystem({ TASKS_ADDRESS: tasks.address }, { now: () => nowMs });
  });
  afterAll(() => system.stop());

  test('ends with the second missed probe of a service', async () => {
    const look = async (): Promise<number> => {
      nowMs += 1_000;
      return (await system.call('getReadiness')).status;
    };
    expect(await look()).toBe(200);
    await tasks.stop();
    // A probe during a stall of this process does not count.
    const seen = [await look()];
    while (seen.at(-1) === 200 && seen.length < 10) seen.push(await look());
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(503);
  });
});

describe('broadcasts', () => {
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
});
