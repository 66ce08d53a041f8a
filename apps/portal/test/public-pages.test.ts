import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { checkStatement, readJson } from '../src/public/check.ts';
import { startPortal, type TestPortal } from './support/portal.ts';
import { ISSUANCE, Register } from './support/register.ts';

/** Public pages, without script and sign-in. */

let portal: TestPortal;
let register: Register;

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal({ variables: { PORTAL_TRUSTED_PROXIES: '127.0.0.1' } });
  register = await Register.create();
});
afterAll(() => portal.stop());
beforeEach(() => {
  portal.upstream.received.length = 0;
  register.answerFor(portal.upstream);
});

const ID = '3q2-7wABz0mV9kQe1xTn4A';
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${portal.url}${path}`, { headers, redirect: 'manual' });
const fetchPage = async (path: string): Promise<string> => (await get(path)).text();
const PAGE_BYTES_AT_MOST = 30_000;
const SCRIPT_BYTES_AT_MOST = 3_000;

describe('the page of a statement', () => {
  test('shows volume, beneficiary and purpose, and that the signature is valid', async () => {
    await register.add();
    const response = await get(`/r/${ID}`);
    const page = await response.text();
    expect(response.status).toBe(200);
    for (const expected of [
      '31\u202f250 t',
      '5 March 2025',
      'Bergen, Norway',
      'K7M2QX',
      '2024,',
      'Norway',
      'Signature valid',
    ])
      expect(page).toContain(expected);
    expect(page).toContain('Nordlys Ferries &#60;AS&#62;');
    expect(page).not.toContain('<AS>');
    expect(page.length).toBeLessThan(PAGE_BYTES_AT_MOST);
  });

  test('marks each member with its signed value', async () => {
    const statement = readJson(await register.add());
    const page = await fetchPage(`/r/${ID}`);
    const marks = [...page.matchAll(/data-signed="([^"]+)"(?:\s+(?:datetime|value)="([^"]*)")?\s*>([^<]*)</g)];
    expect(new Set(marks.map(([, path]) => String(path).split('.')[0])).size).toBe(11);
    for (const [, path = '', attribute, text] of marks) {
      const value = path.split('.').reduce<unknown>((part, name) => (part as never)[name], statement);
      const shown = String(attribute ?? text).replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
      expect([path, shown]).toEqual([path, value]);
    }
  });

  test('reports a changed statement', async () => {
    const text = await register.add();
    register.keep(ID, text.replace('Nordlys', 'Nordlis'));
    expect(await fetchPage(`/r/${ID}`)).toContain(
      'Signature invalid.</strong> beneficiaryName differs from the signed value.',
    );
  });

  test('contains no hidden word before the embargo ends', async () => {
    await register.add({ isHidden: true });
    for (const path of [`/r/${ID}`, `/r/${ID}.json`]) {
      const page = await fetchPage(path);
      for (const word of ['Nordlys', 'Bergen', 'Residual', 'crossing']) expect(page).not.toContain(word);
    }
    const page = await fetchPage(`/r/${ID}`);
    expect(page).toContain('Hidden until');
    expect(page).toContain('1 September 2026 at 00:00 UTC');
    expect(page).toContain('Signature valid');
  });

  test('allows search engines only if the statement is listed', async () => {
    await register.add();
    const byLink = await get(`/r/${ID}`);
    expect([byLink.headers.get('x-robots-tag'), byLink.headers.get('cache-control')]).toEqual([
      'noindex',
      'private, max-age=60, stale-if-error=3600',
    ]);
    await register.add({ now: { publication: 'PUBLIC', transactionId: 'cm7q5b7ck000gx9f2j4t7z5kq' } });
    const found = await get(`/r/${ID}`);
    expect([found.headers.get('x-robots-tag'), found.headers.get('cache-control')]).toEqual([
      null,
      'public, max-age=60, stale-if-error=3600',
    ]);
  });

  test('has an ETag, and is not sent again if unchanged', async () => {
    await register.add();
    const tag = String((await get(`/r/${ID}`)).headers.get('etag'));
    expect((await get(`/r/${ID}`, { 'if-none-match': tag, 'cache-control': 'max-age=0' })).status).toBe(304);
  });

  test("counts against the rate limit of the reader's address", async () => {
    await register.add();
    await get(`/r/${ID}`, { 'x-forwarded-for': '192.0.2.7' });
    for (const { headers } of portal.upstream.received) expect(headers['x-forwarded-for']).toBe('192.0.2.7');
    expect(portal.upstream.received[0]?.headers).not.toHaveProperty('authorization');
  });

  test('has the JSON of the API, byte by byte', async () => {
    const text = await register.add();
    const response = await get(`/r/${ID}.json`);
    expect(await response.text()).toBe(text);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="statement-${ID}.json"`);
  });

  test('reports an unknown statement', async () => {
    const response = await get('/r/nothing');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<h1>Not found</h1>');
  });

  test.each([
    [429, 429],
    [503, 503],
    [500, 503],
  ])('reports %d of the API with the time of a retry', async (given, status) => {
    portal.upstream.answer = (_request, response) => void response.writeHead(given, { 'retry-after': '7' }).end('{}');
    for (const path of [`/r/unread-${given}`, `/verify?id=${ISSUANCE}_1`, `/register?from=2001-01-01&after=${given}`]) {
      const response = await get(path);
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
      expect(await response.text()).toContain('Try again in 7 s');
    }
  });
});

