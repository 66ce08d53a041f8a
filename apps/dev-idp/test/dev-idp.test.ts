import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readEnvironment } from '@saleschannel/runtime';
import { createRemoteJWKSet, jwtVerify, type JWTVerifyResult } from 'jose';
import { createDevIdp, DOCS_CLIENT_ID, toConfig, type DevIdp, type DevIdpConfig } from '../src/app.ts';
import { environment } from '../src/environment.ts';
import { signIn } from './support/browser.ts';

const script = { clientId: 'svc', clientSecret: 's3cret', kind: 'script' } as const;
const DOCS_REDIRECT_URI = 'http://127.0.0.1:8080/callback';

interface TokenAnswer {
  access_token: string;
  id_token?: string;
  refresh_token?: string;
  expires_in: number;
  token_type: string;
  error?: string;
}

let folder: string;
let running: DevIdp[];

async function start(config: Partial<DevIdpConfig> = {}): Promise<DevIdp> {
  const idp = createDevIdp({ port: 0, ...config });
  running.push(idp);
  await idp.start();
  return idp;
}

async function token(idp: DevIdp, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${idp.issuer}/token`, { method: 'POST', headers, body: new URLSearchParams(form) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as TokenAnswer };
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const clientCredentials = { grant_type: 'client_credentials' };

async function verify(idp: DevIdp, jwt: string, audience = 'saleschannel-api'): Promise<JWTVerifyResult> {
  // More than the default, because the machine may stall.
  const jwks = createRemoteJWKSet(new URL(`${idp.issuer}/jwks`), { timeoutDuration: 60_000 });
  return jwtVerify(jwt, jwks, { issuer: idp.issuer, audience, typ: 'at+jwt', algorithms: ['ES256'] });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-idp-'));
  running = [];
  // oidc-provider warns about its development pages at each start.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const idp of running) await idp.stop();
  await rm(folder, { recursive: true });
});

describe('client credentials', () => {
  test.each([
    ['in the header', clientCredentials, basic(script.clientId, script.clientSecret)],
    ['in the form', { ...clientCredentials, client_id: script.clientId, client_secret: script.clientSecret }, {}],
  ])('with the secret %s give a JWT access token for the API', async (_name, form, headers) => {
    const idp = await start({ accessTokenSeconds: 120 });
    idp.addClient(script);
    const { status, body } = await token(idp, form, headers);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 120 });
    const { payload } = await verify(idp, body.access_token);
    expect(payload).toMatchObject({ sub: 'svc', client_id: 'svc' });
    expect(payload).not.toHaveProperty('email');
    expect(Number(payload.exp) - Number(payload.iat)).toBe(120);
  });

  test('with a wrong secret or an unknown client are refused', async () => {
    const idp = await start();
    idp.addClient(script);
    for (const headers of [basic('svc', 'wrong'), basic('nobody', 's3cret')]) {
      const { status, body, headers: responseHeaders } = await token(idp, clientCredentials, headers);
      expect(status).toBe(401);
      expect(body.error).toBe('invalid_client');
      expect(responseHeaders.get('www-authenticate')).toMatch(/^Basic /);
    }
  });

  test('are for scripts only', async () => {
    const idp = await start();
    const { status, body } = await token(idp, { ...clientCredentials, client_id: DOCS_CLIENT_ID });
    expect(status).toBe(400);
    expect(body).not.toHaveProperty('access_token');
  });

  test('give tokens for no other API', async () => {
    const idp = await start();
    idp.addClient(script);
    const { status, body } = await token(idp, { ...clientCredentials, resource: 'urn:other' }, basic('svc', 's3cret'));
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_target');
  });
});

describe('a person', () => {
  const exchange = (code: string, codeVerifier: string, redirectUri: string) => ({
    grant_type: 'authorization_code',
    client_id: DOCS_CLIENT_ID,
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  });

  const addresses = [DOCS_REDIRECT_URI, 'http://127.0.0.1:54321/callback'];
  test.each(addresses)('signs in with a code and PKCE and returns to %s', async (redirectUri) => {
    const idp = await start();
    const { redirect, code, codeVerifier, prompts } = await signIn(idp.issuer, 'alice', redirectUri);
    expect(prompts).toEqual(['login', 'consent']);
    expect(redirect.searchParams.get('state')).toBe('some-state');
    const { status, body } = await token(idp, exchange(code, codeVerifier, redirectUri));
    expect(status).toBe(200);
    const { payload } = await verify(idp, body.access_token);
    expect(payload).toMatchObject({ sub: 'alice', client_id: DOCS_CLIENT_ID });
    expect(payload).toMatchObject({ email: 'alice@example.test', email_verified: true, name: 'alice' });
    expect(payload['auth_time']).toEqual(expect.any(Number));
    expect((await token(idp, exchange(code, codeVerifier, redirectUri))).status).toBe(400);
  });

  test('gets no token for a code without its verifier', async () => {
    const idp = await start();
    const { code } = await signIn(idp.issuer, 'alice', DOCS_REDIRECT_URI);
    const { status, body } = await token(idp, exchange(code, 'x'.repeat(43), DOCS_REDIRECT_URI));
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_grant');
  });

  test('stays signed in with a refresh token on request', async () => {
    const idp = await start();
    const offline = { scope: 'openid offline_access', prompt: 'consent' };
    const { code, codeVerifier } = await signIn(idp.issuer, 'alice', DOCS_REDIRECT_URI, offline);
    const { body: first } = await token(idp, exchange(code, codeVerifier, DOCS_REDIRECT_URI));
    if (first.refresh_token === undefined) throw new Error('no refresh token');
    const { status, body } = await token(idp, {
      grant_type: 'refresh_token',
      client_id: DOCS_CLIENT_ID,
      refresh_token: first.refresh_token,
    });
    expect(status).toBe(200);
    const { payload } = await verify(idp, body.access_token);
    expect(payload.sub).toBe('alice');
    expect(payload['auth_time']).toBe((await verify(idp, first.access_token)).payload['auth_time']);
    expect(payload['auth_time']).toEqual(expect.any(Number));
  });

  test('cannot use an unregistered redirect address, nor omit PKCE', async () => {
    const idp = await start();
    const authorize = (redirectUri: string) => {
      const query = { client_id: DOCS_CLIENT_ID, response_type: 'code', scope: 'openid', redirect_uri: redirectUri };
      return fetch(`${idp.issuer}/auth?${new URLSearchParams(query)}`, { redirect: 'manual' });
    };
    for (const redirectUri of ['http://127.0.0.1:8080/docs/oauth2-redirect.html', 'https://example.org/callback'])
      expect((await authorize(redirectUri)).status).toBe(400);
    expect((await authorize(DOCS_REDIRECT_URI)).headers.get('location')).toContain('error=invalid_request');
  });

  test('signs in to a web server, which needs its secret and gets a refresh token by default', async () => {
    const idp = await start();
    const redirectUri = 'http://127.0.0.1:8070/callback';
    idp.addClient({
      clientId: 'portal',
      clientSecret: 's3cret',
      kind: 'web',
      redirectUris: [redirectUri],
      signedOutUris: ['http://127.0.0.1:8070/'],
    });
    const { code, codeVerifier } = await signIn(idp.issuer, 'alice', redirectUri, { client_id: 'portal' });
    const form = { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri };
    expect((await token(idp, { ...form, client_id: 'portal' })).status).toBe(401);
    const { body } = await token(idp, form, basic('portal', 's3cret'));
    expect((await verify(idp, body.access_token)).payload).toMatchObject({ sub: 'alice', client_id: 'portal' });
    const again = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    expect((await token(idp, again, basic('portal', 's3cret'))).status).toBe(200);
    expect((await token(idp, clientCredentials, basic('portal', 's3cret'))).status).toBe(400);
    await expect(signIn(idp.issuer, 'portal', redirectUri, { client_id: 'portal' })).rejects.toThrow();
  });

  test('cannot use the name of a script', async () => {
    const idp = await start();
    idp.addClient(script);
    await expect(signIn(idp.issuer, script.clientId, DOCS_REDIRECT_URI)).rejects.toThrow();
  });

  test('may call the token endpoint from the pages of the documentation', async () => {
    const idp = await start();
    const origin = 'http://127.0.0.1:8080';
    const { headers } = await token(idp, exchange('none', 'x'.repeat(43), DOCS_REDIRECT_URI), { origin });
    expect(headers.get('access-control-allow-origin')).toBe(origin);
  });
});

describe('the clients file', () => {
  const write = (...clients: unknown[]) => writeFile(join(folder, 'clients.json'), JSON.stringify(clients));
  const tokenStatus = async (idp: DevIdp, secret: string) =>
    (await token(idp, clientCredentials, basic('svc', secret))).status;

  test('is reloaded when it changes, and counts as empty while it is missing', async () => {
    const idp = await start({ clientsFile: join(folder, 'clients.json') });
    expect(await tokenStatus(idp, 's3cret')).toBe(401);
    await write(script);
    expect(await tokenStatus(idp, 's3cret')).toBe(200);
    await write({ ...script, clientSecret: 'another secret' });
    expect(await tokenStatus(idp, 's3cret')).toBe(401);
    await rm(join(folder, 'clients.json'));
    expect(await tokenStatus(idp, 'another secret')).toBe(401);
  });

  test('prevents the start when it is broken, but does not affect a running provider', async () => {
    await write(script);
    const idp = await start({ clientsFile: join(folder, 'clients.json') });
    await write({ clientId: 'svc' });
    expect(await tokenStatus(idp, 's3cret')).toBe(200);
    await expect(start({ clientsFile: join(folder, 'clients.json') })).rejects.toThrow(/entry 0 must be/);
  });
});

test('the signing key survives a restart, so tokens stay valid', async () => {
  const keysFile = join(folder, 'keys.json');
  const first = await start({ keysFile });
  first.addClient(script);
  const { body } = await token(first, clientCredentials, basic('svc', 's3cret'));
  await first.stop();
  expect((await stat(keysFile)).mode & 0o777).toBe(0o600);
  const second = await start({ keysFile, issuer: first.issuer, port: Number(new URL(first.issuer).port) });
  expect((await verify(second, body.access_token)).payload.sub).toBe('svc');
  const published = await (await fetch(`${second.issuer}/jwks`)).text();
  const { keys } = JSON.parse(await readFile(keysFile, 'utf8')) as { keys: { d: string }[] };
  expect(keys).toHaveLength(1);
  for (const { d } of keys) expect(published).not.toContain(d);
  expect(published).not.toContain('"d"');
});

test('the audience is a setting', async () => {
  const idp = await start({ audience: 'other-api' });
  idp.addClient(script);
  const { body } = await token(idp, clientCredentials, basic('svc', 's3cret'));
  expect((await verify(idp, body.access_token, 'other-api')).payload.aud).toBe('other-api');
});

test('a used port is an error that names the variable to set', async () => {
  const idp = await start();
  await expect(start({ port: Number(new URL(idp.issuer).port) })).rejects.toThrow(/IDP_PORT/);
});

test('it never runs in production', () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    expect(() => createDevIdp({ port: 0 })).toThrow(/production/);
  } finally {
    process.env.NODE_ENV = before;
  }
});

test('it needs no variable', () => {
  const config = toConfig(readEnvironment(environment, {}));
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8090,
    audience: 'saleschannel-api',
    accessTokenSeconds: 3600,
  });
  expect(createDevIdp(config).issuer).toBe('http://127.0.0.1:8090');
});
