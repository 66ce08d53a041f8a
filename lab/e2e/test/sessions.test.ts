import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Sealer } from '@saleschannel/auth';
import { eventually } from '@saleschannel/testing';
import { request } from 'undici';
import { z } from 'zod';
import type { Client } from '../src/client.ts';
import { ConsoleBrowser, pageHeaders, startConsole } from './support/console.ts';
import { testCoverage } from './support/coverage.ts';
import { useOwnSystem } from './support/system.ts';

/** Cookies and tokens of an ended session are rejected everywhere. */

const system = useOwnSystem({ gateways: 2, portal: { replicas: 2 } });
beforeAll(() => {
  // oidc-provider warns about its development pages.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

const COOKIE_OF_SESSION = /portal-session\.0=1~([^;]+)/;
const tokens = z.object({ accessToken: z.string() });

interface SignedIn {
  readonly browser: ConsoleBrowser;
  /** Copies of the browser's cookie and of the portal's token. */
  readonly cookie: string;
  readonly accessToken: string;
}

async function signedIn(name: string): Promise<SignedIn> {
  const browser = new ConsoleBrowser(String(system().portalUrl), new Set());
  await browser.signIn(name);
  const { cookie } = browser;
  // The key of the cookies decrypts the token in them.
  const sealer = new Sealer([Buffer.from(system().place.secrets.portalCookieKeys, 'base64url')]);
  const session = await sealer.open('portal-session', COOKIE_OF_SESSION.exec(cookie)?.[1] ?? '', tokens);
  return { browser, cookie, accessToken: String(session?.accessToken) };
}

const requestStatus = async (url: string, method: string, headers: Record<string, string>): Promise<number> => {
  const { statusCode, body } = await request(url, { method: method as 'GET', headers });
  await body.dump();
  return statusCode;
};

/** Statuses of requests with the copies, at every portal and gateway. */
async function requestEverywhere({ cookie, accessToken }: SignedIn): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const atPortal = { ...pageHeaders, cookie };
  for (const [index, url] of system().portalUrls.entries()) {
    answers[`portal ${index} reads`] = await requestStatus(`${url}/api/account-portal/me`, 'GET', atPortal);
    answers[`portal ${index} makes a key`] = await requestStatus(
      `${url}/api/authentication/users/me/api-keys`,
      'POST',
      atPortal,
    );
  }
  for (const [index, url] of system().baseUrls.entries()) {
    const authorization = `Bearer ${accessToken}`;
    answers[`gateway ${index} reads`] = await requestStatus(`${url}/account-portal/me`, 'GET', { authorization });
    answers[`gateway ${index} makes a key`] = await requestStatus(`${url}/authentication/users/me/api-keys`, 'POST', {
      authorization,
    });
  }
  return answers;
}

const isRefusedEverywhere = async (copied: SignedIn): Promise<boolean> =>
  Object.values(await requestEverywhere(copied)).every((status) => status === 401);

const countApiKeys = async (userId: string): Promise<number> =>
  (await system().querySql('identity', 'select from api_key where user_id = $1', [userId])).length;

const listEnds = (subject: string): Promise<{ endedBy: string }[]> =>
  system().querySql('identity', 'select ended_by as "endedBy" from session where subject = $1', [subject]);

const getUserId = async (subject: string): Promise<string> => {
  const [user] = await system().querySql<{ id: string }>('identity', 'select id from app_user where subject = $1', [
    subject,
  ]);
  return String(user?.id);
};

describe('copies of cookies and tokens', () => {
  test('are rejected after the sign-out, at every portal and gateway', async () => {
    const copied = await signedIn('copied');
    expect(Object.values(await requestEverywhere(copied)).toSorted()).toEqual([200, 200, 200, 200, 201, 201, 201, 201]);
    const userId = await getUserId('copied');
    const { statusCode, body } = await copied.browser.open(`${String(system().portalUrl)}/sign-out`, 'POST', {
      headers: pageHeaders,
    });
    await body.dump();
    expect(statusCode).toBe(200);
    await eventually(() => isRefusedEverywhere(copied), 'the end of the session everywhere');
    const keys = await countApiKeys(userId);
    expect(await isRefusedEverywhere(copied)).toBe(true);
    expect(await countApiKeys(userId)).toBe(keys);
  });

  test('are rejected after an operator has ended all sessions of their user', async () => {
    const copied = await signedIn('lost-laptop');
    expect(await isRefusedEverywhere(copied)).toBe(false);
    const userId = await getUserId('lost-laptop');
    await system().runAdmin('end-sessions', userId, '--reason', 'lost laptop');
    await eventually(() => isRefusedEverywhere(copied), 'the end of the session everywhere');
    expect(await isRefusedEverywhere(await signedIn('lost-laptop'))).toBe(false);
  });

  test('are rejected after their user is disabled, permanently', async () => {
    const copied = await signedIn('left');
    expect(await isRefusedEverywhere(copied)).toBe(false);
    const userId = await getUserId('left');
    await system().runAdmin('disable-user', userId, '--reason', 'left');
    await eventually(() => isRefusedEverywhere(copied), 'the end of the session everywhere');
    await system().runAdmin('enable-user', userId);
    // By now gateways and portals know that the user is enabled again.
    const again = await signedIn('left');
    expect(await isRefusedEverywhere(again)).toBe(false);
    expect(await isRefusedEverywhere(copied)).toBe(true);
  });
});

test('a copied cookie of the console is rejected after the sign-out, at every replica', async () => {
  const console = await startConsole(system(), { replicas: 2 });
  try {
    const olga = await console.signIn('olga');
    const copied = { ...pageHeaders, cookie: olga.cookie };
    const answers = () =>
      Promise.all(
        console.urls.flatMap((url) => [
          requestStatus(`${url}/operator/v1/sales-channels`, 'GET', copied),
          requestStatus(`${url}/operator/v1/sales-channels`, 'POST', copied),
        ]),
      );
    // Without a body nothing is created, but 400 shows that the session was accepted.
    expect(await answers()).toEqual([200, 400, 200, 400]);
    expect(await requestStatus(`${console.url}/sign-out`, 'POST', copied)).toBe(200);
    const areRefused = async () => (await answers()).every((status) => status === 401);
    await eventually(areRefused, 'the end of the session at both consoles');
  } finally {
    await console.stop();
  }
});

describe('a person with sessions in two browsers', () => {
  const SESSIONS = '/account-portal/me/sessions';
  interface Listed {
    readonly id: string;
    readonly client: string;
    readonly current: boolean;
  }
  /** Requests sessions as the portal does. */
  const createApiClient = ({ accessToken }: SignedIn): Client => system().createClient({ bearer: accessToken });

  test('ends the other one, which every portal and gateway then rejects, and keeps their own', async () => {
    const [own, there] = [await signedIn('two-browsers'), await signedIn('two-browsers')];
    const listed = await createApiClient(own).ok<Listed[]>('GET', SESSIONS);
    expect(listed.map(({ client, current }) => [client, current]).toSorted()).toEqual([
      ['portal', false],
      ['portal', true],
    ]);
    const other = listed.find(({ current }) => !current);
    expect(await createApiClient(own).ok('DELETE', `${SESSIONS}/${other?.id}`)).toEqual(other);
    await eventually(() => isRefusedEverywhere(there), 'the end of the other session everywhere');
    expect(await isRefusedEverywhere(own)).toBe(false);
    expect(await createApiClient(own).ok('GET', SESSIONS)).toMatchObject([{ current: true }]);
  });

  test('ends all others, and then all', async () => {
    const [own, there] = [await signedIn('leaves'), await signedIn('leaves')];
    expect(await createApiClient(own).ok<Listed[]>('DELETE', SESSIONS, { query: { others: 'true' } })).toMatchObject([
      { current: false },
    ]);
    await eventually(() => isRefusedEverywhere(there), 'the end of the other session everywhere');
    expect(await isRefusedEverywhere(own)).toBe(false);
    expect(await createApiClient(own).ok<Listed[]>('DELETE', SESSIONS)).toMatchObject([{ current: true }]);
    await eventually(() => isRefusedEverywhere(own), 'the end of all sessions everywhere');
  });
});

test('a sign-out at the provider ends the session of its browser everywhere', async () => {
  const copied = await signedIn('signs-out-there');
  expect(await isRefusedEverywhere(copied)).toBe(false);
  const { browser } = copied;
  const issuer = system().issuer;
  const page = await (await browser.open(`${issuer}/session/end`)).body.text();
  const xsrf = String(/name="xsrf" value="([^"]+)"/.exec(page)?.[1]);
  const form = new URLSearchParams({ xsrf, logout: 'yes' }).toString();
  const confirmed = await browser.open(`${issuer}/session/end/confirm`, 'POST', {
    file: ['application/x-www-form-urlencoded', form],
  });
  await confirmed.body.dump();
  expect(confirmed.statusCode).toBeLessThan(400);
  await eventually(() => isRefusedEverywhere(copied), 'the end of the session everywhere');
  expect((await listEnds('signs-out-there')).map(({ endedBy }) => endedBy)).toEqual(['PROVIDER']);
});

