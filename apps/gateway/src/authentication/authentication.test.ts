import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { Authenticator, SESSION_LIFETIME_MS, type Authenticate, type CredentialScope } from './authenticator.ts';
import { parseAuthorization, type ApiSurface } from './credentials.ts';

const basic = (text: string | Buffer): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('parseAuthorization', () => {
  test.each<[string, ApiSurface, unknown]>([
    ['Bearer abc.def-_~+/==', 'SALES_CHANNEL', { bearerToken: 'abc.def-_~+/==' }],
    ['bEARER  abc', 'SALES_CHANNEL', { bearerToken: 'abc' }],
    [basic('id:secret'), 'SALES_CHANNEL', { key: { keyId: 'id', secret: 'secret' } }],
    [basic('id:se:cret:'), 'REGISTRY', { key: { keyId: 'id', secret: 'se:cret:' } }],
    [basic('id:'), 'REGISTRY', { key: { keyId: 'id', secret: '' } }],
    [basic('id:pässwörd €'), 'REGISTRY', { key: { keyId: 'id', secret: 'pässwörd €' } }],
    [basic('id:secret').replace('Basic', 'BASIC'), 'REGISTRY', { key: { keyId: 'id', secret: 'secret' } }],
  ])('accepts %s', (header, surface, credential) => {
    expect(parseAuthorization(header, surface)).toEqual(credential);
  });

  test.each<[string, ApiSurface]>([
    ['', 'SALES_CHANNEL'],
    ['Bearer', 'SALES_CHANNEL'],
    ['Bearer ', 'SALES_CHANNEL'],
    ['Bearer a b', 'SALES_CHANNEL'],
    ['Bearer a, Bearer b', 'SALES_CHANNEL'],
    ['Bearer ä', 'SALES_CHANNEL'],
    ['Bearer abc', 'REGISTRY'],
    ['Digest abc', 'SALES_CHANNEL'],
    ['Basic', 'SALES_CHANNEL'],
    ['Basic !!!!', 'SALES_CHANNEL'],
    ['Basic aWQ6c2VjcmV', 'SALES_CHANNEL'],
    ['Basic aWQ6c2VjcmV0=', 'SALES_CHANNEL'],
    ['Basic aWQ6c2VjcmV0====', 'SALES_CHANNEL'],
    ['Basic aWQ6-_==', 'SALES_CHANNEL'],
    [`${basic('a:b')}, ${basic('c:d')}`, 'SALES_CHANNEL'],
    [basic('no colon'), 'SALES_CHANNEL'],
    [basic(':secret'), 'SALES_CHANNEL'],
    [basic('id:sec\0ret'), 'SALES_CHANNEL'],
    [basic('i\nd:secret'), 'SALES_CHANNEL'],
    [basic(Buffer.from([0x69, 0x3a, 0xff])), 'SALES_CHANNEL'],
    [basic(`${'x'.repeat(200)}:y`), 'SALES_CHANNEL'],
  ])('rejects %s', (header, surface) => {
    expect(() => parseAuthorization(header, surface)).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  });
});

const createUser = (userId: string): Principal => ({
  kind: 'user',
  userId,
  salesChannelId: 'c',
  roles: [],
  accountHolderId: undefined,
});

const channel: CredentialScope = { surface: 'SALES_CHANNEL', receivers: ['tasks'] };
const registry: CredentialScope = { surface: 'REGISTRY', receivers: ['inventory'] };

/** An authenticator with its own clock; the test answers for identity. */
function setUp(answer: (call: number) => Promise<string> = async () => 'u1') {
  let nowMs = 0;
  const requests: Parameters<Authenticate>[0][] = [];
  const authenticator = new Authenticator({
    async authenticate(request) {
      requests.push(request);
      return { principalToken: `token of ${await answer(requests.length)}` };
    },
    verifier: { verifyPrincipal: async (token) => createUser(String(token).replace('token of ', '')) },
    now: () => nowMs,
  });
  const get = async (header: string, scope: CredentialScope = channel) =>
    authenticator.findSession(header, scope) ?? authenticator.authenticate(header, scope, {});
  return { authenticator, requests, get, advance: (ms: number) => (nowMs += ms) };
}

