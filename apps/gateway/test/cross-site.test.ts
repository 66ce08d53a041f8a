import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from './support/expectations.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ CORS_ORIGINS: 'https://app.example' });
});
afterAll(() => system.stop());

/** Sends a request like a browser with stored credentials. */
const send = (headers: Record<string, string>, operation = 'createApiKey') => system.call(operation, { headers });
const CROSS = { 'Sec-Fetch-Site': 'cross-site' };

describe('a write', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', CROSS],
    ['another site with a form', { ...CROSS, Origin: 'https://evil.example' }],
    ['a sandboxed frame', { ...CROSS, Origin: 'null' }],
    ['another host of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example' }],
    ['another origin in an old browser', { Origin: 'https://evil.example' }],
    ['no origin in an old browser', { Origin: 'null' }],
    ['an unknown value', { 'Sec-Fetch-Site': 'elsewhere' }],
  ])('from %s is rejected', async (_what, headers) => {
    const { detail } = expectProblem(await send(headers), 403, 'forbidden');
    expect(detail).toContain('another origin');
    for (const operation of ['grantRole', 'deleteApiKey', 'updateTrader', 'putFacility'])
      expectProblem(await send(headers, operation), 403, 'forbidden');
  });

  test.each<[string, Record<string, string>]>([
    ['a program', {}],
    ['an allowed origin', { ...CROSS, Origin: 'https://app.example' }],
    ['an allowed origin of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://app.example' }],
    ['our own page', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://127.0.0.1:8080' }],
    ['our own page in an old browser', { Origin: 'http://api.example', Host: 'api.example' }],
  ])('from %s is executed', async (_what, headers) => {
    expect((await send(headers)).status).toBe(201);
  });

  test('needs credentials first', async () => {
    expectProblem(await system.call('createApiKey', { as: undefined, headers: CROSS }), 401, 'unauthenticated');
  });
});

test('a read from any site is answered', async () => {
  expect((await send({ ...CROSS, Origin: 'https://evil.example' }, 'listOwnApiKeys')).status).toBe(200);
});

test('a 403 names the missing role or account holder', async () => {
  const { authorization: as } = system.user({ roles: [] });
  const callForDetail = async (operation: string) =>
    expectProblem(await system.call(operation, { as }), 403, 'forbidden')['detail'];
  expect(await callForDetail('listTraders')).toMatch(/role on a sales channel/);
  expect(await callForDetail('listRegistryKeys')).toMatch(/account holder/);
  expect(await callForDetail('createRegistryKey')).not.toMatch(/role/);
});
