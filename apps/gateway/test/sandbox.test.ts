import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from './support/system.ts';

/** An installation that is not a sandbox. */

let system: System;

beforeAll(async () => {
  system = await startSystem({ SANDBOX: 'false' });
});
afterAll(() => system.stop());

test.each(['triggerSandboxEvent', 'resetSandbox'])('%s is not found, without a call', async (operation) => {
  const calls: unknown[] = [];
  system.rpcs.sandbox = { Trigger: (request) => calls.push(request), Reset: (request) => calls.push(request) };
  const answer = await system.call(operation);
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.text)).toMatchObject({ type: '/problems/not-found' });
  expect(answer.headers['sandbox']).toBeUndefined();
  expect(calls).toEqual([]);
});

test('a missing role is reported first, as for all operations', async () => {
  const { authorization: as } = system.user({ roles: ['ASSET_VIEWER'] });
  expect(await system.call('triggerSandboxEvent', { as })).toMatchObject({ status: 403 });
  expect(await system.call('resetSandbox', { as })).toMatchObject({ status: 403 });
});

test('responses have no Sandbox header', async () => {
  for (const operation of ['getHealth', 'listTraders', 'getStatementKeys'])
    expect((await system.call(operation)).headers['sandbox']).toBeUndefined();
});
