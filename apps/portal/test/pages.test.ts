import { request } from 'node:http';
import { writeFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createLogger, SECURITY_TXT } from '@saleschannel/runtime';
import { readPdfText } from '@saleschannel/testing';
import { fromOwnPage } from './support/browser.ts';
import { startPortal, type TestPortal } from './support/portal.ts';
import { ISSUANCE, Register } from './support/register.ts';

let portal: TestPortal;
const lines: string[] = [];
const log = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal({ logger: createLogger('portal', 'warn', log) });
});
afterAll(() => portal.stop());

/** Requests a path unchanged: fetch would normalize it. */
const rawStatus = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(portal.url);
    request({ host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('pages', () => {
  test.each(['/', '/keys', '/keys/', '/channel/transactions/t1', '/keys?a=b'])('serve %s', async (path) => {
    const response = await fetch(`${portal.url}${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('<title>page</title>');
  });

  test.each(['/nothing', '/keys/more', '/channel/transactions', '/index.html', '/paths.json'])(
    'answer %s with 404 and links',
    async (path) => {
      const response = await fetch(`${portal.url}${path}`);
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
      const page = await response.text();
      expect(page).toContain('<h1>Page not found</h1>');
      for (const next of ['/register', '/verify', '/']) expect(page).toContain(`<a href="${next}">`);
      const signedIn = await portal.send(await portal.signIn(), path);
      expect(signedIn.status).toBe(404);
      expect(await signedIn.text()).toContain('<title>page</title>');
    },
  );

  test('are served without a restart after a rebuild', async () => {
    const page = join(portal.folder, 'pages/index.html');
    writeFileSync(page, '<!doctype html><title>next</title>');
    utimesSync(page, new Date(), new Date(Date.now() + 5_000));
    expect(await (await fetch(portal.url)).text()).toContain('<title>next</title>');
    writeFileSync(page, '<!doctype html><title>page</title>');
  });

  test('have a policy that allows only their own origin', async () => {
    const { headers } = await fetch(portal.url);
    const policy = String(headers.get('content-security-policy')).split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'report-to csp',
      'report-uri /csp-reports',
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});

describe('malformed requests', () => {
  test.each(['/%', '/keys/%ff', '/api/account-portal/%c3%28', '/r/%ff', '/r/%.pdf'])(
    'the address %s is a fault of the request, and not logged',
    async (path) => {
      lines.length = 0;
      expect([400, 403, 404]).toContain(await rawStatus(path));
      expect(lines).toEqual([]);
    },
  );

  test.each([
    ['application/json', '{"csp-report":', 400],
    ['application/json; charset=martian', '{}', 415],
  ])('a report as %s, %s, is refused with %d', async (type, body, status) => {
    lines.length = 0;
    const response = await fetch(`${portal.url}/csp-reports`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(lines).toEqual([]);
  });
});

describe('files', () => {
  test('are immutable, and compressed for clients that accept it', async () => {
    const response = await fetch(`${portal.url}/assets/app-abc.js`, { headers: { 'accept-encoding': 'identity' } });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await response.text()).toBe('const a = 1;');
    const status = await new Promise((resolve) => {
      const { port } = new URL(portal.url);
      const headers = { 'accept-encoding': 'gzip, br' };
      request({ host: '127.0.0.1', port, path: '/assets/app-abc.js', headers }, (answer) => {
        answer.resume();
        resolve(answer.headers['content-encoding']);
      }).end();
    });
    expect(status).toBe('br');
  });

  test.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets//etc/passwd',
    '/assets/app-abc.js.br',
    '/assets/',
    '/assets/constructor',
    '/../secret.txt',
    '/%00',
    '/assets/%',
  ])('outside of the build do not exist: %s', async (path) => {
    expect([400, 404]).toContain(await rawStatus(path));
  });
});

describe('requests of pages', () => {
  const paths = ['/api/account-portal/me', '/session'];
  const refused: [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site', 'x-portal': '1' }],
    ['another site of the same domain', { 'sec-fetch-site': 'same-site', 'x-portal': '1' }],
    ['a typed address', { 'sec-fetch-site': 'none', 'x-portal': '1' }],
    ['another origin', { origin: 'https://evil.example', 'x-portal': '1' }],
    ['no origin at all', { 'x-portal': '1' }],
    ['an origin that is null', { origin: 'null', 'x-portal': '1' }],
    ['a form of this site', { 'sec-fetch-site': 'same-origin' }],
    ['a wrong header', { 'sec-fetch-site': 'same-origin', 'x-portal': '2' }],
  ];

  test.each(refused)('are refused from %s', async (_who, headers) => {
    const browser = await portal.signIn();
    for (const path of paths) {
      const response = await browser.send(`${portal.url}${path}`, { headers });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ type: '/problems/cross-site' });
    }
    const signOut = await browser.send(`${portal.url}/sign-out`, { method: 'POST', headers });
    expect(signOut.status).toBe(403);
    expect(browser.cookies(portal.url).size).toBe(2);
    expect(portal.upstream.received).toEqual([]);
  });

  /** Sends exactly these headers: fetch would add others. */
  const fetchStatus = (method: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${portal.url}/api/account-portal/me`, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test('are accepted from own pages: with their header, from old browsers, and from links to downloads', async () => {
    const browser = await portal.signIn();
    const cookie = [...browser.cookies(portal.url).values()].map(({ name, value }) => `${name}=${value}`).join('; ');
    const link = { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' };
    expect(await fetchStatus('GET', { cookie, ...fromOwnPage })).toBe(200);
    expect(await fetchStatus('GET', { cookie, origin: portal.url, 'x-portal': '1' })).toBe(200);
    expect(await fetchStatus('GET', link)).toBe(200);
    // A form could send it, but a link cannot.
    expect(await fetchStatus('POST', link)).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await fetchStatus('GET', { ...link, 'sec-fetch-site': site })).toBe(403);
  });
});

describe('reports of the policy', () => {
  const report = (body: unknown, type = 'application/csp-report'): Promise<Response> =>
    fetch(`${portal.url}/csp-reports`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    });

  test('are logged without queries, and at a limited rate', async () => {
    lines.length = 0;
    const body = {
      'csp-report': {
        'document-uri': 'https://portal.example/search?q=secret',
        'effective-directive': 'script-src',
        'blocked-uri': `https://evil.example/${'x'.repeat(1_000)}`,
      },
    };
    for (let count = 0; count < 30; count++) expect((await report(body)).status).toBe(204);
    expect(lines).toHaveLength(20);
    expect(lines[0]).toContain('script-src');
    expect(lines.join()).not.toContain('secret');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_000);
  });

  test('are refused if they are too large', async () => {
    expect((await report({ a: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

test('security.txt names the contact of the installation, without sign-in', async () => {
  const withContact = await portal.startReplica({ SECURITY_CONTACT: 'https://example.org/security' });
  const response = await fetch(`${withContact}${SECURITY_TXT}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toMatch(
    /^Contact: https:\/\/example\.org\/security\nExpires: \d{4}-\d\d-\d\dT00:00:00Z\n/,
  );
});

test('without a contact, security.txt does not exist', async () => {
  expect((await fetch(`${portal.url}${SECURITY_TXT}`)).status).toBe(404);
});

describe('a sandbox', () => {
  /** Marks of a sandbox, and of its statements elsewhere. */

  const ID = '3q2-7wABz0mV9kQe1xTn4A';
  const BAND = '<aside class="sandbox"';
  /** Includes the installation of pdftotext. */
  const LIMIT_MS = 240_000;
  const RANGES = 200;

  let portal: TestPortal;
  /** Portal of an ordinary installation, which shows statements of a sandbox too. */
  let real: string;
  let register: Register;

  beforeAll(async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    jest.spyOn(console, 'info').mockImplementation(() => undefined);
    portal = await startPortal({ variables: { SANDBOX: 'true' } });
    real = await portal.startReplica({ SANDBOX: 'false' });
    register = await Register.create();
    register.answerFor(portal.upstream);
  });
  afterAll(() => portal.stop());

  const paths = [
    '/',
    '/keys',
    '/nothing',
    '/register',
    '/verify',
    `/verify?id=${ISSUANCE}_121`,
    `/r/${ID}`,
    '/r/nothing',
  ];

  test.each([...paths, '/callback?error=access_denied'])('%s has the banner and the header', async (path) => {
    await register.add();
    const answer = await fetch(`${portal.url}${path}`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('sandbox')).toBe('true');
    expect((await answer.text()).split(BAND)).toHaveLength(2);
  });

  test('answers to programs have the header', async () => {
    for (const path of ['/healthz', '/api/nowhere', '/.well-known/statement-keys.json'])
      expect((await fetch(`${portal.url}${path}`)).headers.get('sandbox')).toBe('true');
  });

  test.each(paths)('%s of an ordinary installation has no marks', async (path) => {
    await register.add();
    const answer = await fetch(`${real}${path}`);
    expect(answer.headers.get('sandbox')).toBeNull();
    expect(await answer.text()).not.toMatch(/sandbox/i);
  });

  test('a statement of a sandbox is marked everywhere', async () => {
    const text = await register.add({ facts: { sandbox: true } });
    const page = await (await fetch(`${real}/r/${ID}`)).text();
    expect(page).toContain('no CO₂ was removed');
    expect(page).toContain('data-signed="sandbox" value="true"');
    expect(page).toContain('Signature valid');
    expect(await (await fetch(`${real}/r/${ID}.json`)).json()).toMatchObject({ sandbox: true });
    const pasted = await fetch(`${real}/verify`, { method: 'POST', body: new URLSearchParams({ statement: text }) });
    expect(await pasted.text()).toContain('From a sandbox: no CO₂ was removed.');
  });

  test('removing the mark of a statement invalidates its signature', async () => {
    const { sandbox, ...stripped } = JSON.parse(await register.add({ facts: { sandbox: true } })) as Record<
      string,
      unknown
    >;
    expect(sandbox).toBe(true);
    register.keep(ID, JSON.stringify(stripped));
    expect(await (await fetch(`${real}/r/${ID}`)).text()).toContain('sandbox differs from the signed value');
  });

  test(
    'the PDF has a mark across every page',
    async () => {
      const [first] = (JSON.parse(await register.add()) as { certificates: object[] }).certificates;
      const certificates = Array.from({ length: RANGES }, () => first);
      const printed = async (facts: object): Promise<Buffer> => {
        await register.add({ facts: { certificates, ...facts } });
        return Buffer.from(await (await fetch(`${real}/r/${ID}.pdf`)).arrayBuffer());
      };
      const pdf = await printed({ sandbox: true });
      const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
      expect(pages).toBeGreaterThan(2);
      // pdftotext reads the letters of the rotated mark one by one.
      const text = await readPdfText(pdf);
      expect(text.split('Sandbox: no CO2 was removed')).toHaveLength(pages + 1);
      expect(text.split(/X O B/)).toHaveLength(pages + 1);
      expect(await readPdfText(await printed({}))).not.toMatch(/sandbox|X O B/i);
    },
    LIMIT_MS,
  );
});
