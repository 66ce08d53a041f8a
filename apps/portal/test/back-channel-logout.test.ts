import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { createLogger } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { fromOwnPage, type Browser } from './support/browser.ts';
import { startPortal, type TestPortal } from './support/portal.ts';

const API = '/api/account-portal/me';
const PATH = '/backchannel-logout';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Line = Record<string, unknown>;
/** The security log records equal entries once. */
const lines: Line[] = [];
const securityLogger = createLogger('portal', 'fatal', {
  write: (text: string) => lines.push(JSON.parse(text) as Line),
});

let portal: TestPortal;
beforeAll(async () => {
  // oidc-provider warns about its development pages.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal({ securityLogger });
});
afterAll(() => portal.stop());

const post = (url: string, body: string, headers: Record<string, string> = FORM): Promise<Response> =>
  fetch(`${url}${PATH}`, { method: 'POST', headers, body });
const send = (url: string, token: string): Promise<Response> =>
  post(url, new URLSearchParams({ logout_token: token }).toString());

/** Signs out at the provider's own page, with the cookies that it gave the browser. */
async function signOutAtProvider(browser: Browser): Promise<void> {
  const asked = await browser.send(`${portal.idp.issuer}/session/end`);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await asked.text())?.[1];
  const body = new URLSearchParams({ xsrf: String(xsrf), logout: 'yes' }).toString();
  const done = await browser.send(`${portal.idp.issuer}/session/end/confirm`, { method: 'POST', headers: FORM, body });
  expect(done.status).toBeLessThan(400);
}

test('a sign-out at the provider ends only the session of its browser', async () => {
  const here = await portal.signIn('anna');
  const sessionId = [...portal.directory.activeSessions.keys()].at(-1);
  const elsewhere = await portal.signIn('anna');
  for (const browser of [here, elsewhere]) expect((await portal.send(browser, API)).status).toBe(200);
  await signOutAtProvider(here);
  expect((await portal.send(here, API)).status).toBe(401);
  expect((await portal.send(elsewhere, API)).status).toBe(200);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'session_ended', reason: 'provider', sessionId, operation: PATH }),
  );
});