test('streams of events end with the session of their token, at the gateway and through the portal', async () => {
  const [channel] = system().channels;
  const copied = await signedIn('streams');
  await system().administration.assignRoles({
    issuer: system().issuer,
    subject: 'streams',
    salesChannelId: channel.salesChannelId,
    roles: ['EVENT_VIEWER'],
  });
  const accept = { accept: 'text/event-stream' };
  const authorization = `Bearer ${copied.accessToken}`;
  const open = async (url: string, headers: Record<string, string>): Promise<Promise<string>[]> =>
    eventually(async () => {
      const { statusCode, body } = await request(`${url}/saleschannel-services/v1/events/stream`, { headers });
      // Wrapped in an array, because a returned promise would be awaited.
      if (statusCode === 200) return [body.text()];
      await body.dump();
      return undefined;
    }, `a stream at ${url}`);
  const streams = [
    ...(await Promise.all(system().baseUrls.map((url) => open(url, { ...accept, authorization })))),
    ...(await Promise.all(
      system().portalUrls.map((url) => open(`${url}/api`, { ...accept, ...pageHeaders, cookie: copied.cookie })),
    )),
  ].flat();
  expect(streams).toHaveLength(4);
  const { body } = await copied.browser.open(`${String(system().portalUrl)}/sign-out`, 'POST', {
    headers: pageHeaders,
  });
  await body.dump();
  // Long before streams end on their own.
  for (const text of await Promise.all(streams)) expect(text).toContain(': open');
});

testCoverage('sessions');
