import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { createLogger } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { request } from 'undici';
import { Browser } from './support/browser.ts';
import { startPortal, type TestPortal } from './support/portal.ts';

type Line = Record<string, unknown>;

const API = '/api/account-portal/me';
const MINUTE_MS = 60_000;
const lines: Line[] = [];
/** Service log with a high level, which must not silence the security log. */
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
beforeEach(() => {
  portal.setClockAhead(0);
  lines.length = 0;
});

const common = { log: 'security', service: 'portal', address: '127.0.0.1', time: expect.any(String) };
const line = (event: string, more: object): unknown =>
  expect.objectContaining({ ...common, event, requestId: expect.any(String), ...more });
const idOfLastSession = (): string => String([...portal.directory.activeSessions.keys()].at(-1));
const cookieOf = (browser: Browser): string =>
  [...browser.cookies(portal.url).values()].map(({ name, value }) => `${name}=${value}`).join('; ');

test('records sign-in and sign-out with user and session', async () => {
  const browser = await portal.signIn('anna');
  const about = { level: 'info', actor: 'user user-of-anna', sessionId: idOfLastSession() };
  await portal.send(browser, '/sign-out', { method: 'POST', headers: { 'x-request-id': 'r1' } });
  expect(lines).toEqual([
    line('authn_login_success', { ...about, operation: '/callback' }),
    line('session_ended', { ...about, reason: 'sign-out', operation: '/sign-out', requestId: 'r1' }),
  ]);
});

test('records that a new sign-in ended the previous session of the browser', async () => {
  const browser = await portal.signIn('anna');
  const replaced = idOfLastSession();
  await browser.visit(`${portal.url}/sign-in?max_age=0`, 'anna');
  expect(lines.slice(1)).toEqual([
    line('session_ended', { reason: 'replaced', sessionId: replaced }),
    line('authn_login_success', { sessionId: idOfLastSession() }),
  ]);
});

test('records use of the cookie of a session that was ended elsewhere', async () => {
  const browser = await portal.signIn('bo');
  const id = idOfLastSession();
  portal.directory.activeSessions.delete(id);
  const cookie = cookieOf(browser);
  await eventually(async () => (await portal.send(browser, API, { headers: { cookie } })).status === 401, 'its end');
  expect(lines.at(-1)).toEqual(
    line('session_ended', { reason: 'elsewhere', actor: 'user user-of-bo', sessionId: id, operation: '/api' }),
  );
});

test("records the provider's reason if it refuses a new token", async () => {
  const own = await startPortal({ securityLogger, accessTokenSeconds: 1 });
  try {
    const browser = await own.signIn();
    own.setClockAhead(2_000);
    const ask = globalThis.fetch;
    const refused = (): Response => Response.json({ error: 'invalid_grant' }, { status: 400 });
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation((input, init) =>
        String(input).endsWith('/token') ? Promise.resolve(refused()) : ask(input, init),
      );
    expect((await own.send(browser, API)).status).toBe(401);
  } finally {
    jest.restoreAllMocks();
    await own.stop();
  }
  expect(lines.at(-1)).toEqual(line('session_ended', { reason: 'invalid_grant', actor: 'user user-of-anna' }));
});

test('records failed sign-ins with their reason, and without credentials', async () => {
  const callback = (browser: Browser, query: Record<string, string>): Promise<Response> =>
    browser.send(`${portal.url}/callback?${new URLSearchParams(query)}`);
  const begun = async (): Promise<[Browser, string]> => {
    const browser = new Browser();
    const { headers } = await browser.send(`${portal.url}/sign-in`);
    return [browser, String(new URL(String(headers.get('location'))).searchParams.get('state'))];
  };
  await callback(new Browser(), { code: 'stolen-code', state: 'any' });
  const [late, lateState] = await begun();
  portal.setClockAhead(11 * MINUTE_MS);
  await callback(late, { code: 'stolen-code', state: lateState });
  portal.setClockAhead(0);
  const { issuer: iss } = portal.idp;
  const [wrong, state] = await begun();
  await callback(wrong, { code: 'stolen-code', state, iss });
  const [denied, deniedState] = await begun();
  await callback(denied, { error: 'access_denied', state: deniedState, iss });
  const [odd, oddState] = await begun();
  await callback(odd, { error: 'odd\n"log":"forged"', state: oddState, iss });
  await new Browser().visit(`${portal.url}/sign-in`, 'disabled');
  const failed = (reason: string, more = {}): unknown =>
    line('authn_login_fail', { level: 'warn', operation: '/callback', reason, ...more });
  expect(lines).toEqual([
    failed('sign-in-unknown'),
    failed('sign-in-expired'),
    failed('invalid_grant'),
    failed('access_denied'),
    failed('refused-by-provider'),
    failed('refused-by-identity', { actor: 'subject disabled' }),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/stolen-code|forged/);
});

test('records a request of another site', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  for (const [path, method] of [
    [`${API}?secret=1`, 'GET'],
    ['/sign-out', 'POST'],
  ] as const)
    await fetch(`${portal.url}${path}`, { method, headers });
  expect(lines).toEqual([
    line('malicious_cors', { level: 'warn', reason: 'cross-site', operation: '/api' }),
    line('malicious_cors', { level: 'warn', reason: 'cross-site', operation: '/sign-out' }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('records rate-limited public requests, a thousand of them once', async () => {
  portal.upstream.answer = (_request, response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}');
  for (let index = 0; index < 5; index += 1) await fetch(`${portal.url}/r/some-statement-${index}`);
  await eventually(() => Promise.resolve(lines.length > 0), 'the line');
  expect(lines).toEqual([line('excess_rate_limit_exceeded', { level: 'warn', operation: '/r/:id' })]);
});

test('records bytes that are not HTTP', async () => {
  await request(portal.url, { headers: { a: 'x'.repeat(40_000) } }).then(({ body }) => body.dump());
  expect(lines).toEqual([expect.objectContaining({ ...common, event: 'input_validation_fail' })]);
});
