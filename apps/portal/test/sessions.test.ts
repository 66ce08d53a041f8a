import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { Browser, fromOwnPage } from './support/browser.ts';
import { bearerToken, countTokenRequests, createCookieKey, startPortal, type TestPortal } from './support/portal.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const API = '/api/account-portal/me';

let portal: TestPortal;

beforeAll(async () => {
  // oidc-provider warns about its development pages.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal();
});
afterAll(() => portal.stop());
beforeEach(() => portal.setClockAhead(0));
afterEach(() => void jest.restoreAllMocks());

const problemType = async (response: Response): Promise<unknown> => ((await response.json()) as { type: string }).type;
const cookieHeader = (browser: Browser): string =>
  [...browser.cookies(portal.url).values()].map(({ name, value }) => `${name}=${value}`).join('; ');

describe('a session', () => {
  test('needs all its cookies, unchanged', async () => {
    const browser = await portal.signIn();
    const jar = browser.cookies(portal.url);
    const session = String(jar.get('portal-session.0')?.value);
    const seen = String(jar.get('portal-seen')?.value);
    const changed = (text: string): string => `${text.slice(0, -6)}${text.endsWith('AAAAAA') ? 'B' : 'A'}AAAAA`;
    for (const cookie of [
      'a=b',
      `portal-session.0=${session}`,
      `portal-session.0=${changed(session)}; portal-seen=${seen}`,
      `portal-session.0=${session}; portal-seen=${changed(seen)}`,
      // Sealed for another purpose.
      `portal-session.0=1~${seen}; portal-seen=${seen}`,
    ]) {
      const response = await fetch(`${portal.url}${API}`, { headers: { ...fromOwnPage, cookie } });
      expect({ cookie, status: response.status, type: await problemType(response) }).toEqual({
        cookie,
        status: 401,
        type: '/problems/session-missing',
      });
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
  });

  test('is not extended by the cookie of another browser', async () => {
    const [one, other] = [await portal.signIn('anna'), await portal.signIn('bo')];
    const cookie = [one.cookies(portal.url).get('portal-session.0'), other.cookies(portal.url).get('portal-seen')]
      .map((each) => `${each?.name}=${each?.value}`)
      .join('; ');
    expect((await fetch(`${portal.url}${API}`, { headers: { ...fromOwnPage, cookie } })).status).toBe(401);
  });

  test('ends after half an hour without activity', async () => {
    const browser = await portal.signIn();
    portal.setClockAhead(29 * MINUTE_MS);
    expect((await portal.send(browser, API)).status).toBe(200);
    portal.setClockAhead(58 * MINUTE_MS);
    // Automatic requests of the page do not count.
    expect((await portal.send(browser, API, { headers: { 'x-portal': 'background' } })).status).toBe(200);
    portal.setClockAhead(60 * MINUTE_MS);
    const response = await portal.send(browser, API);
    expect(response.status).toBe(401);
    expect(browser.cookies(portal.url).size).toBe(0);
    expect(await (await portal.send(browser, '/session')).json()).toEqual({ signedIn: false });
  });

  test('continues if the person confirms it', async () => {
    const browser = await portal.signIn();
    portal.setClockAhead(29 * MINUTE_MS);
    expect((await portal.send(browser, '/session', { method: 'POST' })).status).toBe(200);
    portal.setClockAhead(58 * MINUTE_MS);
    expect((await portal.send(browser, API)).status).toBe(200);
  });

  test('ends after twelve hours in any case', async () => {
    const browser = await portal.signIn();
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      portal.setClockAhead(minutes * MINUTE_MS);
      expect((await portal.send(browser, API)).status).toBe(200);
    }
    portal.setClockAhead(12 * HOUR_MS);
    expect((await portal.send(browser, API)).status).toBe(401);
  });

  test('refreshes its token once for concurrent and late requests', async () => {
    const browser = await portal.signIn();
    await portal.send(browser, '/session', { method: 'POST' });
    portal.setClockAhead(29 * MINUTE_MS);
    await portal.send(browser, '/session', { method: 'POST' });
    portal.setClockAhead(58 * MINUTE_MS);
    await portal.send(browser, '/session', { method: 'POST' });
    const before = cookieHeader(browser);
    await portal.send(browser, API);
    const oldToken = bearerToken(portal.upstream.last);
    portal.setClockAhead(61 * MINUTE_MS);
    const requests = countTokenRequests();
    const first = portal.upstream.received.length;
    const get = (): Promise<Response> => fetch(`${portal.url}${API}`, { headers: { ...fromOwnPage, cookie: before } });
    const responses = await Promise.all(Array.from({ length: 12 }, get));
    responses.push(await get());
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(requests()).toBe(1);
    const tokens = new Set(portal.upstream.received.slice(first).map(bearerToken));
    expect(tokens.size).toBe(1);
    expect(tokens.has(oldToken)).toBe(false);
    // Each answer has the new cookies, since any of them may get lost.
    for (const { headers } of responses) expect(headers.getSetCookie().join()).toContain('portal-session.0=');
  });

  test('ends if the provider refuses a new token', async () => {
    const own = await startPortal({ accessTokenSeconds: 1 });
    try {
      const browser = await own.signIn();
      own.setClockAhead(2_000);
      const ask = globalThis.fetch;
      jest
        .spyOn(globalThis, 'fetch')
        .mockImplementation((input, init) =>
          String(input).endsWith('/token')
            ? Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }))
            : ask(input, init),
        );
      expect((await own.send(browser, API)).status).toBe(401);
      expect(own.upstream.received).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  test('survives an unreachable provider, with an answer to retry', async () => {
    const own = await startPortal({ accessTokenSeconds: 1 });
    try {
      const browser = await own.signIn();
      await own.idp.stop();
      own.setClockAhead(2_000);
      const response = await own.send(browser, API);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(browser.cookies(own.url).size).toBe(2);
    } finally {
      await own.stop();
    }
  });

  test('continues while the provider is unreachable, until its token expires', async () => {
    // Short enough for an immediate refresh, and longer than this test.
    const own = await startPortal({ accessTokenSeconds: 29 });
    try {
      const browser = await own.signIn();
      await own.idp.stop();
      expect((await own.send(browser, API)).status).toBe(200);
    } finally {
      await own.stop();
    }
  });

  test('survives a change of keys while the previous key is known', async () => {
    const cookie = cookieHeader(await portal.signIn());
    const both = await portal.startReplica({ PORTAL_COOKIE_KEYS: `${createCookieKey('b')},${createCookieKey('a')}` });
    const none = await portal.startReplica({ PORTAL_COOKIE_KEYS: createCookieKey('b') });
    const headers = { 'x-portal': '1', 'sec-fetch-site': 'same-origin', cookie };
    expect((await fetch(`${both}${API}`, { headers })).status).toBe(200);
    expect((await fetch(`${none}${API}`, { headers })).status).toBe(401);
  });

  test('has cookies with the prefix __Host- over HTTPS', async () => {
    const url = await portal.startReplica({ PORTAL_URL: 'https://portal.example.org' });
    const response = await fetch(`${url}/sign-in`, { redirect: 'manual' });
    const [cookie = 'none'] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-portal-login=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('is refused over plain HTTP, except on loopback addresses', async () => {
    await expect(portal.startReplica({ PORTAL_URL: 'http://portal.example.org' })).rejects.toThrow('must use HTTPS');
  });
});

describe('a copied cookie', () => {
  const send = (url: string, path: string, cookie: string, method = 'GET'): Promise<Response> =>
    fetch(`${url}${path}`, { method, headers: { ...fromOwnPage, cookie } });
  const KEYS = '/api/authentication/users/me/api-keys';

  test('is invalid after the sign-out, on every replica', async () => {
    const browser = await portal.signIn();
    const copied = cookieHeader(browser);
    const other = await portal.startReplica({});
    for (const url of [portal.url, other]) expect((await send(url, API, copied)).status).toBe(200);
    expect((await portal.send(browser, '/sign-out', { method: 'POST' })).status).toBe(200);
    expect((await send(portal.url, API, copied)).status).toBe(401);
    expect(await (await send(portal.url, '/session', copied)).json()).toEqual({ signedIn: false });
    await eventually(async () => (await send(other, API, copied)).status === 401, 'the other replica');
    const before = portal.upstream.received.length;
    for (const url of [portal.url, other])
      for (const [path, method] of [
        [API, 'GET'],
        [KEYS, 'POST'],
        ['/session', 'POST'],
      ] as const)
        expect((await send(url, path, copied, method)).status).toBe(path === '/session' ? 200 : 401);
    expect(portal.upstream.received).toHaveLength(before);
  });

  test('ends with a sign-out, even after a long idle time of its browser', async () => {
    const browser = await portal.signIn();
    const copied = cookieHeader(browser);
    const [id = 'none'] = [...portal.directory.activeSessions.keys()].slice(-1);
    browser.cookies(portal.url).delete('portal-seen');
    await portal.send(browser, '/sign-out', { method: 'POST' });
    expect(portal.directory.activeSessions.has(id)).toBe(false);
    expect((await send(portal.url, API, copied)).status).toBe(401);
  });

  test('is invalid after the next sign-in of its browser', async () => {
    const browser = await portal.signIn();
    const copied = cookieHeader(browser);
    await browser.visit(`${portal.url}/sign-in?max_age=0`, 'anna');
    expect((await send(portal.url, API, copied)).status).toBe(401);
    expect((await portal.send(browser, API)).status).toBe(200);
  });

  test('is invalid while identity is unreachable', async () => {
    const own = await startPortal();
    try {
      const browser = await own.signIn();
      own.directory.setReachable(false);
      for (const [path, method] of [
        [API, 'GET'],
        ['/session', 'GET'],
        ['/sign-out', 'POST'],
      ] as const)
        expect({ path, status: (await own.send(browser, path, { method })).status }).toEqual({ path, status: 503 });
      expect(own.upstream.received).toEqual([]);
      // The browser keeps it for a later sign-out.
      own.directory.setReachable(true);
      expect((await own.send(browser, '/sign-out', { method: 'POST' })).status).toBe(200);
      expect(own.directory.activeSessions.size).toBe(0);
    } finally {
      await own.stop();
    }
  });
});

describe('the record of a session', () => {
  test('contains every access token before its first use', async () => {
    const own = await startPortal({ accessTokenSeconds: 31 });
    try {
      const browser = await own.signIn();
      for (const ms of [0, 2_000, 4_000]) {
        own.setClockAhead(ms);
        await own.send(browser, API);
        const token = bearerToken(own.upstream.last);
        expect([...own.directory.tokens]).toContain(createHash('sha256').update(token).digest('hex'));
      }
      expect(own.directory.tokens.size).toBeGreaterThan(1);
    } finally {
      await own.stop();
    }
  });

  test('is required for a session', async () => {
    const browser = new Browser();
    const visit = await browser.visit(`${portal.url}/sign-in`, 'disabled');
    expect(visit.status).toBe(400);
    expect(browser.cookies(portal.url).size).toBe(0);
  });
});

describe('a sign-out', () => {
  test('ends the session here and leads to the sign-out at the provider', async () => {
    const browser = await portal.signIn();
    const response = await portal.send(browser, '/sign-out', { method: 'POST' });
    const { signOutUrl } = (await response.json()) as { signOutUrl: string };
    expect(signOutUrl).toMatch(`${portal.idp.issuer}/session/end?client_id=portal`);
    expect(browser.cookies(portal.url).size).toBe(0);
  });

  test('does not wait for a silent provider', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    try {
      const url = await portal.startReplica({ PORTAL_OIDC_INTERNAL_URL: `http://127.0.0.1:${port}` });
      const cookie = cookieHeader(await portal.signIn());
      const response = await fetch(`${url}/sign-out`, { method: 'POST', headers: { ...fromOwnPage, cookie } });
      expect(await response.json()).toEqual({ signOutUrl: `${portal.url}/` });
      expect(response.headers.getSetCookie().join()).toContain('portal-session.0=gone; Max-Age=0');
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });
});
