import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { type Browser, fromOwnPage } from './support/browser.ts';
import { startPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
let browser: Browser;

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal();
  browser = await portal.signIn();
});
afterAll(() => portal.stop());
beforeEach(() => {
  portal.upstream.received.length = 0;
  portal.upstream.answer = (_request, response) => void response.end('{}');
});

const API = '/api/account-portal/me';
const cookie = (): string => browser.cookieFor(portal.url);

test('only listed headers reach the API', async () => {
  await portal.send(browser, `${API}?$limit=5`, {
    method: 'POST',
    body: '{"a":1}',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': 'k1',
      'x-request-id': 'r1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      authorization: 'Basic YTpi',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-anything': 'else',
    },
  });
  const { url, body, headers } = portal.upstream.last;
  expect({ url, body }).toEqual({ url: '/account-portal/me?$limit=5', body: '{"a":1}' });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': 'k1',
    'x-request-id': 'r1',
    'x-forwarded-for': '127.0.0.1',
    traceparent: expect.stringContaining('0af7651916cd43dd8448eb211c80319c') as unknown,
  });
  expect(headers.authorization).toMatch(/^Bearer ey/);
  for (const name of ['cookie', 'forwarded', 'x-anything', 'x-portal', 'sec-fetch-site', 'origin'])
    expect(headers[name]).toBeUndefined();
});

test('clients of a trusted proxy have the address that it reports', async () => {
  const url = await portal.startReplica({ PORTAL_TRUSTED_PROXIES: 'loopback' });
  await fetch(`${url}${API}`, {
    headers: { ...fromOwnPage, cookie: cookie(), 'x-forwarded-for': '198.51.100.1, 203.0.113.9' },
  });
  expect(portal.upstream.last.headers['x-forwarded-for']).toBe('203.0.113.9');
});

test('only listed headers reach the browser, with status and body unchanged', async () => {
  portal.upstream.answer = (_request, response) => {
    response.writeHead(429, {
      'content-type': 'application/problem+json',
      'retry-after': '7',
      link: '</x?$after=a>; rel="next"',
      etag: '"e"',
      'www-authenticate': 'Basic realm="api"',
      'set-cookie': 'a=b',
      'access-control-allow-origin': '*',
      server: 'something',
    });
    response.end('{"type":"/problems/rate-limited"}');
  };
  const response = await portal.send(browser, API);
  expect(response.status).toBe(429);
  expect(await response.json()).toEqual({ type: '/problems/rate-limited' });
  const { headers } = response;
  expect(headers.get('retry-after')).toBe('7');
  expect(headers.get('link')).toBe('</x?$after=a>; rel="next"');
  expect(headers.get('etag')).toBe('"e"');
  for (const name of ['www-authenticate', 'set-cookie', 'access-control-allow-origin', 'server'])
    expect(headers.get(name)).toBeNull();
});

test('the challenge for a recent sign-in reaches the page', async () => {
  const challenge = 'Bearer error="insufficient_user_authentication", max_age="900", acr_values="mfa"';
  portal.upstream.answer = (_request, response) =>
    void response.writeHead(401, { 'www-authenticate': challenge }).end('{"type":"/problems/unauthenticated"}');
  const response = await portal.send(browser, API, { method: 'POST' });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe(challenge);
});

test.each(['%72etire', 'retire;a=b', 'retire%2f', '/retire'])('rejects the spelling %s of a path', async (end) => {
  const response = await portal.send(browser, `/api/saleschannel-services/v1/traders/t1/inventory/${end}`);
  expect(response.status).toBe(404);
  expect(portal.upstream.received).toEqual([]);
});

test.each(['/api/Registry/api/imports', '/api/healthz', '/api/docs', '/api/openapi.yaml', '/api/'])(
  '%s is not for pages',
  async (path) => {
    const response = await portal.send(browser, path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(portal.upstream.received).toEqual([]);
  },
);

test('events are forwarded immediately, until the page disconnects', async () => {
  let emit: (text: string) => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    portal.upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      emit = (text) => void response.write(text);
      response.once('close', () => resolve());
    };
  });
  const gone = new AbortController();
  const response = await fetch(`${portal.url}${API}`, {
    headers: { ...fromOwnPage, cookie: cookie(), accept: 'text/event-stream', 'last-event-id': '41' },
    signal: gone.signal,
  });
  expect(portal.upstream.last.headers['last-event-id']).toBe('41');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const event of ['id: 42\ndata: one\n\n', 'id: 43\ndata: two\n\n']) {
    emit(event);
    expect((await reader?.read())?.value).toBe(event);
  }
  gone.abort();
  await closed;
});

