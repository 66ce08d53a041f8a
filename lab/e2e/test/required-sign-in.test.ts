import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { accessRules, type AccessRule } from '@saleschannel/auth';
import { eventually } from '@saleschannel/testing';
import { operations } from '../src/contract.ts';
import { ConsoleBrowser, pageHeaders } from './support/console.ts';
import { Scs, signInAt } from './support/scs.ts';
import { useOwnSystem } from './support/system.ts';
import { buyer, inventoryPath, issue, newKey, operator, seller } from './support/api.ts';

beforeAll(() => {
  // oidc-provider warns about its development pages.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

const MAKE_KEY = '/authentication/users/me/api-keys';

/** The development identity provider never confirms a second factor. */
describe('where a second factor is required', () => {
  const system = useOwnSystem({
    portal: {},
    variables: { RECENT_SIGN_IN: 'everybody', RECENT_SIGN_IN_ACR: 'mfa phr' },
  });

  test('a recent sign-in without it may read, and is sent to the provider for changes', async () => {
    const portalUrl = String(system().portalUrl);
    const browser = new ConsoleBrowser(portalUrl, new Set());
    await browser.signIn('anna');
    const { statusCode, headers, body } = await browser.open(`${portalUrl}/api${MAKE_KEY}`, 'POST', {
      headers: pageHeaders,
    });
    await body.dump();
    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toMatch(
      /insufficient_user_authentication.*max_age="900", acr_values="mfa phr"$/,
    );
    const redirect = await browser.open(`${portalUrl}/sign-in?max_age=900&acr_values=mfa+phr`);
    await redirect.body.dump();
    expect(new URL(String(redirect.headers['location'])).searchParams.get('acr_values')).toBe('mfa phr');
  });

  test('a personal access token may read, and scs explains how to get a stronger one', async () => {
    const scs = new Scs();
    try {
      const issuer = system().demo.tokenEndpoint.replace(/\/token$/, '');
      const signingIn = scs.start('login', '--base-url', system().baseUrl, '--issuer', issuer, '--no-browser');
      const lines = createInterface(signingIn.stderr)[Symbol.asyncIterator]();
      const { value: first } = (await lines.next()) as { value: string };
      await signInAt(first.replace('Sign in here: ', ''), 'dora');
      expect(await once(signingIn, 'exit')).toEqual([0, null]);
      const refused = await scs.run(['keys', 'create']);
      expect(refused).toMatchObject({ code: 1, output: '' });
      expect(refused.errors).toContain('scs login --fresh --acr "mfa phr"');
      expect(await scs.records('whoami')).toEqual([expect.objectContaining({ name: 'dora' })]);
    } finally {
      scs.leave();
    }
  });

  test('programs need none, neither with a key nor with a token of their client', async () => {
    const user = operator(system().channels[0]);
    for (const client of [system().createClient(user), await system().createBearerClient(user)])
      expect((await client.send('POST', MAKE_KEY)).status).toBe(201);
  });
});

/** An hour after the sign-in a session still reads, but makes no change that moves certificates or grants rights. */
describe('where a recent sign-in is required', () => {
  const system = useOwnSystem({ portal: {}, variables: { RECENT_SIGN_IN: 'everybody' } });
  const OLD_SIGN_IN = /^Bearer error="insufficient_user_authentication", .*max_age="900"$/;

  interface SentRequest {
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
  }

  async function send(browser: ConsoleBrowser, method: string, path: string, { body, headers }: SentRequest = {}) {
    const answer = await browser.open(`${String(system().portalUrl)}/api${path}`, method, {
      body,
      headers: { ...pageHeaders, ...headers },
    });
    const problem = (await answer.body.json()) as Record<string, unknown>;
    return { status: answer.statusCode, headers: answer.headers, problem };
  }

  async function signedIn(name: string): Promise<ConsoleBrowser> {
    const browser = new ConsoleBrowser(String(system().portalUrl), new Set());
    await browser.signIn(name);
    return browser;
  }

  /** Backdates the sessions of a person by an hour. */
  const age = (subject: string): Promise<object[]> =>
    system().querySql(
      'identity',
      `update session set signed_in_at = signed_in_at - interval '1 hour' where subject = $1`,
      [subject],
    );

  const rules: Readonly<Record<string, AccessRule>> = accessRules;
  const isFresh = (rule: AccessRule | undefined): boolean => rule?.principal === 'user' && rule.fresh !== undefined;
  const isOfHolders = (rule: AccessRule | undefined): boolean => rule?.principal === 'user' && rule.holder === true;

  describe('an old sign-in', () => {
    test('is rejected by every operation that requires a recent one, and by no read', async () => {
      const [anna, holder] = [await signedIn('anna'), await signedIn('holder')];
      await Promise.all([age('anna'), age('holder')]);
      const fresh = operations.filter(({ id }) => isFresh(rules[id]));
      expect(fresh.length).toBeGreaterThan(20);
      for (const { id, method, path } of fresh) {
        const browser = isOfHolders(rules[id]) ? holder : anna;
        const { status, headers, problem } = await send(browser, method, path.replaceAll(/\{\w+\}/g, 'x'));
        expect({ id, status, type: problem['type'] }).toEqual({ id, status: 401, type: '/problems/unauthenticated' });
        expect(headers['www-authenticate']).toMatch(OLD_SIGN_IN);
      }
      for (const browser of [anna, holder])
        expect(await send(browser, 'GET', '/account-portal/me')).toMatchObject({ status: 200 });
    });

    test('is renewed by signing in again, and the repeated request is executed once', async () => {
      const [channel] = system().channels;
      const { at } = await issue(system(), channel);
      const browser = await signedIn('anna');
      await age('anna');
      const path = inventoryPath(seller(channel).id, 'trade');
      const sent = {
        body: { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ start: at(1), end: at(5), unitPrice: 1 }] },
        headers: { 'idempotency-key': newKey() },
      };
      expect(await send(browser, 'POST', path, sent)).toMatchObject({ status: 401 });
      await browser.signIn('anna');
      const first = await send(browser, 'POST', path, sent);
      expect(first.status).toBe(201);
      expect(first.headers).not.toHaveProperty('idempotency-replayed');
      const again = await send(browser, 'POST', path, sent);
      expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    });

    test('takes effect in a session in use within the two seconds that the gateway caches it', async () => {
      const browser = await signedIn('anna');
      const create = () => send(browser, 'POST', MAKE_KEY);
      expect((await create()).status).toBe(201);
      await age('anna');
      await eventually(async () => (await create()).status === 401, 'the old sign-in');
    });
  });

  test('keys and tokens of programs never need a sign-in', async () => {
    const user = operator(system().channels[0]);
    for (const client of [system().createClient(user), await system().createBearerClient(user)])
      expect((await client.send('POST', MAKE_KEY)).status).toBe(201);
  });

  test('a new sign-in with scs allows creating a key', async () => {
    const scs = new Scs();
    try {
      const issuer = system().demo.tokenEndpoint.replace(/\/token$/, '');
      const at = ['--base-url', system().baseUrl, '--issuer', issuer];
      const signingIn = scs.start('login', ...at, '--no-browser', '--fresh');
      const lines = createInterface(signingIn.stderr)[Symbol.asyncIterator]();
      const { value: first } = (await lines.next()) as { value: string };
      await signInAt(first.replace('Sign in here: ', ''), 'dora');
      expect(await once(signingIn, 'exit')).toEqual([0, null]);
      // The token contains the time of the sign-in, which is recent.
      expect(await scs.records('keys', 'create')).toEqual([
        expect.objectContaining({ passphrase: expect.any(String) }),
      ]);
    } finally {
      scs.leave();
    }
  });
});
