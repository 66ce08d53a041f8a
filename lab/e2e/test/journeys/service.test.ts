import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { contractFile, document, operations } from '../../src/contract.ts';
import { operator, v1 } from '../support/api.ts';
import { journeyOperations, testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';

/** The service itself, without authentication. */

const system = useSystem();

test('health, readiness, contract and documentation', async () => {
  const client = system().createClient('nobody');
  expect(await client.ok('GET', '/healthz')).toEqual({ status: 'ok' });
  expect(await client.ok('GET', '/readyz')).toEqual({ status: 'ready' });
  // The gateway moves example dates into the future.
  const withoutDates = (text: string): string => text.replaceAll(/20\d\d-\d\d-01T00:00:00\.000Z/g, 'date');
  const served = (await client.send('GET', '/openapi.yaml')).text;
  expect(withoutDates(served)).toBe(withoutDates(readFileSync(contractFile, 'utf8')));
  expect(JSON.parse(withoutDates((await client.send('GET', '/openapi.json')).text))).toEqual(
    JSON.parse(withoutDates(JSON.stringify(document))),
  );
  expect((await client.send('GET', '/docs')).text).toContain('<html');
  expect(await client.send('HEAD', '/healthz')).toMatchObject({ status: 200, text: '' });
});

test('HEAD equals GET without the body', async () => {
  const user = operator(system().channels[0]);
  for (const actor of [user, 'nobody' as const]) {
    for (const path of [
      `${v1}/traders`,
      `${v1}/transactions`,
      `${v1}/traders/nobody`,
      `${v1}/traders/nobody/inventory`,
    ]) {
      const [head, get] = [
        await system().createClient(actor).send('HEAD', path),
        await system().createClient(actor).send('GET', path),
      ];
      const comparable = ({ status, headers }: typeof head) => ({
        status,
        type: headers['content-type'],
        challenge: headers['www-authenticate'],
      });
      expect({ ...comparable(head), text: head.text }).toEqual({ ...comparable(get), text: '' });
    }
  }
});

test('a valid request id is used, and an invalid one replaced', async () => {
  const client = system().createClient('nobody');
  const answer = async (id: string) =>
    (await client.send('GET', '/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id'];
  expect(await answer('order-17.a_b')).toBe('order-17.a_b');
  for (const id of ['', 'a b', 'x'.repeat(129), 'a"b', '<script>']) expect(await answer(id)).toMatch(/^[\w.-]{10,64}$/);
});

testCoverage('service');

test('the journeys cover every operation of the contract', () => {
  const carried: readonly string[] = Object.values(journeyOperations).flat();
  expect(carried.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});