test('open streams do not delay other people', async () => {
  const streams = 60;
  const gone = new AbortController();
  portal.upstream.answer = ({ headers }, response) => {
    if (headers.accept !== 'text/event-stream') return void response.end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  };
  const headers = { ...fromOwnPage, cookie: cookie(), accept: 'text/event-stream' };
  await Promise.all(
    Array.from({ length: streams }, () => fetch(`${portal.url}${API}`, { headers, signal: gone.signal })),
  );
  expect((await portal.send(browser, API)).status).toBe(200);
  gone.abort();
});

/** Sends an incomplete body. */
function startUpload(headers: Record<string, string>): ClientRequest {
  const sending = request(`${portal.url}${API}`, { method: 'POST', agent: false, headers });
  sending.on('error', () => undefined);
  sending.write('{"a":');
  return sending;
}

test.each([
  ['uploads', {}],
  ['uploads that ask for events', { accept: 'text/event-stream' }],
])('slow %s of one person, in any sessions, do not delay other people', async (_what, more) => {
  portal.upstream.answer = (_request, response) => void response.end('{}');
  const cookies = [cookie(), (await portal.signIn()).cookieFor(portal.url)];
  const ben = await portal.signIn('ben');
  let reached = 0;
  portal.upstream.onChunk = () => (reached += 1);
  const uploads = Array.from({ length: 200 }, (_, index) =>
    startUpload({ ...fromOwnPage, ...more, cookie: cookies[index % 2] ?? '', 'content-type': 'application/json' }),
  );
  // A refusal shows that this person has reached their limit.
  const [refused] = (await Promise.race(uploads.map((each) => once(each, 'response')))) as [IncomingMessage];
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
  expect((await portal.send(ben, API, { headers: more })).status).toBe(200);
  expect(reached).toBeLessThan(100);
  for (const each of uploads) each.destroy();
  await eventually(async () => (await portal.send(browser, API)).status === 200, 'a response after the uploads end');
  portal.upstream.onChunk = () => undefined;
});

test('a body is forwarded before it is complete', async () => {
  const arrived = new Promise<void>((resolve) => {
    portal.upstream.answer = () => undefined;
    portal.upstream.onChunk = () => resolve();
  });
  const sending = request(`${portal.url}${API}`, {
    method: 'POST',
    headers: { ...fromOwnPage, cookie: cookie(), 'content-type': 'application/json' },
  });
  sending.on('error', () => undefined);
  sending.write('{"a":');
  await arrived;
  portal.upstream.answer = (_request, response) => void response.end('{}');
  sending.end('1}');
  await once(sending, 'response');
  // Aborted requests of the previous test may still arrive after this one.
  const posted = portal.upstream.received.filter(({ method }) => method === 'POST');
  expect(posted.at(-1)?.body).toBe('{"a":1}');
});

test('an unreachable API is 503, and an aborted answer 502', async () => {
  const away = await portal.startReplica({ PORTAL_API_URL: 'http://127.0.0.1:9' });
  const headers = { ...fromOwnPage, cookie: cookie() };
  const unreached = await fetch(`${away}${API}`, { headers });
  expect(unreached.status).toBe(503);
  expect(unreached.headers.get('retry-after')).toBe('2');
  expect(await unreached.json()).toMatchObject({
    type: '/problems/unavailable',
    requestId: expect.any(String) as unknown,
  });
  portal.upstream.answer = (incoming) => void incoming.socket.destroy();
  const broken = await portal.send(browser, API);
  expect(broken.status).toBe(502);
  expect(await broken.json()).toMatchObject({ type: '/problems/upstream-failed' });
});

test('is ready while the API is ready', async () => {
  const asked = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;
  expect(await asked(portal.url)).toBe(200);
  let misses = 0;
  portal.upstream.answer = (_request, response) => {
    misses += 1;
    response.writeHead(503).end();
  };
  await eventually(async () => (await asked(portal.url)) === 503, 'the loss of the API');
  expect(misses).toBeGreaterThan(1);
  expect((await fetch(`${portal.url}/healthz`)).status).toBe(200);
});
