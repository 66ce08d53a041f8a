import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { createLogger, registerTracing } from '@saleschannel/runtime';
import { SECURITY_ENTRIES_AT_MOST, SECURITY_WINDOW_MS, SecurityLog } from '@saleschannel/edge';
import { eventually } from '@saleschannel/testing';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { SpanStatusCode } from '@opentelemetry/api';
import { talk } from './support/http.ts';
import { startSystem, type System } from './support/system.ts';

type Line = Record<string, unknown>;
let lines: Line[] = [];
let nowMs = 0;
let system: System | undefined;
afterEach(async () => {
  await system?.stop();
  system = undefined;
  lines = [];
});

/** A logger with a high level, which must not silence the security log. */
const securityLogger = createLogger('gateway', 'fatal', {
  write: (text: string) => lines.push(JSON.parse(text) as Line),
});

async function start(variables: Record<string, string> = {}): Promise<System> {
  system = await startSystem(variables, { now: () => nowMs, securityLogger });
  return system;
}

const toBasic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

test('each refusal is a line with its event, location and principal, without secrets', async () => {
  const { call, user, raw, address } = await start({ RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_SECOND: '1' });
  const { authorization, userId } = user({ roles: [] });
  const headers = { 'X-Request-Id': 'r1' };
  await call('getOwnBinding', { as: toBasic('key-1', 'hidden-1'), headers });
  await call('getOwnBinding', { as: undefined, headers });
  await call('listTraders', { as: authorization, headers });
  await call('createApiKey', { as: authorization, headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' } });
  await call('getOwnBinding', { as: authorization, headers });
  await call('startTrade', { body: ' '.repeat(2_000_000), headers });
  await raw({ path: '/healthz', headers: { ...headers, 'X-Forwarded-For': '192.0.2.7' } });
  await talk(address, 'nonsense\r\n\r\n');
  await talk(address, 'GET /healthz HTTP/1.1\r\nHost:\r\nX-Request-Id: r1\r\n\r\n');
  const common = { log: 'security', service: 'gateway', level: 'warn', time: expect.any(String), address: '127.0.0.1' };
  const refused = (event: string, reason: string, operation: string, more: object = {}) =>
    expect.objectContaining({ ...common, event, reason, operation, requestId: 'r1', ...more });
  expect(lines).toEqual([
    refused('authn_login_fail', 'unauthenticated', 'getOwnBinding', { claimedKeyId: 'key-1' }),
    refused('authn_login_fail', 'unauthenticated', 'getOwnBinding'),
    refused('authz_fail', 'forbidden', 'listTraders', { actor: `user ${userId}`, salesChannelId: 'c1' }),
    refused('malicious_cors', 'forbidden', 'createApiKey', { actor: `user ${userId}` }),
    refused('excess_rate_limit_exceeded', 'rate-limited', 'getOwnBinding', { actor: `user ${userId}` }),
    refused('input_validation_fail', 'payload-too-large', 'startTrade'),
    expect.objectContaining({ ...common, event: 'proxy_unnamed', reason: 'x-forwarded-for' }),
    expect.objectContaining({ ...common, event: 'input_validation_fail', reason: 'malformed-request' }),
    refused('input_validation_fail', 'host', 'routing'),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/hidden-1|token-/);
});

test('names the key, of either kind', async () => {
  const { call, credentials, registryKey } = await start({ RATE_LIMIT_BURST: '1', RATE_LIMIT_PER_SECOND: '1' });
  const principal = { kind: 'user', userId: 'u1', keyId: 'key-1', salesChannelId: 'c1', roles: [] } as const;
  credentials.basic.set('key-1:good', {
    surface: 'SALES_CHANNEL',
    principal: { ...principal, accountHolderId: undefined },
  });
  await call('listTraders', { as: toBasic('key-1', 'good') });
  const registry = registryKey();
  for (let index = 0; index < 2; index += 1) await call('listFacilities', { as: registry.authorization });
  const keyId = Buffer.from(registry.authorization.slice('Basic '.length), 'base64').toString().split(':')[0];
  expect(lines.map(({ event, actor, keyId: of }) => ({ event, actor, keyId: of }))).toEqual([
    { event: 'authz_fail', actor: 'user u1', keyId: 'key-1' },
    { event: 'excess_rate_limit_exceeded', actor: `key ${keyId}`, keyId: undefined },
  ]);
});

test('reports a limited key id or address', async () => {
  const { call } = await start({ FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: '1' });
  for (const secret of ['a', 'b']) await call('getOwnBinding', { as: toBasic('key-1', secret) });
  expect(lines.map(({ event, claimedKeyId }) => [event, claimedKeyId])).toEqual([
    ['authn_login_fail', 'key-1'],
    ['authn_login_lock', 'key-1'],
  ]);
});

test('a thousand equal events are two lines: the first one and the count', async () => {
  const { call } = await start();
  await Promise.all(Array.from({ length: 100 }, () => call('getOwnBinding', { as: undefined })));
  expect(lines).toHaveLength(1);
  nowMs += SECURITY_WINDOW_MS;
  await call('getOwnBinding', { as: undefined });
  const [first = {}, , next] = lines;
  expect(lines[1]).toMatchObject({ event: 'authn_login_fail', count: 99, address: '127.0.0.1' });
  expect(lines[1]).not.toHaveProperty('requestId');
  expect(next).toMatchObject({
    event: 'authn_login_fail',
    requestId: expect.not.stringContaining(String(first['requestId'])),
  });
});

test('the number of different lines is bounded', () => {
  const log = new SecurityLog({ logger: securityLogger, now: () => nowMs });
  for (let index = 0; index < 10_000; index += 1)
    log.record({ event: 'authn_login_fail', claimedKeyId: newId(), address: '192.0.2.1' });
  expect(lines).toHaveLength(SECURITY_ENTRIES_AT_MOST);
  log.flush();
  expect(lines.slice(SECURITY_ENTRIES_AT_MOST).map(({ event, count }) => [event, count])).toEqual([
    ['authn_login_fail', 10_000 - SECURITY_ENTRIES_AT_MOST],
  ]);
});

test('invented key ids do not hide other events', () => {
  const log = new SecurityLog({ logger: securityLogger, now: () => nowMs });
  for (let index = 0; index < 10_000; index += 1)
    log.record({ event: 'authn_login_fail', claimedKeyId: newId(), address: '192.0.2.1' });
  log.record({ event: 'authz_fail', actor: 'user u' });
  expect(lines.at(-1)).toMatchObject({ event: 'authz_fail', actor: 'user u' });
});

test('logs pending counts when the gateway stops', async () => {
  const { call, stop } = await start();
  for (let index = 0; index < 3; index += 1) await call('getOwnBinding', { as: undefined });
  system = undefined;
  await stop();
  await eventually(async () => lines.some(({ count }) => count === 2), 'the count');
});

describe('the log of the service', () => {
  const exporter = new InMemorySpanExporter();
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });

  let system: System;
  let endTracing: () => void;
  beforeAll(async () => {
    endTracing = await registerTracing(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    system = await startSystem({}, { logger: createLogger('gateway', 'info', destination) });
  });
  afterAll(async () => {
    await system.stop();
    endTracing();
  });

  const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
  const CLIENT_SPAN = 'b7ad6b7169203331';

  const send = (path: string, requestId: string) =>
    system.raw({
      path: `/saleschannel-services/v1/${path}`,
      headers: {
        Authorization: system.user().authorization,
        'X-Request-Id': requestId,
        traceparent: `00-${TRACE_ID}-${CLIENT_SPAN}-01`,
      },
    });

  /** Waits for the gateway's span of a request. */
  const findSpan = (requestId: string) =>
    eventually(
      async () =>
        Promise.resolve(
          exporter.getFinishedSpans().find(({ attributes }) => attributes['saleschannel.request_id'] === requestId),
        ),
      'the span of the request',
    );

  test('a failure is logged with its request, sales channel and trace, and its span names the request', async () => {
    system.rpcs.inventory['GetSupplier'] = () => Promise.reject(new Error('a fault of ours'));
    expect(await send('suppliers/s1', 'failing-1')).toMatchObject({ status: 500 });
    const span = await findSpan('failing-1');
    expect(lines.filter(({ requestId }) => requestId === 'failing-1')).toMatchObject([
      {
        level: 'error',
        service: 'gateway',
        operation: 'getSupplier',
        salesChannelId: 'c1',
        trace_id: TRACE_ID,
        span_id: span.spanContext().spanId,
      },
    ]);
    expect(span.spanContext().traceId).toBe(TRACE_ID);
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
    expect(span.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 500,
      'saleschannel.operation': 'getSupplier',
      'saleschannel.sales_channel_id': 'c1',
      'error.type': 'internal',
    });
  });

  test('a refusal does not mark the span as failed', async () => {
    expect(await send('suppliers/s1?unknown=1', 'refused-1')).toMatchObject({ status: 400 });
    const span = await findSpan('refused-1');
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toMatchObject({ 'http.response.status_code': 400 });
  });
});
