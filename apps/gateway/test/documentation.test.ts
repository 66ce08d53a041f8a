import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { readDocsSignIn } from '../src/docs/contract-page.ts';
import { expectProblem } from './support/http.ts';
import { startSystem, type System } from './support/system.ts';

let system: System | undefined;
let folder: string | undefined;

const start = async (variables: Record<string, string> = {}): Promise<string> => {
  folder = mkdtempSync(join(tmpdir(), 'saleschannel-docs-'));
  system = await startSystem({ DOCS_FOLDER: join(folder, 'dist'), ...variables });
  return join(folder, 'dist');
};
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  if (!system) throw new Error('the gateway is not started');
  return system.raw({ path, headers, method });
};
afterEach(async () => {
  await system?.stop();
  if (folder) rmSync(folder, { recursive: true });
  system = undefined;
  folder = undefined;
});

function build(dist: string): void {
  mkdirSync(join(dist, 'errors'), { recursive: true });
  mkdirSync(join(dist, '_astro'), { recursive: true });
  writeFileSync(join(dist, 'index.html'), '<html><title>first</title></html>');
  writeFileSync(join(dist, 'errors/index.html'), '<html><title>errors</title></html>');
  writeFileSync(join(dist, '_astro/page.abc.js'), 'void 0;');
  writeFileSync(join(dist, '.secret'), 'hidden');
  writeFileSync(join(dist, '../outside.txt'), 'outside');
}

test('/docs shows the contract until the documentation is built, and needs no restart then', async () => {
  const dist = await start();
  expect((await get('/docs')).text).toContain('id="contract"');
  expectProblem(await get('/docs/errors/'), 404, 'route-not-found');
  build(dist);
  const first = await get('/docs');
  expect([first.status, first.text]).toEqual([200, '<html><title>first</title></html>']);
  const page = await get('/docs/errors/');
  expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ]);
  expect((await get('/docs/api')).text).toContain('id="contract"');
});

test('pages run only their own script files, and the search', async () => {
  build(await start());
  for (const path of ['/docs', '/docs/', '/docs/errors/']) {
    const policy = String((await get(path)).headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline|'unsafe-eval'|https?:/);
    expect((await get(path)).headers['x-content-type-options']).toBe('nosniff');
  }
});