describe('the authenticator', () => {
  test('calls identity once in two seconds per header', async () => {
    const { requests, get, advance } = setUp();
    const first = await get('Bearer a');
    expect(first).toMatchObject({ principalToken: 'token of u1', limitKey: 'user u1', principal: { userId: 'u1' } });
    advance(SESSION_LIFETIME_MS - 1);
    expect(await get('Bearer a')).toBe(first);
    advance(1);
    expect(await get('Bearer a')).not.toBe(first);
    expect(requests).toEqual([
      { surface: 'SURFACE_SALES_CHANNEL', receivers: ['tasks'], bearerToken: 'a' },
      { surface: 'SURFACE_SALES_CHANNEL', receivers: ['tasks'], bearerToken: 'a' },
    ]);
  });

  test('rejects a revoked credential within five seconds (docs/integrate/api.md), without a broadcast', async () => {
    let isRevoked = false;
    const { get, advance } = setUp(async () => {
      if (isRevoked) throw new DomainError('unauthenticated', 'no');
      return 'u1';
    });
    await get('Bearer a');
    isRevoked = true;
    advance(5_000);
    await expect(get('Bearer a')).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('counts all registry keys of an account holder as one', async () => {
    const authenticator = new Authenticator({
      authenticate: async ({ key }) => ({ principalToken: String(key?.keyId) }),
      verifier: {
        verifyPrincipal: async (keyId) => ({ kind: 'registry', keyId: String(keyId), accountHolderId: 'h1' }),
      },
      now: () => 0,
    });
    const sessions = await Promise.all(
      ['k1', 'k2'].map((keyId) => authenticator.authenticate(basic(`${keyId}:s`), registry, {})),
    );
    expect(sessions.map(({ limitKey }) => limitKey)).toEqual(['account holder h1', 'account holder h1']);
    authenticator.forgetKey('k1');
    expect(authenticator.findSession(basic('k1:s'), registry)).toBeUndefined();
    expect(authenticator.findSession(basic('k2:s'), registry)).toBeDefined();
  });

  test('sees every change within five seconds on every replica, without a broadcast', async () => {
    const user = { kind: 'user', userId: 'u1', salesChannelId: 'c', accountHolderId: 'h' } as const;
    const before: Principal = { ...user, roles: ['EVENT_VIEWER', 'TRADER_VIEWER'], isRegistry: true };
    const changes: Record<string, Principal | undefined> = {
      'a deleted key, a disabled user, an account holder that is no longer a registry': undefined,
      'a removed role': { ...before, roles: ['EVENT_VIEWER'] },
      'an ended binding': { ...before, salesChannelId: undefined, roles: [] },
      'a suspended channel': { ...before, isSuspended: true },
      'the kind of the account holder': { ...user, roles: before.roles },
    };
    for (const [change, after] of Object.entries(changes)) {
      let nowMs = 0;
      let current: Principal | undefined = before;
      const newReplica = () =>
        new Authenticator({
          async authenticate() {
            if (!current) throw new DomainError('unauthenticated', 'no');
            return { principalToken: JSON.stringify(current) };
          },
          verifier: { verifyPrincipal: async (token) => JSON.parse(String(token)) as Principal },
          now: () => nowMs,
        });
      const replicas = [newReplica(), newReplica()];
      const ask = (replica: Authenticator) =>
        Promise.resolve(replica.findSession('Bearer a', channel) ?? replica.authenticate('Bearer a', channel, {})).then(
          ({ principal }) => principal,
          () => undefined,
        );
      expect({ change, principals: await Promise.all(replicas.map(ask)) }).toEqual({
        change,
        principals: [before, before],
      });
      current = after;
      nowMs = 5_000;
      expect({ change, principals: await Promise.all(replicas.map(ask)) }).toEqual({
        change,
        principals: [after, after],
      });
    }
  });

  test('counts the two seconds from the call, not from its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { authenticator, get, advance } = setUp(() => promise);
    const pending = get('Bearer a');
    advance(SESSION_LIFETIME_MS);
    resolve('u1');
    await pending;
    expect(authenticator.findSession('Bearer a', channel)).toBeUndefined();
  });

  test('caches each API separately', async () => {
    const { requests, get } = setUp();
    await get(basic('k:s'));
    await get(basic('k:s'), { ...channel, surface: 'REGISTRY' });
    expect(requests.map(({ surface }) => surface)).toEqual(['SURFACE_SALES_CHANNEL', 'SURFACE_REGISTRY']);
  });

  test('caches the tokens for different services separately', async () => {
    const { requests, get } = setUp();
    await get('Bearer a');
    await get('Bearer a', { ...channel, receivers: ['events'] });
    await get('Bearer a', { ...channel, receivers: ['events'] });
    expect(requests.map(({ receivers }) => receivers)).toEqual([['tasks'], ['events']]);
  });

  test('drops the tokens of a user for all services', async () => {
    const { authenticator, requests, get } = setUp();
    await get('Bearer a');
    await get('Bearer a', { ...channel, receivers: ['events'] });
    authenticator.forgetUser('u1');
    await get('Bearer a');
    await get('Bearer a', { ...channel, receivers: ['events'] });
    expect(requests).toHaveLength(4);
  });

  test('shares one call between concurrent requests', async () => {
    const { requests, get } = setUp();
    await Promise.all(Array.from({ length: 50 }, () => get('Bearer a')));
    expect(requests).toHaveLength(1);
  });

  test('does not cache a refusal', async () => {
    const { requests, get } = setUp(() => Promise.reject(new DomainError('unauthenticated', 'no')));
    for (let index = 0; index < 2; index += 1)
      await expect(get('Bearer a')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(requests).toHaveLength(2);
  });

  test('drops all credentials of a user, and no others', async () => {
    const { authenticator, requests, get } = setUp((call) => Promise.resolve(call === 3 ? 'u2' : 'u1'));
    await get('Bearer a');
    await get(basic('k1:s'));
    await get('Bearer c');
    authenticator.forgetUser('u1');
    expect(authenticator.findSession('Bearer c', channel)).toBeDefined();
    await get('Bearer a');
    await get(basic('k1:s'));
    expect(requests).toHaveLength(5);
  });

  test("drops a deleted key, and not its owner's other credentials", async () => {
    const { authenticator, get } = setUp();
    await get('Bearer a');
    await get(basic('k1:s'));
    authenticator.forgetKey('k1');
    expect(authenticator.findSession(basic('k1:s'), channel)).toBeUndefined();
    expect(authenticator.findSession('Bearer a', channel)).toBeDefined();
  });

  test('does not cache an answer if rights change during the call', async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const { authenticator, get } = setUp((call) => answers[call - 1]?.promise ?? Promise.resolve('u1'));
    const old = get('Bearer a');
    authenticator.forgetUser('u1');
    const fresh = get('Bearer a');
    answers[0]?.resolve('u1');
    await old;
    expect(authenticator.findSession('Bearer a', channel)).toBeUndefined();
    answers[1]?.resolve('u1');
    expect(authenticator.findSession('Bearer a', channel)).toBeUndefined();
    expect(await fresh).toBe(authenticator.findSession('Bearer a', channel));
  });
});