/** Uses a provider with keys of the test, and a portal. */
describe('a logout token', () => {
  let server: Server;
  let issuer: string;
  let url: string;
  let keys: Record<'own' | 'strange', CryptoKey>;
  let isDown = false;

  beforeAll(async () => {
    const [own, strange] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
    keys = { own: own.privateKey, strange: strange.privateKey };
    const published = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256' }] };
    server = createServer(({ url: path }, response) => {
      const document = { issuer, jwks_uri: `${issuer}/jwks`, authorization_endpoint: `${issuer}/auth` };
      response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(path === '/jwks' ? published : document));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    url = await portal.startReplica({ OIDC_ISSUER: issuer });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => void (isDown = false));

  const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

  interface Made {
    readonly claims?: Record<string, unknown>;
    readonly header?: Record<string, unknown>;
    readonly key?: CryptoKey | Uint8Array;
  }

  /** Signs a token, valid except for the given values. Undefined omits a claim. */
  const signToken = ({ claims = {}, header = {}, key = keys.own }: Made = {}): Promise<string> => {
    const all = {
      iss: issuer,
      aud: 'portal',
      iat: nowSeconds(),
      exp: nowSeconds() + 120,
      jti: newId(),
      sub: 'anna',
      events: { [EVENT]: {} },
      ...claims,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new SignJWT(given).setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'logout+jwt', ...header }).sign(key);
  };

  const rest = { signedInAt: 'then', expiresAt: 'later', token: null };
  const begin = (id: string, subject: string, providerSession: string): void =>
    void portal.directory.activeSessions.set(id, { id, issuer, subject, providerSession, ...rest });
  const isActive = (id: string): boolean => portal.directory.activeSessions.has(id);

  test('ends the named session, or all sessions of the person', async () => {
    for (const [id, sid] of [
      ['s1', 'p1'],
      ['s2', 'p2'],
      ['s3', 'p3'],
    ] as const)
      begin(id, 'anna', sid);
    begin('other', 'bo', 'p4');
    const one = await send(url, await signToken({ claims: { sub: undefined, sid: 'p1' } }));
    expect([one.status, one.headers.get('cache-control'), await one.text()]).toEqual([200, 'no-store', '']);
    expect(['s1', 's2'].map(isActive)).toEqual([false, true]);
    expect((await send(url, await signToken({ claims: { sid: 'p2' } }))).status).toBe(200);
    expect(['s2', 's3'].map(isActive)).toEqual([false, true]);
    expect((await send(url, await signToken())).status).toBe(200);
    expect(['s3', 'other'].map(isActive)).toEqual([false, true]);
    // Succeeds without sessions too.
    expect((await send(url, await signToken())).status).toBe(200);
  });

  test('may have several audiences, and neither type nor expiry', async () => {
    for (const made of [
      { claims: { aud: ['other', 'portal'] } },
      { header: { typ: undefined } },
      { header: { typ: 'JWT' } },
      { claims: { exp: undefined } },
    ])
      expect((await send(url, await signToken(made))).status).toBe(200);
  });

  test.each<[string, () => Made]>([
    ['signature', () => ({ key: keys.strange })],
    ['signature', () => ({ header: { kid: 'k2' } })],
    ['signature', () => ({ header: { alg: 'HS256' }, key: new TextEncoder().encode('s3cret'.repeat(8)) })],
    ['iss', () => ({ claims: { iss: 'https://evil.example' } })],
    ['aud', () => ({ claims: { aud: 'console' } })],
    ['exp', () => ({ claims: { exp: nowSeconds() - 60 } })],
    ['iat', () => ({ claims: { iat: undefined } })],
    ['exp', () => ({ claims: { iat: nowSeconds() - 600, exp: undefined } })],
    ['iat', () => ({ claims: { iat: nowSeconds() + 600 } })],
    ['events', () => ({ claims: { events: undefined } })],
    ['events', () => ({ claims: { events: { other: {} } } })],
    ['events', () => ({ claims: { events: [EVENT] } })],
    ['events', () => ({ claims: { events: { [EVENT]: 'x' } } })],
    ['nonce', () => ({ claims: { nonce: 'n' } })],
    ['jti', () => ({ claims: { jti: undefined } })],
    ['sub', () => ({ claims: { sub: undefined } })],
    ['sub', () => ({ claims: { sub: '' } })],
    ['sid', () => ({ claims: { sid: 7 } })],
    ['sid', () => ({ claims: { sid: 'x'.repeat(256) } })],
    ['typ', () => ({ header: { typ: 'at+jwt' } })],
  ])('is refused for its %s', async (reason, made) => {
    begin('kept', 'anna', 'p1');
    const token = await signToken(made());
    const response = await send(url, token);
    expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await response.json()).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    expect(isActive('kept')).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'input_validation_fail', reason: `logout-token ${reason}` }),
    );
    expect(JSON.stringify(lines)).not.toContain(token.slice(0, 20));
  });

  test.each(['', 'logout_token=', 'logout_token=abc', 'logout_token=a.b.c', `other=${'x'.repeat(100)}`])(
    'is refused in the form %j',
    async (body) => expect((await post(url, body)).status).toBe(400),
  );

  test('with the algorithm "none" is refused', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: issuer, aud: 'portal', iat: nowSeconds(), jti: 'j', sub: 'anna', events: { [EVENT]: {} } };
    for (const signature of ['', 'AAAA'])
      expect((await send(url, `${part({ alg: 'none' })}.${part(claims)}.${signature}`)).status).toBe(400);
  });

  test('is accepted once', async () => {
    const token = await signToken();
    expect((await send(url, token)).status).toBe(200);
    begin('later', 'anna', 'p1');
    expect((await send(url, token)).status).toBe(400);
    expect(isActive('later')).toBe(true);
  });

  test('can be sent again if the sessions could not be ended', async () => {
    begin('waits', 'anna', 'p1');
    const token = await signToken();
    portal.directory.setReachable(false);
    try {
      const response = await send(url, token);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    } finally {
      portal.directory.setReachable(true);
    }
    expect((await send(url, token)).status).toBe(200);
    expect(isActive('waits')).toBe(false);
  });

  test('cannot be verified while the provider is unreachable', async () => {
    isDown = true;
    const other = await portal.startReplica({ OIDC_ISSUER: issuer });
    expect((await send(other, await signToken())).status).toBe(503);
    isDown = false;
    await eventually(async () => (await send(other, await signToken())).status === 200, 'the provider');
  });

  test('must be in a small form, by POST', async () => {
    const token = await signToken();
    expect(
      (await post(url, JSON.stringify({ logout_token: token }), { 'content-type': 'application/json' })).status,
    ).toBe(415);
    expect((await post(url, `logout_token=${'x'.repeat(20_000)}`)).status).toBe(413);
    expect((await fetch(`${url}${PATH}?logout_token=${token}`)).status).toBe(404);
  });

  test('needs no cookie, and a cookie alone ends no session', async () => {
    const browser = await portal.signIn('bo');
    const response = await browser.send(`${portal.url}${PATH}`, {
      method: 'POST',
      headers: { ...fromOwnPage, ...FORM },
      body: 'logout_token=a.b.c',
    });
    expect(response.status).toBe(400);
    expect((await portal.send(browser, API)).status).toBe(200);
  });
});
