import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startService, TestUser, type Respond, type Service } from './support/scs.ts';

describe('sessions', () => {
  interface StoredConfig {
    readonly profiles: Record<string, { credentials?: Record<string, unknown> }>;
  }

  let person: TestUser;
  let service: Service;
  /** Valid refresh tokens. Each is valid once (RFC 9700 section 4.14.2). */
  let validTokens: Set<string>;
  let isProviderDown = 0;
  let refreshes = 0;
  let keys: string[];
  /** Challenge of an operation that requires a recent sign-in. */
  let signInChallenge: string | undefined;

  const me = { userId: 'u1', name: 'Anna', email: null, salesChannel: null, roles: [] };

  beforeEach(async () => {
    person = new TestUser();
    validTokens = new Set(['r0']);
    [isProviderDown, refreshes, keys] = [0, 0, ['key1']];
    signInChallenge = undefined;
    const discovery: Respond = () => ({
      body: {
        issuer: service.url,
        token_endpoint: `${service.url}/token`,
        authorization_endpoint: `${service.url}/ask`,
      },
    });
    const token: Respond = ({ body }) => {
      refreshes += 1;
      if (isProviderDown-- > 0) return { status: 503, body: {} };
      const token = new URLSearchParams(body).get('refresh_token') ?? 'none';
      if (!validTokens.delete(token)) {
        validTokens.clear();
        return { status: 400, body: { error: 'invalid_grant' } };
      }
      validTokens.add(`r${refreshes}`);
      const tokens = { access_token: `a${refreshes}`, refresh_token: `r${refreshes}` };
      return { body: { ...tokens, token_type: 'bearer', expires_in: 3600 } };
    };
    const create: Respond = () => {
      if (signInChallenge !== undefined) {
        const problem = { type: '/problems/unauthenticated', title: 'Valid credentials are required', detail: 'Old.' };
        return { status: 401, body: problem, headers: { 'WWW-Authenticate': signInChallenge } };
      }
      keys.push(`key${keys.length + 1}`);
      return { status: 201, body: { id: keys.at(-1), passphrase: 'p', expiresAt: 'later', createdOn: 'now' } };
    };
    service = await startService({
      'GET /.well-known/openid-configuration': discovery,
      'POST /token': token,
      'GET /account-portal/me': me,
      'GET /saleschannel-services/v1/events': [],
      'POST /authentication/users/me/api-keys': create,
    });
  });
  afterEach(async () => {
    person.remove();
    await service.stop();
  });

  const config = (): string => join(person.home, 'scs/config.json');
  const readConfig = (): StoredConfig => JSON.parse(readFileSync(config(), 'utf8')) as StoredConfig;
  const keyLogin = (profile: string) =>
    person.run(['--profile', profile, 'login', '--base-url', service.url, '--api-key'], { piped: 'key1\nsecret\n' });

  /** Signs in with an expired access token. */
  async function signedIn(): Promise<void> {
    await keyLogin('default');
    const tokens = { issuer: service.url, clientId: 'cli', accessToken: 'a0', expiresAtMs: 1, refreshToken: 'r0' };
    const profile = { baseUrl: service.url, credentials: { kind: 'tokens', ...tokens } };
    writeFileSync(config(), JSON.stringify({ profiles: { default: profile } }));
  }

  test('concurrent commands refresh the token once and keep the sign-in', async () => {
    await signedIn();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => person.run(['whoami'])));
    expect(outcomes.map(({ code, errors }) => ({ code, errors }))).toEqual(
      outcomes.map(() => ({ code: 0, errors: '' })),
    );
    expect(refreshes).toBe(1);
    expect(readConfig().profiles['default']?.credentials).toMatchObject({ accessToken: 'a1', refreshToken: 'r1' });
    expect(readdirSync(join(person.home, 'scs'))).toEqual(['config.json']);
  });

  test('concurrent changes are all stored', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `p${at}`);
    await signedIn();
    await Promise.all([person.run(['whoami']), ...names.map(keyLogin)]);
    const after = await Promise.all(names.map((name) => person.run(['--profile', name, 'whoami'])));
    expect(after.map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(readConfig().profiles['default']?.credentials).toMatchObject({ refreshToken: 'r1' });
  });

  test('a killed process does not block others', async () => {
    await signedIn();
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(`${config()}.lock`, `${pid} ${hostname()}`);
    const outcomes = await Promise.all([person.run(['whoami']), person.run(['whoami'])]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(refreshes).toBe(1);
  });

  test('following survives an unavailable identity provider', async () => {
    await signedIn();
    isProviderDown = 2;
    const ending = new AbortController();
    const following = person.run(['events', '--follow', '--poll', '0.01'], { signal: ending.signal });
    const isReached = (): boolean => service.requests.some(({ what }) => what.endsWith('/events'));
    let isOver = false;
    void following.finally(() => (isOver = true));
    while (!isReached() && !isOver) await new Promise((resolve) => void setImmediate(resolve));
    ending.abort(new Error('enough'));
    expect(await following).toMatchObject({ code: 1, errors: expect.stringContaining('enough') });
    expect(isReached()).toBe(true);
  });

  test('an expired sign-in is reported', async () => {
    await signedIn();
    validTokens.clear();
    expect(await person.run(['whoami'])).toMatchObject({ code: 1, errors: expect.stringContaining('scs login') });
  });

  test('a refusal at the identity provider is reported', async () => {
    const openBrowser = (url: string): void => {
      const { searchParams } = new URL(url);
      const back = new URL(searchParams.get('redirect_uri') ?? 'none');
      const answer = { error: 'access_denied', error_description: 'not today', state: searchParams.get('state') ?? '' };
      back.search = new URLSearchParams(answer).toString();
      void fetch(back);
    };
    const outcome = await person.run(['login', '--base-url', service.url, '--issuer', service.url], { openBrowser });
    expect(outcome).toMatchObject({ code: 1, errors: expect.stringContaining('access_denied, not today') });
  });

  test('a sign-in that is too old is reported with the command to renew it', async () => {
    await signedIn();
    const challenge = 'Bearer error="insufficient_user_authentication", max_age="900"';
    signInChallenge = `${challenge}, acr_values="mfa urn:phr"`;
    const refused = await person.run(['keys', 'create']);
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringContaining('scs login --fresh --acr "mfa urn:phr"'),
    });
    signInChallenge = challenge;
    const { errors } = await person.run(['keys', 'create']);
    expect(errors).toMatch(/scs login --fresh\n.*same --idempotency-key/);
    // A refreshed token would belong to the same old sign-in, so only the expired token was replaced.
    expect(refreshes).toBe(1);
  });

  test('a fresh sign-in requires authentication in the requested context', async () => {
    let parameters = new URLSearchParams();
    const openBrowser = (url: string): void => {
      parameters = new URL(url).searchParams;
      const back = new URL(parameters.get('redirect_uri') ?? 'none');
      back.search = new URLSearchParams({ error: 'access_denied', state: parameters.get('state') ?? '' }).toString();
      void fetch(back);
    };
    const at = ['--base-url', service.url, '--issuer', service.url];
    await person.run(['login', ...at, '--fresh', '--acr', 'mfa phr'], { openBrowser });
    expect(Object.fromEntries(parameters)).toMatchObject({ prompt: 'login', max_age: '300', acr_values: 'mfa phr' });
    await person.run(['login', ...at], { openBrowser });
    for (const name of ['prompt', 'max_age', 'acr_values']) expect(parameters.has(name)).toBe(false);
  });

  test('a key that could not be deleted or used is reported', async () => {
    await keyLogin('default');
    const half = await person.run(['keys', 'rotate']);
    expect(half).toMatchObject({ code: 1, errors: expect.stringContaining('scs keys delete key1') });
    expect(readConfig().profiles['default']?.credentials).toMatchObject({ apiKeyId: 'key2' });
  });
});

