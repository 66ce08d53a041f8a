import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { contractFile, document } from '../../src/contract.ts';
import type { System } from '../../src/system.ts';

/** The service itself, without authentication. */
export function serviceJourneys(system: () => System): void {
  test('health, readiness, contract and documentation', async () => {
    const client = system().as('nobody');
    expect(await client.ok('GET', '/healthz')).toEqual({ status: 'ok' });
    expect(await client.ok('GET', '/readyz')).toEqual({ status: 'ready' });
    expect((await client.send('GET', '/openapi.yaml')).text).toBe(readFileSync(contractFile, 'utf8'));
    expect(await client.ok('GET', '/openapi.json')).toEqual(document);
    expect((await client.send('GET', '/docs')).text).toContain('<html');
    expect(await client.send('HEAD', '/healthz')).toMatchObject({ status: 200, text: '' });
  });

  test('a request id is taken over when it is well formed, and made otherwise', async () => {
    const client = system().as('nobody');
    const answer = async (id: string) =>
      (await client.send('GET', '/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await answer('order-17.a_b')).toBe('order-17.a_b');
    for (const id of ['', 'a b', 'x'.repeat(129), 'a"b', '<script>']) expect(await answer(id)).toMatch(/^[\w.-]{10,64}$/);
  });
}