test('unchanged pages get 304, and files with a hash in their name are immutable', async () => {
  build(await start());
  const tag = String((await get('/docs/errors/')).headers['etag']);
  expect((await get('/docs/errors/', { 'If-None-Match': tag })).status).toBe(304);
  const script = await get('/docs/_astro/page.abc.js');
  expect([script.headers['content-type'], script.headers['cache-control']]).toEqual([
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
});

test('compressed pages have their own entity tags', async () => {
  const dist = await start();
  build(dist);
  const packed = gzipSync(readFileSync(join(dist, 'errors/index.html')));
  writeFileSync(join(dist, 'errors/index.html.gz'), packed);
  const gzip = { 'Accept-Encoding': 'br, gzip' };
  const plain = await get('/docs/errors/');
  const compressed = await get('/docs/errors/', gzip);
  expect(
    [plain, compressed].map(({ status, headers }) => [status, headers['content-encoding'], headers['vary']]),
  ).toEqual([
    [200, undefined, 'Accept-Encoding'],
    [200, 'gzip', 'Accept-Encoding'],
  ]);
  expect(compressed.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(compressed.headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
  expect(Number(compressed.headers['content-length'])).toBe(packed.length);
  expect(compressed.headers['etag']).not.toBe(plain.headers['etag']);
  expect((await get('/docs/errors/', { ...gzip, 'If-None-Match': String(compressed.headers['etag']) })).status).toBe(
    304,
  );
  // Files without a compressed copy are sent plain.
  const script = await get('/docs/_astro/page.abc.js', gzip);
  expect([script.text, script.headers['content-encoding']]).toEqual(['void 0;', undefined]);
  const bundle = await get('/docs/swagger-ui-bundle.js', gzip);
  expect(Number(bundle.headers['content-length'])).toBeLessThan(600_000);
  expect((await get('/docs/swagger-ui-bundle.js')).headers['content-encoding']).toBeUndefined();
});

test('source code is text, not video', async () => {
  const dist = await start();
  build(dist);
  writeFileSync(join(dist, 'main.ts'), 'export {};');
  const { headers, text } = await get('/docs/main.ts');
  expect([headers['content-type'], text]).toEqual(['text/plain; charset=utf-8', 'export {};']);
});

test('browsers get a 404 page, and programs a problem', async () => {
  const dist = await start();
  build(dist);
  writeFileSync(join(dist, '404.html'), '<html><title>lost</title></html>');
  const { status, headers, text } = await get('/docs/nothing', { Accept: 'text/html,*/*;q=0.8' });
  expect([status, headers['content-type'], headers['cache-control'], text]).toEqual([
    404,
    'text/html; charset=utf-8',
    'no-store',
    '<html><title>lost</title></html>',
  ]);
  expect(String(headers['content-security-policy'])).toContain("script-src 'self' 'wasm-unsafe-eval';");
  for (const accept of ['*/*', 'application/json'])
    expectProblem(await get('/docs/nothing', { Accept: accept }), 404, 'route-not-found');
});

test.each([
  '/docs/../outside.txt',
  '/docs/%2e%2e/outside.txt',
  '/docs/..%2foutside.txt',
  '/docs/.secret',
  '/docs/nothing',
  '/docs/_astro/',
])('serves no other file: %s', async (path) => {
  build(await start());
  expectProblem(await get(path), 404, 'route-not-found');
});

const provider = {
  DOCS_CLIENT_ID: 'docs',
  DOCS_AUTHORIZATION_URL: 'https://idp.example.org/authorize',
  DOCS_EXCHANGE_URL: 'https://tokens.example.org/token',
  DOCS_SCOPES: 'openid,saleschannel',
};

test('with an identity provider the API reference offers a sign-in by code with PKCE', async () => {
  await start(provider);
  const page = await get('/docs/api');
  expect(page.headers['content-security-policy']).toContain("connect-src 'self' https://tokens.example.org;");
  const script = await get('/docs/start.js');
  expect(script.text).toContain('"usePkceWithAuthorizationCodeGrant":true');
  expect(script.text).toContain("url: '/docs/contract.json'");
  const contract = JSON.parse((await get('/docs/contract.json')).text) as {
    components: { securitySchemes: Record<string, object> };
  };
  expect(contract.components.securitySchemes).toMatchObject({
    bearerAuth: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: provider.DOCS_AUTHORIZATION_URL,
          tokenUrl: provider.DOCS_EXCHANGE_URL,
          scopes: { openid: 'to sign in', saleschannel: 'to sign in' },
        },
      },
    },
    apiKeyAuth: { type: 'http', scheme: 'basic' },
  });
  // Programs get the plain contract.
  expect((await get('/openapi.json')).text).not.toContain('idp.example.org');
  const back = await get('/docs/signed-in?code=x&state=y');
  expect(back.headers['content-security-policy']).toContain("script-src 'self';");
  expect(back.text).toContain('src="/docs/oauth2-redirect.js"');
});

test('without one the API reference offers no sign-in', async () => {
  await start();
  expect((await get('/docs/start.js')).text).not.toContain('initOAuth');
  expect((await get('/docs/api')).headers['content-security-policy']).toContain("connect-src 'self';");
  for (const path of ['/docs/contract.json', '/docs/signed-in']) expectProblem(await get(path), 404, 'route-not-found');
});

test('the gateway does not start with half of the provider settings', () => {
  const { DOCS_CLIENT_ID, DOCS_EXCHANGE_URL } = provider;
  const settings = { DOCS_AUTHORIZATION_URL: undefined, DOCS_SCOPES: ['openid'] };
  expect(() => readDocsSignIn({ ...settings, DOCS_CLIENT_ID, DOCS_EXCHANGE_URL })).toThrow('Set all of DOCS_CLIENT_ID');
  expect(readDocsSignIn({ ...settings, DOCS_CLIENT_ID: undefined, DOCS_EXCHANGE_URL: undefined })).toBeUndefined();
});

const SECURITY_TXT_PATH = '/.well-known/security.txt';
const HALF_A_YEAR_MS = 183 * 24 * 3_600_000;

test('security.txt has the contact, and expires within half a year', async () => {
  await start({ SECURITY_CONTACT: 'mailto:security@example.org' });
  const { status, headers, text } = await get(SECURITY_TXT_PATH);
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
  const [contact, expires = '', ...rest] = text.split('\n');
  expect([contact, ...rest]).toEqual(['Contact: mailto:security@example.org', 'Preferred-Languages: en', '']);
  const at = Date.parse(expires.replace('Expires: ', ''));
  expect(at).toBeGreaterThan(Date.now());
  expect(at).toBeLessThan(Date.now() + HALF_A_YEAR_MS);
  expectProblem(await get(SECURITY_TXT_PATH, {}, 'POST'), 405, 'method-not-allowed');
});

test('security.txt does not exist without a contact', async () => {
  await start();
  expectProblem(await get(SECURITY_TXT_PATH), 404, 'route-not-found');
});

test.each(['security@example.org', 'http://example.org/report', 'mailto:a@b.org\nExpires: never'])(
  'the gateway does not start with the contact %j',
  async (contact) => {
    await expect(startSystem({ SECURITY_CONTACT: contact })).rejects.toThrow(/SECURITY_CONTACT/);
  },
);
