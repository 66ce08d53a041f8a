import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EntityTags } from '../src/http/entity-tags.ts';
import { connectTo, type RawAnswer, expectContract, expectProblem } from './support/http.ts';
import { findOperation } from './support/public-contract.ts';
import * as samples from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

/** ETag, If-None-Match and 304: RFC 9110 sections 8.8.3, 13.1.2 and 15.4.5. */

describe('If-None-Match', () => {
  const tags = new EntityTags({ text: 'contract' }, 'current');
  const [one, two] = [tags.createTag('one'), tags.createTag('two')];
  const strong = one.slice('W/'.length);
  const only = (...versions: string[]) => ({ versions, any: false });
  test.each<[string, string | undefined, ReturnType<EntityTags['parseIfNoneMatch']>]>([
    ['nothing', undefined, undefined],
    ['one', one, only('one')],
    ['one, compared weakly', strong, only('one')],
    ['several', `${one}, ${two}`, only('one', 'two')],
    ['several without spaces', `${one},${two}`, only('one', 'two')],
    ['empty members of a list', `, ,${one},\t, ${two} ,`, only('one', 'two')],
    ['one among others', `"x", W/"a,b", ${one}, W/""`, only('one')],
    ['others', '"x", W/"y"', undefined],
    ['anything', '*', { versions: [], any: true }],
    ['anything, with space', ' * ', { versions: [], any: true }],
    ['empty text', '', undefined],
    ['a text without quotes', one.replaceAll('"', ''), undefined],
    ['a lower-case weakness', `w/${strong}`, undefined],
    ['an open quote', `${one}, "x`, undefined],
    ['two without a comma', `${one} ${two}`, undefined],
    ['anything among others', `*, ${one}`, undefined],
    ['a space within', one.replace('one', 'o ne'), undefined],
    ['bytes beyond ASCII', `"\u00e9", ${one}`, only('one')],
  ])('%s', (_name, header, known) => expect(tags.parseIfNoneMatch(header)).toEqual(known));

  test('of another generation or contract does not match', () => {
    expect(new EntityTags({ text: 'contract' }, 'previous').parseIfNoneMatch(one)).toBeUndefined();
    expect(new EntityTags({ text: 'contract 2' }, 'current').parseIfNoneMatch(one)).toBeUndefined();
  });

  test('is parsed in linear time', () => {
    for (const part of [',', ' ,', '" "', '"",', 'W/', ' \t', '"', '","']) {
      const header = part.repeat(16_384 / part.length);
      for (const value of [header, `${header}x`]) expect(tags.parseIfNoneMatch(value)).toBeUndefined();
    }
  });

  test('has a maximum of tags', () => {
    const many = Array.from({ length: 500 }, (_, index) => tags.createTag(String(index))).join(',');
    expect(tags.parseIfNoneMatch(many)?.versions).toHaveLength(50);
  });
});

