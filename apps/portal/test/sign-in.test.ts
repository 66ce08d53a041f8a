import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createDevIdp } from '@saleschannel/dev-idp/app';
import { findFreePort } from '@saleschannel/local-backends';
import { decodeJwt } from 'jose';
import { Browser } from './support/browser.ts';
import { bearerToken, countTokenRequests, startPortal, type TestPortal } from './support/portal.ts';

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

describe('a sign-in', () => {
  test('leads to the requested page, with a session that scripts cannot read', async () => {
    const browser = new Browser();
    const visit = await browser.visit(`${portal.url}/sign-in?return=/keys`, 'anna');
    expect(visit).toMatchObject({ url: `${portal.url}/keys`, status: 200 });
    const cookies = [...browser.cookies(portal.url).values()];
    expect(cookies.map(({ name }) => name).toSorted()).toEqual(['portal-seen', 'portal-session.0']);
    for (const { attributes } of cookies) {
      expect(attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=strict', 'path=/']));
      expect(attributes.some((attribute) => attribute.startsWith('domain'))).toBe(false);
    }
  });

  test('describes the session to pages, without tokens', async () => {
    const browser = await portal.signIn('bo');
    await portal.send(browser, API);
    const response = await portal.send(browser, '/session');
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ signedIn: true, issuer: portal.idp.issuer, subject: 'bo' });
    expect(text).not.toContain(bearerToken(portal.upstream.last).slice(0, 20));
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('sends the API a token of the person, and no cookies', async () => {
    const browser = await portal.signIn('anna');
    portal.upstream.answer = (_request, answer) => void answer.setHeader('set-cookie', 'a=b').end('{}');
    const response = await portal.send(browser, API);
    expect(response.headers.getSetCookie()).toEqual([]);
    const { url, headers } = portal.upstream.last;
    expect(url).toBe('/account-portal/me');
    expect(headers.cookie).toBeUndefined();
    expect(decodeJwt(bearerToken(portal.upstream.last))).toMatchObject({ sub: 'anna', aud: 'saleschannel-api' });
  });

  test.each([
    ['//evil.example/x', '/'],
    ['https://evil.example/x', '/'],
    ['/\\evil.example', '/'],
    // These look like paths until their dots are resolved.
    ['/.//evil.example/x', '/'],
    ['/a/..//evil.example/x', '/'],
    ['/%2e//evil.example/x', '/'],
    ['/channel/transactions/t1?a=b', '/channel/transactions/t1?a=b'],
  ])('for %s leads to %s', async (wanted, path) => {
    const browser = new Browser();
    const { url } = await browser.visit(`${portal.url}/sign-in?return=${encodeURIComponent(wanted)}`, 'anna');
    expect(url).toBe(`${portal.url}${path}`);
  });

  test('uses PKCE, state, nonce and a maximum age, and a lax cookie for ten minutes', async () => {
    const browser = new Browser();
    const response = await browser.send(`${portal.url}/sign-in?max_age=900&acr_values=mfa%20urn:phr`);
    expect(response.status).toBe(303);
    const { searchParams } = new URL(String(response.headers.get('location')));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      max_age: '900',
      acr_values: 'mfa urn:phr',
      redirect_uri: `${portal.url}/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)?.length).toBeGreaterThan(30);
    expect(browser.cookies(portal.url).get('portal-login')?.attributes).toEqual(
      expect.arrayContaining(['httponly', 'samesite=lax', 'max-age=600']),
    );
  });

  test('fails in another browser, after its time, or with another state', async () => {
    const browser = new Browser();
    await browser.send(`${portal.url}/sign-in`);
    const login = String(browser.cookies(portal.url).get('portal-login')?.value);
    const answerWith = async (cookie: string, ahead = 0): Promise<Response> => {
      portal.setClockAhead(ahead);
      const query = new URLSearchParams({ code: 'any', state: 'other', iss: portal.idp.issuer });
      return fetch(`${portal.url}/callback?${query}`, { headers: { cookie } });
    };
    for (const response of [
      await answerWith('a=b'),
      await answerWith(`portal-login=${login}`),
      await answerWith(`portal-login=${login}`, 11 * 60_000),
      await answerWith(`portal-login=${login.slice(0, -3)}abc`),
    ]) {
      expect(response.status).toBe(400);
      expect(response.headers.getSetCookie().join()).not.toContain('portal-session');
      expect(response.headers.getSetCookie().join()).toContain('portal-login=gone; Max-Age=0');
    }
  });

  test('fails if the answer names another issuer', async () => {
    const browser = new Browser();
    const begun = await browser.send(`${portal.url}/sign-in`);
    const state = String(new URL(String(begun.headers.get('location'))).searchParams.get('state'));
    const query = new URLSearchParams({ code: 'any', state, iss: 'https://evil.example' });
    const requests = countTokenRequests();
    const response = await browser.send(`${portal.url}/callback?${query}`);
    expect(response.status).toBe(400);
    expect(requests()).toBe(0);
  });

  test('fails with a page while the provider is unreachable', async () => {
    const url = await portal.startReplica({ OIDC_ISSUER: 'http://127.0.0.1:9' });
    const response = await fetch(`${url}/sign-in`, { redirect: 'manual' });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('Try again');
  });

  test('can use another address of the provider than browsers', async () => {
    const issuer = `http://localhost:${await findFreePort()}`;
    const idp = createDevIdp({ port: 0, issuer });
    await idp.start();
    try {
      const url = await portal.startReplica({ PORTAL_OIDC_INTERNAL_URL: `http://${idp.address}`, OIDC_ISSUER: issuer });
      idp.addClient({
        clientId: 'portal',
        clientSecret: 's3cret',
        kind: 'web',
        redirectUris: [`${portal.url}/callback`],
        signedOutUris: [`${portal.url}/`],
      });
      const browser = new Browser();
      const begun = await browser.send(`${url}/sign-in`);
      const there = new URL(String(begun.headers.get('location')));
      expect(there.origin).toBe(issuer);
      const query = new URLSearchParams({ code: 'any', state: String(there.searchParams.get('state')), iss: issuer });
      const answer = await browser.send(`${url}/callback?${query}`);
      // The provider answered that it does not know the code.
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('did not confirm who you are'),
      ]);
    } finally {
      await idp.stop();
    }
  });
});
