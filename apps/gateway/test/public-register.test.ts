import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from './support/expectations.ts';
import { startSystem, type System } from './support/system.ts';

/** Public operations, limited by network address. */

let system: System;
const nowMs = 1_000;
beforeAll(async () => {
  system = await startSystem(
    {
      PUBLIC_RATE_LIMIT_PER_SECOND: '1',
      PUBLIC_RATE_LIMIT_BURST: '2',
      RATE_LIMIT_ANSWER_DELAY_MS: '0',
      BEHIND_PROXY: 'yes',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    { now: () => nowMs },
  );
});
afterAll(() => system.stop());

const from = (address: string) => ({ as: undefined, headers: { 'X-Forwarded-For': address } });

describe('the public register', () => {
  test('answers without credentials, and states the limit', async () => {
    const answer = await system.call('getStatement', from('192.0.2.1'));
    expect(answer.status).toBe(200);
    expect(answer.headers['ratelimit-policy']).toBe('"address";q=2;w=2');
    expect(answer.headers['ratelimit']).toBe('"address";r=1;t=1');
  });

  test('limits each address over all operations', async () => {
    for (const operation of ['getStatementKeys', 'getCertificateStatus'])
      expect((await system.call(operation, from('192.0.2.2'))).status).toBe(200);
    const refused = await system.call('listStatements', from('192.0.2.2'));
    expectProblem(refused, 429, 'rate-limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect((await system.call('listStatements', from('192.0.2.3'))).status).toBe(200);
  });

  test('counts all addresses of an IPv6 network as one', async () => {
    const statuses: number[] = [];
    for (const host of ['1', '2', '3'])
      statuses.push((await system.call('getStatement', from(`2001:db8:1:2::${host}`))).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('does not limit health checks', async () => {
    for (const _time of [1, 2, 3, 4])
      expect((await system.call('getHealth', from('192.0.2.9'))).headers).not.toHaveProperty('ratelimit');
  });

  test('ignores credentials', async () => {
    const { headers } = from('192.0.2.4');
    expect((await system.call('getStatement', { as: 'Bearer wrong', headers })).status).toBe(200);
  });

  test('links to the next page', async () => {
    const answer = await system.call('listStatements', from('192.0.2.5'));
    expect(answer.headers.link).toMatch(/^<\/public\/v1\/statements\?.*%24after=n1>; rel="next"$/);
  });
});
