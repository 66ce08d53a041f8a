import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { webhookEndpoint } from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const asked = (key: string) => ({
  headers: { 'Idempotency-Key': key },
  body: { url: 'https://hooks.example/in' },
});

test('the key reaches the service, and its reply says whether it repeats an answer', async () => {
  const keys: (string | undefined)[] = [];
  system.rpcs.webhooks['CreateEndpoint'] = (_request, call) => {
    if (keys.includes(call.idempotencyKey)) call.markReplayed();
    keys.push(call.idempotencyKey);
    return { endpoint: webhookEndpoint, secret: 'whsec_eA==' };
  };
  const first = await system.call('createWebhookEndpoint', asked('key-1'));
  const second = await system.call('createWebhookEndpoint', asked('key-1'));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
  expect(keys).toEqual(['key-1', 'key-1']);
});

test.each(['', 'two words', 'x'.repeat(65), 'ø'])('the key %j is refused before any service is asked', async (key) => {
  const answer = await system.call('createWebhookEndpoint', asked(key));
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ parameter: 'Idempotency-Key' }] });
});
