import { afterEach, describe, expect, test } from '@jest/globals';
import { findFreePort } from '@saleschannel/local-backends';
import { catchFailure, startTestService } from '@saleschannel/testing';
import { service } from '../src/app.ts';
import { newAgent, sendRaw } from './support/http.ts';
import { expectProblem } from './support/expectations.ts';
import { operations } from './support/public-contract.ts';
import { startSystem, type System } from './support/system.ts';

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
