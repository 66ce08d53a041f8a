import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DomainError } from '@saleschannel/errors';
import {
  defaultJsonLimits,
  discardRest,
  matchMediaType,
  parseForm,
  readBytes,
  readJson,
  refuseBody,
  type BodyLimits,
} from '../src/index.ts';
import { toNetwork } from '../src/requests.ts';

const limits: BodyLimits = { maxBytes: 100, timeoutMs: 20_000, json: defaultJsonLimits };
const readers: Readonly<Record<string, (request: IncomingMessage) => Promise<unknown> | unknown>> = {
  '/type': (request) => matchMediaType(request, new Map([['application/json', 1]])),
  '/json': (request) => readJson(request, limits),
  '/json/soon': (request) => readJson(request, { ...limits, timeoutMs: 50 }),
  '/form': async (request) => [...parseForm(await readBytes(request, limits), 3)],
  '/none': (request) => refuseBody(request, limits),
};

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      response.end(JSON.stringify((await readers[request.url ?? '']?.(request)) ?? null));
    } catch (error) {
      const { code, violations } = error as DomainError;
      response.end(violations?.[0]?.code ?? code);
      discardRest(request, response);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const send = async (path: string, body: string | Uint8Array | undefined, headers: Record<string, string> = {}) =>
  (await fetch(`${url}${path}`, { method: 'POST', headers, ...(body !== undefined && { body }) })).text();

/** Sends a body in chunks, without Content-Length. */
const sendChunked = async (path: string, body: string): Promise<string> => {
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body));
      controller.close();
    },
  });
  return (await fetch(`${url}${path}`, { method: 'POST', body: chunks, duplex: 'half' } as RequestInit)).text();
};

describe('matchMediaType', () => {
  test.each([
    ['application/json', {}, '["application/json",1]'],
    ['Application/JSON; charset="UTF-8"', {}, '["application/json",1]'],
    ['application/json', { 'content-encoding': 'identity' }, '["application/json",1]'],
    ['application/json', { 'content-encoding': 'gzip' }, 'unsupported-media-type'],
    ['application/json; charset=utf-16', {}, 'unsupported-media-type'],
    ['text/plain', {}, 'unsupported-media-type'],
  ])('answers %s %j with %s', async (type, headers, answer) => {
    expect(await send('/type', '{}', { 'content-type': type, ...headers })).toBe(answer);
  });

  test('requires a body', async () => {
    expect(await send('/type', undefined)).toBe('malformed-body');
  });
});

describe('readJson', () => {
  test('reads up to its limit, with and without a length', async () => {
    for (const [length, answer] of [
      [100, `"${'x'.repeat(98)}"`],
      [101, 'payload-too-large'],
    ] as const) {
      const body = `"${'x'.repeat(length - 2)}"`;
      expect(await send('/json', body)).toBe(answer);
      expect(await sendChunked('/json', body)).toBe(answer);
    }
  });

  test('answers the sender of a body far beyond the limit', async () => {
    expect(await send('/json', 'x'.repeat(4_000_000))).toBe('payload-too-large');
  });

  test('rejects bodies that are not UTF-8, not JSON, or not exact', async () => {
    expect(await send('/json', new Uint8Array([0x22, 0xff, 0x22]))).toBe('malformed-body');
    expect(await send('/json', '{"a":')).toBe('malformed-body');
    expect(await send('/json', '{"a":1,"a":2}')).toBe('repeated-member');
  });

  test('rejects a body that does not arrive in time', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /json/soon HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n{"a"');
    let answer = '';
    for await (const part of socket) answer += String(part);
    expect(answer).toContain('malformed-body');
  });
});

describe('parseForm', () => {
  test('decodes the fields of a form', async () => {
    expect(await send('/form', 'a=%7B%22x%22%3A+1%7D&b=&a=2')).toBe('[["a","{\\"x\\": 1}"],["b",""],["a","2"]]');
  });

  test('rejects too many fields and too many bytes', async () => {
    expect(await send('/form', 'a&b&c&d')).toBe('payload-too-large');
    expect(await send('/form', '&&&')).toBe('payload-too-large');
    expect(await send('/form', 'a'.repeat(101))).toBe('payload-too-large');
    expect(await send('/form', new Uint8Array([0x61, 0xff]))).toBe('malformed-body');
  });
});

describe('refuseBody', () => {
  test.each([
    [undefined, 'null'],
    ['{ }', 'null'],
    ['{"a":1}', 'no-body'],
    ['x'.repeat(2_000), 'no-body'],
  ])('answers %s with %s', async (body, answer) => {
    expect(await send('/none', body)).toBe(answer);
  });
});

describe('network addresses', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('%s is counted as %s', (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});
