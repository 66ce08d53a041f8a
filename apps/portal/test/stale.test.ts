import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startPortal, type TestPortal } from './support/portal.ts';
import { ISSUANCE, Register } from './support/register.ts';

/** While the API is unreachable, public pages show copies, except of data that may have been hidden since. */

const ID = '3q2-7wABz0mV9kQe1xTn4A';
const PDF_LIMIT_MS = 240_000;

let portal: TestPortal;
let register: Register;
beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
});
beforeEach(async () => {
  portal = await startPortal();
  register = await Register.create();
  register.answerFor(portal.upstream);
  stops.push(portal);
});
const stops: TestPortal[] = [];
afterAll(async () => {
  for (const each of stops) await each.stop();
});

const get = (path: string): Promise<Response> => fetch(`${portal.url}${path}`);
const failures: readonly [what: string, fail: () => void][] = [
  ['refuses', () => (portal.upstream.answer = (_request, response) => void response.writeHead(503).end('{}'))],
  ['breaks off', () => (portal.upstream.answer = (_request, response) => void response.destroy())],
];
const [[, fail] = ['', () => undefined]] = failures;

describe.each(failures)('while the API %s', (_what, failNow) => {
  test.each([`/r/${ID}`, `/r/${ID}.json`, '/register', '/register.csv', '/.well-known/statement-keys.json'])(
    '%s is unchanged and marked as a copy',
    async (path) => {
      await register.add();
      const before = await get(path);
      expect(before.headers.get('cache-control')).toContain('max-age=60, stale-if-error=3600');
      const content = await before.text();
      failNow();
      portal.setClockAhead(600_000);
      const after = await get(path);
      expect([after.status, after.headers.get('cache-control'), after.headers.get('warning')]).toEqual([
        200,
        'no-store',
        '111 - "Revalidation Failed"',
      ]);
      expect(Number(after.headers.get('age'))).toBeGreaterThanOrEqual(600);
      const text = await after.text();
      if (!before.headers.get('content-type')?.startsWith('text/html')) expect(text).toBe(content);
      else {
        expect(content).not.toContain('The register is not responding at the moment.');
        const notice = /<p class="wait" role="status">The register is not responding at the moment\.[^<]+UTC\.<\/p>/;
        expect(text).toMatch(notice);
        expect(text.replace(notice, '')).toBe(content);
      }
      portal.setClockAhead(3_700_000);
      expect((await get(path)).status).toBe(503);
    },
  );
});

test('a statement without a copy is unavailable', async () => {
  await register.add();
  fail();
  expect((await get(`/r/${ID}`)).status).toBe(503);
});

test(
  'a PDF comes from the cache',
  async () => {
    await register.add();
    const before = await (await get(`/r/${ID}.pdf`)).arrayBuffer();
    fail();
    const after = await get(`/r/${ID}.pdf`);
    expect([after.status, after.headers.get('age')]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    expect(Buffer.from(await after.arrayBuffer()).equals(Buffer.from(before))).toBe(true);
  },
  PDF_LIMIT_MS,
);

test('a beneficiary that is hidden in the copy stays hidden', async () => {
  await register.add({ isHidden: true });
  await get(`/r/${ID}`);
  await register.add();
  fail();
  for (const path of [`/r/${ID}`, `/r/${ID}.json`]) {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('Nordlys');
  }
});

test('the newest copy is used', async () => {
  await register.add({ isHidden: true });
  await get(`/r/${ID}`);
  await register.add();
  await get(`/r/${ID}`);
  fail();
  expect(await (await get(`/r/${ID}`)).text()).toContain('Nordlys');
});

test('a 404 removes the copy', async () => {
  await register.add();
  await get(`/r/${ID}`);
  const answer = portal.upstream.answer;
  portal.upstream.answer = (_request, response) => void response.writeHead(404).end('{}');
  expect((await get(`/r/${ID}`)).status).toBe(404);
  portal.upstream.answer = answer;
  fail();
  expect((await get(`/r/${ID}`)).status).toBe(503);
});

test('too many requests are refused, and not answered with copies', async () => {
  await register.add();
  await get(`/r/${ID}`);
  portal.upstream.answer = (_request, response) => void response.writeHead(429, { 'retry-after': '3' }).end('{}');
  expect((await get(`/r/${ID}`)).status).toBe(429);
});

test('the status of a certificate is never cached, because it may change', async () => {
  expect((await get(`/verify?id=${ISSUANCE}_1`)).status).toBe(200);
  fail();
  expect((await get(`/verify?id=${ISSUANCE}_1`)).status).toBe(503);
});