describe('an inventory', () => {
  let system: System;
  /** Requests to inventory. */
  let seen: { known?: { versions: string[]; any: boolean } | null }[];
  let version: string | undefined;

  beforeAll(async () => {
    system = await startSystem();
    const answer = (request: unknown, whole: Buffer): object => {
      const received = request as (typeof seen)[number];
      seen.push(received);
      const { known } = received;
      const unchanged = version !== undefined && (known?.any === true || known?.versions.includes(version) === true);
      return { data: unchanged ? Buffer.alloc(0) : whole, unchanged, ...(version === undefined ? {} : { version }) };
    };
    const certificate = 'i_7070575001234567890000000001';
    const asset = { ...samples.asset, issuanceId: 'i', start: certificate, end: certificate };
    const whole = Buffer.from(JSON.stringify([asset]));
    system.rpcs.inventory['PageInventory'] = (request) => ({ ...answer(request, whole), next: 'n1' });
    system.rpcs.inventory['ListInventory'] = async function* (request) {
      const first = answer(request, whole.subarray(0, -1)) as { unchanged: boolean };
      yield first;
      if (!first.unchanged) yield { data: whole.subarray(-1) };
    };
    [seen, version] = [[], 'v1'];
  });
  afterAll(() => system.stop());

  const path = '/saleschannel-services/v1/traders/t1/inventory';
  const old = '/saleschannel-services/traders/t1/inventory';
  async function get(address: string, tag?: string, method = 'GET'): Promise<RawAnswer> {
    seen = [];
    const condition: Record<string, string> = tag === undefined ? {} : { 'If-None-Match': tag };
    const headers = { ...condition, Authorization: system.user().authorization };
    const answer = await system.raw({ method, path: address, headers });
    if (!address.startsWith(old)) expectContract(findOperation('listInventory'), answer, method === 'HEAD');
    return answer;
  }
  const readTag = ({ headers }: RawAnswer): string => String(headers.etag);

  test.each([path, `${path}?$limit=1`, old])('%s has a tag, and gets 304 for it', async (address) => {
    version = 'v1';
    const full = await get(address);
    expect([full.status, JSON.parse(full.text)]).toEqual([200, [expect.any(Object)]]);
    expect(readTag(full)).toMatch(/^W\/"[\w-]{8}\.v1"$/);
    expect(full.headers['cache-control']).toBe('private, no-cache');
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await get(address, readTag(full), method);
      expect({ status, text }).toEqual({ status: 304, text: '' });
      expect(headers).toMatchObject({
        etag: readTag(full),
        'cache-control': 'private, no-cache',
        'x-request-id': expect.any(String),
        ratelimit: expect.any(String),
      });
      for (const name of ['content-type', 'content-length', 'transfer-encoding', 'link'])
        if (name !== 'link' || address !== old) expect(headers).not.toHaveProperty(name);
    }
    expect((await get(address, '*')).status).toBe(304);
    version = 'v2';
    const changed = await get(address, readTag(full));
    expect([changed.status, changed.text]).toEqual([200, full.text]);
    expect(readTag(changed)).not.toBe(readTag(full));
  });

  test('of one generation of the API does not match the other', async () => {
    version = 'v1';
    const tag = readTag(await get(path));
    const answer = await get(old, tag);
    expect(answer.status).toBe(200);
    expect(seen).toMatchObject([{ known: null }]);
    expect((await get(path, readTag(answer))).status).toBe(200);
  });

  test('is sent for a malformed condition', async () => {
    version = 'v1';
    const answer = await get(path, `${readTag(await get(path))}x`);
    expect(answer.status).toBe(200);
    expect(seen).toMatchObject([{ known: null }]);
  });

  test('of a previous service has no tag, and may not be cached', async () => {
    version = undefined;
    const { status, headers } = await get(path, '*');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers).not.toHaveProperty('etag');
  });

  test('is refused before its tag is compared', async () => {
    version = 'v1';
    const headers = { 'If-None-Match': '*' };
    expectProblem(await system.raw({ path, headers }), 401, 'unauthenticated');
    const { authorization } = system.user({ roles: [] });
    expectProblem(await system.raw({ path, headers: { ...headers, Authorization: authorization } }), 403, 'forbidden');
    const { authorization: Authorization } = system.user();
    const unknown = { path: `${path}?x=1`, headers: { ...headers, Authorization } };
    expectProblem(await system.raw(unknown), 400, 'invalid-request');
  });

  test('keeps the connection open after a 304', async () => {
    version = 'v1';
    const tag = readTag(await get(path));
    const socket = connectTo(system.address);
    await once(socket, 'connect');
    const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${system.user().authorization}\r\n`;
    socket.write(`${request}If-None-Match: ${tag}\r\n\r\n${request}Connection: close\r\n\r\n`);
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString()));
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 304 Not Modified\r\n(?:[^\r\n]+\r\n)+\r\nHTTP\/1\.1 200 OK\r\n/);
  });
});
