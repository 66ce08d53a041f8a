import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectProblem } from './support/http.ts';
import * as samples from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

const ENDPOINTS = '/saleschannel-services/v1/webhook-endpoints';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const send = (method: string, path: string, body: unknown) =>
  system.raw({
    method,
    path: `${ENDPOINTS}${path}`,
    headers: { authorization: system.user().authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends a request and returns the request to the service. */
async function captureRequest(rpc: string, act: () => Promise<{ status: number }>): Promise<unknown> {
  const before = system.rpcs.webhooks[rpc];
  const { promise, resolve } = Promise.withResolvers<unknown>();
  system.rpcs.webhooks[rpc] = (request, call) => {
    resolve(request);
    return before?.(request, call);
  };
  try {
    expect((await act()).status).toBeLessThan(300);
    const members = Object.entries((await promise) as object);
    // The decoder adds a second member for each present optional one.
    return Object.fromEntries(members.filter(([name]) => !name.startsWith('_')));
  } finally {
    if (before) system.rpcs.webhooks[rpc] = before;
  }
}

test('an endpoint has all its values', async () => {
  const answer = await system.call('getWebhookEndpoint');
  expect(JSON.parse(answer.text)).toEqual({
    ...samples.webhookEndpoint,
    secrets: [
      { createdAt: samples.at, expiresAt: null },
      { createdAt: samples.at, expiresAt: samples.at },
    ],
  });
});

test('missing values of an endpoint are null, and no types mean all types', async () => {
  const { id, url, ordered, createdAt, createdBy } = samples.webhookEndpoint;
  const known = { id, url, ordered, createdAt, createdBy, status: 'ENABLED', pendingDeliveries: 0 };
  const get = system.rpcs.webhooks['GetEndpoint'];
  system.rpcs.webhooks['GetEndpoint'] = () => ({ ...known, eventTypes: [], secrets: [] });
  const answer = await system.call('getWebhookEndpoint');
  if (get) system.rpcs.webhooks['GetEndpoint'] = get;
  expect(JSON.parse(answer.text)).toEqual({
    ...known,
    description: null,
    eventTypes: null,
    secrets: [],
    disabledReason: null,
    position: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    failingSince: null,
    replay: null,
  });
});

test('a test message has no event and no attempts', async () => {
  const answer = await system.call('testWebhookEndpoint');
  expect(answer.status).toBe(201);
  const nothing = { event: null, nextAttemptAt: null, lastAttempt: null };
  expect(JSON.parse(answer.text)).toEqual({ ...samples.webhookTest, ...nothing });
});

test('an endpoint is created with all types and no order by default', async () => {
  const url = 'https://hooks.example/in';
  const plain = { url, eventTypes: [], ordered: false };
  const nulls = { url, description: null, eventTypes: null, ordered: null };
  expect(await captureRequest('CreateEndpoint', () => send('POST', '', { url }))).toEqual(plain);
  expect(await captureRequest('CreateEndpoint', () => send('POST', '', nulls))).toEqual(plain);
  const whole = { url, description: 'Orders', eventTypes: ['TRANSACTION_STATUS_CHANGE'], ordered: true };
  expect(await captureRequest('CreateEndpoint', () => send('POST', '', whole))).toEqual(whole);
});

test('an update has the changed and removed members', async () => {
  const change = (body: unknown) => captureRequest('UpdateEndpoint', () => send('PATCH', '/w1', body));
  expect(await change({ status: 'ENABLED' })).toEqual({ endpointId: 'w1', status: 'ENABLED' });
  expect(await change({ ordered: false, description: null, eventTypes: null })).toEqual({
    endpointId: 'w1',
    ordered: false,
    description: '',
    eventTypes: { types: [] },
  });
});

test('two secrets overlap for a day by default', async () => {
  const rotate = (body: unknown) => captureRequest('RotateSecret', () => send('POST', '/w1/secret', body));
  expect(await rotate({})).toEqual({ endpointId: 'w1', overlapHours: 24 });
  expect(await rotate({ overlapHours: null })).toEqual({ endpointId: 'w1', overlapHours: 24 });
  expect(await rotate({ overlapHours: 0 })).toEqual({ endpointId: 'w1', overlapHours: 0 });
});

test('deliveries are listed by status, event and time, in pages', async () => {
  const authorization = system.user().authorization;
  const query = '$filter[status][eq]=FAILED&$filter[eventId][eq]=e1&$filter[createdAt][lt]=2025-03-04T00:00:00Z';
  const page = '$orderBy[createdAt]=asc&$limit=7';
  const path = `${ENDPOINTS}/w1/deliveries?${query}&${page}`;
  let link: unknown;
  const request = await captureRequest('ListDeliveries', async () => {
    const answer = await system.raw({ method: 'GET', path, headers: { authorization } });
    link = answer.headers['link'];
    return answer;
  });
  expect(request).toMatchObject({
    endpointId: 'w1',
    filter: { status: 'FAILED', eventId: 'e1', createdAt: { lt: '2025-03-04T00:00:00Z' } },
    ascending: true,
    page: { limit: 7, offset: '0' },
  });
  expect(link).toEqual(expect.stringContaining('%24after=n1'));
});

test.each([
  ['POST', '', { url: 'https://a.example', secret: 'mine' }, '#/secret'],
  ['POST', '', { url: 'https://a.example', eventTypes: ['ANYTHING'] }, '#/eventTypes/0'],
  ['POST', '', { url: 'https://a.example', eventTypes: [] }, '#/eventTypes'],
  ['POST', '', {}, '#/url'],
  ['PATCH', '/w1', {}, '#'],
  ['PATCH', '/w1', { url: null }, '#/url'],
  ['PATCH', '/w1', { status: 'GONE' }, '#/status'],
  ['POST', '/w1/secret', { overlapHours: 73 }, '#/overlapHours'],
  ['POST', '/w1/replay', { from: 'yesterday' }, '#/from'],
])('%s %s %j is invalid at %s', async (method, path, body, pointer) => {
  const problem = expectProblem(await send(method, path, body), 400, 'invalid-request');
  expect(problem.errors).toContainEqual(expect.objectContaining({ pointer }));
});
