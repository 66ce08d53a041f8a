import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operations, resolve } from './support/public-contract.ts';
import { webhookEndpoint } from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const requestWith = (key: string) => ({
  headers: { 'Idempotency-Key': key },
  body: { url: 'https://hooks.example/in' },
});

test('the service gets the key, and marks repeated responses', async () => {
  const keys: (string | undefined)[] = [];
  system.rpcs.webhooks['CreateEndpoint'] = (_request, call) => {
    if (keys.includes(call.idempotencyKey)) call.markReplayed();
    keys.push(call.idempotencyKey);
    return { endpoint: webhookEndpoint, secret: 'whsec_eA==' };
  };
  const first = await system.call('createWebhookEndpoint', requestWith('key-1'));
  const second = await system.call('createWebhookEndpoint', requestWith('key-1'));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
  expect(keys).toEqual(['key-1', 'key-1']);
});

test.each(['', 'two words', 'x'.repeat(65), 'ø'])('the key %j is rejected before any call', async (key) => {
  const answer = await system.call('createWebhookEndpoint', requestWith(key));
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ parameter: 'Idempotency-Key' }] });
});

const posts = operations.filter(({ method }) => method === 'POST');
/** Without effects, so a repeat is executed again. */
const withoutEffect: readonly string[] = ['planTransfer'];
/** Batched: their keys are in the transfers of the call. */
const gathered: readonly string[] = ['startTrade', 'startRetirement', 'startOfframp'];

describe.each(posts)('$id', ({ id, parameters, raw }) => {
  test('accepts an Idempotency-Key, and marks repeated responses', () => {
    const key = parameters.find(({ name }) => name === 'Idempotency-Key');
    expect(key).toMatchObject({ in: 'header', schema: { pattern: String.raw`^[\w-]{1,64}$` } });
    const successes = Object.entries(raw.responses).filter(([status]) => status.startsWith('2'));
    for (const [, success] of successes) {
      const names = Object.keys(resolve(success).headers ?? {});
      expect(names.includes('Idempotency-Replayed')).toBe(!withoutEffect.includes(id));
    }
  });

  test('passes on the key, and returns the mark', async () => {
    if (gathered.includes(id) || withoutEffect.includes(id)) return;
    const keys = new Set<string | undefined>();
    const usual = Object.entries(system.rpcs).map(([service, table]) => [service, { ...table }] as const);
    for (const [service, table] of usual) {
      for (const [name, rpc] of Object.entries(table)) {
        if (name === 'Authenticate') continue;
        system.rpcs[service as keyof System['rpcs']][name] = (request, call) => {
          keys.add(call.idempotencyKey);
          call.markReplayed();
          return rpc(request, call);
        };
      }
    }
    const answer = await system.call(id, { headers: { 'Idempotency-Key': `key-of-${id}` } });
    for (const [service, table] of usual) Object.assign(system.rpcs[service as keyof System['rpcs']], table);
    expect([...keys]).toEqual([`key-of-${id}`]);
    expect(answer.headers['idempotency-replayed']).toBe('true');
  });

  test('rejects an invalid key', async () => {
    const answer = await system.call(id, { headers: { 'Idempotency-Key': 'two words' } });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ parameter: 'Idempotency-Key' }] });
  });
});
