import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from './support/promised.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ CORS_ORIGINS: 'https://app.example' });
});
afterAll(() => system.stop());

/** What a browser sends with the credentials that it remembers. */
const send = (headers: Record<string, string>, operation = 'createApiKey') => system.call(operation, { headers });
const CROSS = { 'Sec-Fetch-Site': 'cross-site' };

describe('a request that changes something', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', CROSS],
    ['another site with a form', { ...CROSS, Origin: 'https://evil.example' }],
    ['a sandboxed frame', { ...CROSS, Origin: 'null' }],
    ['another host of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example' }],
    ['another origin in an old browser', { Origin: 'https://evil.example' }],
    ['no origin in an old browser', { Origin: 'null' }],
    ['a value that nobody knows', { 'Sec-Fetch-Site': 'elsewhere' }],
  ])('from %s is refused', async (_what, headers) => {
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
  ])('from %s is carried out', async (_what, headers) => {
    expect((await send(headers)).status).toBe(201);
  });

  test('is asked for its credentials first', async () => {
    expectProblem(await system.call('createApiKey', { as: undefined, headers: CROSS }), 401, 'unauthenticated');
  });
});

test('a request that only reads is answered, whoever asks', async () => {
  expect((await send({ ...CROSS, Origin: 'https://evil.example' }, 'listOwnApiKeys')).status).toBe(200);
});

test('a 403 says what is missing: a role on a channel, or an account holder', async () => {
  const { authorization: as } = system.user({ roles: [] });
  const detailOf = async (operation: string) =>
    expectProblem(await system.call(operation, { as }), 403, 'forbidden')['detail'];
  expect(await detailOf('listTraders')).toMatch(/role on a sales channel/);
  expect(await detailOf('listRegistryKeys')).toMatch(/account holder/);
  expect(await detailOf('createRegistryKey')).not.toMatch(/role/);
});