describe('keys', () => {
  let person: TestUser;
  let service: Service;
  /** Created keys by Idempotency-Key. */
  let created: Map<unknown, object>;
  let isAway: boolean;
  /** Number of lost responses to deleting the old key, which is deleted anyway. */
  let lostAnswers: number;
  beforeEach(async () => {
    person = new TestUser();
    created = new Map();
    isAway = false;
    lostAnswers = 0;
    service = await startService({
      'GET /account-portal/me': { userId: 'u1', name: 'Anna', email: null, salesChannel: null, roles: [] },
      'POST /authentication/users/me/api-keys': ({ key }: { key: unknown }) => {
        const body = created.get(key) ?? {
          id: `key-${created.size}`,
          passphrase: 'p',
          expiresAt: '2027-01-01T00:00:00.000Z',
        };
        created.set(key, body);
        if (!isAway) return { status: 201, body };
        const problem = { type: '/problems/unavailable', title: 'Away', status: 503, detail: 'For long.' };
        return { status: 503, body: problem, headers: { 'Retry-After': '3600' } };
      },
      'DELETE /authentication/api-keys/key1': () => {
        lostAnswers -= 1;
        if (lostAnswers === 0)
          return { status: 404, body: { type: '/problems/not-found', title: 'Gone', status: 404 } };
        if (lostAnswers < 0) return { body: { id: 'key1', createdOn: 'then', expiresAt: 'soon' } };
        return { status: 503, body: {}, headers: { 'Retry-After': '0' } };
      },
    });
    await person.run(['login', '--base-url', service.url, '--api-key'], { piped: 'key1\nsecret\n' });
  });
  afterEach(async () => {
    person.remove();
    await service.stop();
  });

  test.each([['create'], ['rotate']])('keys %s can be repeated after a lost response', async (command) => {
    isAway = true;
    const lost = await person.run(['keys', command]);
    expect(lost).toMatchObject({ code: 1, output: '' });
    const [, key = 'none'] = /repeat with --idempotency-key (\S+)\n$/.exec(lost.errors) ?? [];
    expect([...created.keys()]).toEqual([key]);
    isAway = false;
    const again = await person.run(['keys', command, '--idempotency-key', key]);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('key-0') });
    expect(created.size).toBe(1);
  });

  test('keys rotate succeeds if an attempt with a lost response deleted the old key', async () => {
    lostAnswers = 2;
    const rotated = await person.run(['keys', 'rotate']);
    expect(rotated).toMatchObject({ code: 0, output: expect.stringContaining('"replaced":"key1"'), errors: '' });
  });

  test('an invalid key is refused before anything is sent', async () => {
    const refused = await person.run(['keys', 'create', '--idempotency-key', 'no spaces']);
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('1 to 64') });
    expect(created.size).toBe(0);
  });
});