describe('the check of a statement', () => {
  const check = (text: string) => checkStatement(text, register.keys as never);

  test('accepts signed statements, with and without the beneficiary', async () => {
    await check(await register.add());
    await check(await register.add({ isHidden: true }));
  });

  test('rejects a statement with any changed byte', async () => {
    const text = await register.add({ facts: { volume: 9_007_199_254_740_991 } });
    const notSigned = /"publication":"LINK"|"transactionId":null|"beneficiaryHiddenUntil":null/g;
    const free = [...text.matchAll(notSigned)].map(({ index, 0: found }) => [index, index + found.length] as const);
    const bytes = [...text];
    let tried = 0;
    for (const [index, character] of bytes.entries()) {
      // Unsigned members may change their value, but not their name.
      if (free.some(([start, end]) => index > start && index < end)) continue;
      for (const bit of [1, 2, 4]) {
        const changed = [...bytes];
        changed[index] = String.fromCharCode(character.charCodeAt(0) ^ bit);
        await expect(check(changed.join(''))).rejects.toThrow();
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(5_000);
  });

  test('distinguishes numbers that are equal as doubles', async () => {
    const text = await register.add();
    await expect(check(text.replace('"volume":31250', '"volume":31250.0'))).rejects.toThrow('volume');
    await expect(check(text.replace('"volume":31250', '"volume":"31250"'))).rejects.toThrow('volume');
  });

  test('rejects additional and missing members', async () => {
    const statement = JSON.parse(await register.add()) as Record<string, unknown>;
    await expect(check(JSON.stringify({ ...statement, note: 'more' }))).rejects.toThrow('note');
    const { beneficiaryName: _name, ...without } = statement;
    await expect(check(JSON.stringify(without))).rejects.toThrow('beneficiaryName');
    const { signature: _signature, ...unsigned } = statement;
    await expect(check(JSON.stringify(unsigned))).rejects.toThrow('The statement has no signature.');
  });

  test('accepts only the published keys', async () => {
    const text = await register.add();
    const other = await Register.create();
    await expect(checkStatement(text, other.keys as never)).rejects.toThrow('The signature does not belong');
    await expect(checkStatement(text, [])).rejects.toThrow('The signing key is not published.');
  });

  test.each(['', 'no JSON', 'null', '[]', '{}', '"text"', '{"signature":"~"}', '{"signature":"a.b.c~"}'])(
    'rejects %j',
    async (text) => {
      await expect(check(text)).rejects.toThrow();
    },
  );
});

describe('the page to verify', () => {
  test('shows the status of a certificate, for every spelling of its id', async () => {
    for (const id of [`${ISSUANCE}_121`, `NCR_NRR_NCR200+_NO_K7M2QX_2024_${ISSUANCE}_121`]) {
      const page = await fetchPage(`/verify?id=${encodeURIComponent(id)}`);
      expect(page).toContain('Retired</strong> on 5 March 2025 at 13:41 UTC');
      expect(page).toContain(`<a href="/r/${ID}">`);
    }
  });

  test('looks up both ends of a range', async () => {
    await fetchPage(`/verify?id=${ISSUANCE}_121-150`);
    expect(portal.upstream.received.map(({ url }) => url)).toEqual([
      `/public/v1/certificates/${ISSUANCE}_121`,
      `/public/v1/certificates/${ISSUANCE}_150`,
    ]);
  });

  test('reports unknown certificates', async () => {
    const page = await fetchPage('/verify?id=00000000-0000-4000-8000-000000000000_1');
    expect(page).toContain('Unknown</strong>');
  });

  test('redirects to a statement', async () => {
    const response = await get(`/verify?id=${ID}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, `/r/${ID}`]);
  });

  test('reports unreadable input, and shows it as text', async () => {
    const page = await fetchPage(`/verify?id=${encodeURIComponent('"><b>what</b>')}`);
    expect(page).toContain('This is not the id of a certificate');
    expect(page).not.toContain('<b>');
  });

  const post = (statement: string) =>
    fetch(`${portal.url}/verify`, { method: 'POST', body: new URLSearchParams({ statement }) });

  test('checks a pasted statement without script', async () => {
    const text = await register.add();
    expect(await (await post(text)).text()).toContain('Signature valid');
    const changed = await (await post(text.replace('Nordlys', 'Nordlis'))).text();
    expect(changed).toContain('Signature invalid.');
    expect(changed).toContain('Nordlis');
  });

  test('limits the size of a form', async () => {
    const response = await post('x'.repeat(5_000_000));
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('The text is larger than a statement can be.');
  });
});

describe('the register', () => {
  test('lists public statements, by days, in pages, and as CSV', async () => {
    const {
      signature: _signature,
      certificates: _certificates,
      ...listed
    } = JSON.parse(await register.add()) as {
      signature: string;
      certificates: unknown;
    };
    register.listed = JSON.stringify([listed]);
    const page = await fetchPage('/register?from=2025-03-01&to=2025-03-31');
    expect(page).toContain(`<a href="/r/${ID}">`);
    expect(page).toContain('Nordlys');
    expect(page).toContain('href="/register?from=2025-03-01&#38;to=2025-03-31&#38;after=n1"');
    expect(page).toContain('href="/register.csv?from=2025-03-01&#38;to=2025-03-31"');
    const query = new URL(portal.upstream.last.url, 'http://api').searchParams;
    expect(Object.fromEntries(query)).toEqual({
      $limit: '50',
      '$filter[retiredAt][gte]': '2025-03-01T00:00:00.000Z',
      '$filter[retiredAt][lt]': '2025-04-01T00:00:00.000Z',
    });
  });

  const BENEFICIARY = '$filter[beneficiaryName][contains]';
  const requestedPaths = (): URLSearchParams => new URL(portal.upstream.last.url, 'http://api').searchParams;

  test('finds a beneficiary by a part of the name, also on further pages and in the CSV', async () => {
    const page = await fetchPage('/register?from=2025-03-01&beneficiary=+F%C3%A9rries+%26+AS+');
    expect(Object.fromEntries(requestedPaths())).toMatchObject({ [BENEFICIARY]: 'Férries & AS' });
    expect(page).toMatch(/<label for="beneficiary">Beneficiary<\/label><input[^>]*\svalue="Férries &#38; AS"/);
    const query = 'from=2025-03-01&#38;beneficiary=F%C3%A9rries+%26+AS';
    expect(page).toContain(`href="/register?${query}&#38;after=n1"`);
    expect(page).toContain(`href="/register.csv?${query}"`);
    const second = await fetchPage(`/register?${query.replace('&#38;', '&')}&after=n1`);
    expect(Object.fromEntries(requestedPaths())).toMatchObject({ [BENEFICIARY]: 'Férries & AS', $after: 'n1' });
    expect(second).toContain(`<a href="/register?${query}">First page</a>`);
    await get(`/register.csv?${query.replace('&#38;', '&')}&after=n1`);
    expect(Object.fromEntries(requestedPaths())).toMatchObject({ [BENEFICIARY]: 'Férries & AS', $limit: '1000' });
  });

  test('shows the search as text, and reports that nothing was found', async () => {
    register.listed = '[]';
    const page = await fetchPage(`/register?beneficiary=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(page).not.toContain('<script>');
    expect(page).toContain('value="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;"');
    expect(page).toContain('No results for “<bdi>&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;</bdi>”');
  });

  test.each(['', '+++', '%00%0A', '%E2%80%8F'])('ignores the empty search "%s"', async (text) => {
    await fetchPage(`/register?beneficiary=${text}`);
    expect(portal.upstream.last.url).not.toContain('filter');
  });

  test.each([
    ['a%00b%0Ac', 'a b c'],
    ['%F0%9F%8C%B2'.repeat(201), '\u{1f332}'.repeat(200)],
  ])('adapts the search to the rules of the API', async (text, expected) => {
    await fetchPage(`/register?beneficiary=${text}`);
    expect(requestedPaths().get(BENEFICIARY)).toBe(expected);
  });

  test('accepts one beneficiary', async () => {
    await fetchPage('/register?beneficiary=a&beneficiary=b');
    expect(portal.upstream.last.url).not.toContain('filter');
  });

  test('forwards the CSV of the API', async () => {
    const response = await get('/register.csv?after=n1');
    expect(response.headers.get('content-type')).toBe('text/csv;charset=utf-8');
    expect(await response.text()).toBe('id\r\n');
    expect(portal.upstream.last.url).toContain('%24after=n1');
  });

  test('ignores invalid days', async () => {
    register.listed = '[]';
    expect(await fetchPage('/register?from=2025-02-30&to=x')).toContain('There are no public retirements');
    expect(portal.upstream.last.url).not.toContain('filter');
  });
});

describe('files of public pages', () => {
  test('are an immutable style and a small script', async () => {
    const page = await fetchPage('/verify');
    for (const [, path] of page.matchAll(/(?:href|src)="(\/public\/[^"]+)"/g)) {
      const response = await get(String(path), { 'accept-encoding': 'identity' });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toContain('immutable');
      if (String(path).includes('script')) {
        const script = await response.text();
        expect(gzipSync(script).length).toBeLessThan(SCRIPT_BYTES_AT_MOST);
      }
    }
    expect(page).not.toMatch(/ style=|<script>| on\w+=/);
  });

  test('have less than 30 KB without fonts', async () => {
    const page = await fetchPage(`/r/${ID}`);
    const [, style] = /href="(\/public\/style-[^"]+)"/.exec(page) ?? [];
    const css = await (await get(String(style))).text();
    const [, script] = /src="(\/public\/script-[^"]+)"/.exec(page) ?? [];
    const bytes = [page, css, await (await get(String(script))).text()].map((text) => gzipSync(text).length);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(30_000);
  });

  test('include the fonts of all pages, from this server', async () => {
    const [, style] = /href="(\/public\/style-[^"]+)"/.exec(await fetchPage('/verify')) ?? [];
    const css = await (await get(String(style))).text();
    const faces = css.match(/@font-face \{[^}]+\}/g) ?? [];
    for (const family of ['IBM Plex Sans', 'IBM Plex Mono'])
      expect(faces.filter((face) => face.includes(`'${family}'`)).length).toBeGreaterThan(4);
    const addresses = [...css.matchAll(/url\(([^)]+)\)/g)].map(([, address]) => String(address));
    expect(addresses).toHaveLength(faces.length);
    expect(addresses.filter((address) => !/^\/public\/ibm-plex-[\w-]+$/.test(address))).toEqual([]);
    const font = await get(String(addresses.find((address) => address.includes('sans-latin-400'))));
    expect(font.headers.get('content-type')).toBe('font/woff2');
    expect(font.headers.get('cache-control')).toContain('immutable');
    expect(
      Buffer.from(await font.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('wOF2');
  });
});
