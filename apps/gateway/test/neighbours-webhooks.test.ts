import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contract } from './contracts/webhooks.ts';
import { startWithProviders, withoutTrail, type ContractedSystem } from './support/providers.ts';

/** The gateway against a webhooks service that returns the minimum of its contract. */

let system: ContractedSystem;
beforeAll(async () => {
  system = await startWithProviders(withoutTrail(contract));
});
afterAll(() => system.stop());

const plain = { path: { webhookEndpointId: 'w1' } };
const failing = { path: { webhookEndpointId: 'w2', deliveryId: 'd1' } };
const url = 'https://hooks.example/in';

test('endpoints are read', async () => {
  const expected = { id: 'w1', description: null, eventTypes: null, status: 'ENABLED', failingSince: null };
  expect(await system.read('listWebhookEndpoints')).toMatchObject([expected]);
  expect(await system.read('getWebhookEndpoint', plain)).toMatchObject(expected);
  expect(await system.read('getWebhookEndpoint', failing)).toMatchObject({
    id: 'w2',
    position: { eventId: 'e1' },
    pendingDeliveries: 1,
    failingSince: expect.any(String),
  });
  expect(await system.statusOf('getWebhookEndpoint', { path: { webhookEndpointId: 'w3' } })).toBe(404);
});

test('endpoints are created, changed and deleted', async () => {
  const body = { url, description: 'Orders', eventTypes: ['TRANSACTION_STATUS_CHANGE'], ordered: true };
  expect(await system.read('createWebhookEndpoint', { body })).toMatchObject({
    ...body,
    id: 'w9',
    secret: 'whsec_eA==',
  });
  const change = { url, description: null, eventTypes: null, status: 'DISABLED' };
  expect(await system.read('updateWebhookEndpoint', { ...plain, body: change })).toMatchObject({
    status: 'DISABLED',
    disabledReason: 'MANUAL',
  });
  expect(await system.read('rotateWebhookSecret', { ...plain, body: {} })).toMatchObject({
    secret: 'whsec_eA==',
    secrets: [{ expiresAt: null }, { expiresAt: expect.any(String) }],
  });
  expect(await system.read('deleteWebhookEndpoint', plain)).toMatchObject({ id: 'w1' });
});

test('messages are tested, and retried', async () => {
  expect(await system.read('testWebhookEndpoint', plain)).toMatchObject({
    type: 'TEST',
    event: null,
    lastAttempt: null,
  });
  const body = { from: '2025-03-04T10:02:11.318Z' };
  expect(await system.read('replayWebhookEvents', { ...plain, body })).toMatchObject({ ...body, failedOnly: false });
  expect(await system.read('retryWebhookDelivery', failing)).toMatchObject({ id: 'd1', status: 'PENDING' });
});

test('deliveries are read', async () => {
  const expected = { id: 'd1', messageId: 'e1', event: { id: 'e1' }, lastAttempt: { statusCode: 503 } };
  const query = '$filter[status][eq]=PENDING&$filter[eventId][eq]=e1&$orderBy[createdAt]=asc&$limit=1';
  expect(await system.read('listWebhookDeliveries', { ...failing, query })).toMatchObject([expected]);
  expect(await system.read('getWebhookDelivery', failing)).toMatchObject({ ...expected, body: '{}', attempts: [{}] });
});
