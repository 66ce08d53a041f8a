import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  address,
  consoleOperations,
  startConsole,
  suspendInPast,
  type Console,
  type ConsoleBrowser,
  type Items,
} from './support/console.ts';
import { useOwnSystem } from './support/system.ts';

const OLD_SIGN_IN = /^Bearer error="insufficient_user_authentication", .*max_age="900"$/;
const system = useOwnSystem({ tls: true });
let console: Console;
let olga: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsole(system());
  olga = await console.signIn('olga');
}, 60_000);
afterAll(() => console?.stop());

describe('access', () => {
  test('only operators with a session have access', async () => {
    const stranger = console.browser();
    expect(await stranger.send('GET', '/health')).toMatchObject({
      status: 401,
      body: { type: '/problems/session-missing' },
    });
    const anna = await console.signIn('anna');
    for (const [method, path] of [
      ['GET', '/health'],
      ['POST', '/sales-channels'],
      ['GET', '/users?nonsense'],
    ] as const)
      expect(await anna.send(method, path)).toMatchObject({ status: 403, body: { type: '/problems/forbidden' } });
  });

  test.each([
    ["without the header of the console's pages", { 'X-Portal': undefined }],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['from a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
    ['from another origin, sent by an older browser', { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' }],
    ['without a source', { 'Sec-Fetch-Site': undefined }],
  ])('a request %s is forbidden', async (_what, headers) => {
    for (const [method, path] of [
      ['GET', '/health'],
      ['POST', '/sales-channels'],
    ] as const) {
      const sent = { headers, ...(method === 'POST' && { body: { name: 'Evil' } }) };
      expect(await olga.send(method, path, sent)).toMatchObject({
        status: 403,
        body: { type: '/problems/cross-site' },
      });
    }
    const { items } = await olga.ok<Items<{ name: string }>>('GET', '/sales-channels');
    expect(items.map(({ name }) => name)).not.toContain('Evil');
  });

  test("the origin identifies the console's pages in an older browser", async () => {
    const headers = { 'Sec-Fetch-Site': undefined, Origin: console.url };
    expect(await olga.send('GET', '/health', { headers })).toMatchObject({ status: 200 });
  });

  test('the gateway serves no operation of the console', async () => {
    for (const path of ['/operator', '/operator/v1', ...consoleOperations.map((each) => each.replace(/^\w+ /, ''))]) {
      const at = path.startsWith('/operator') ? path : `/operator/v1${path}`;
      expect(
        await system()
          .createClient('nobody')
          .send('GET', at.replaceAll(/\{\w+\}/g, 'x')),
      ).toMatchObject({ status: 404 });
    }
  });

  test('every change requires a recent sign-in, and no read does', async () => {
    const otto = await console.signIn('otto');
    console.setClockAhead(16 * 60_000);
    try {
      for (const operation of consoleOperations) {
        const [method = '', path = ''] = operation.split(' ');
        const at = path.replaceAll(/\{\w+\}/g, 'x');
        if (method === 'GET') continue;
        const answer = await otto.send(method, at);
        expect({ operation, ...answer }).toMatchObject({
          operation,
          status: 401,
          body: { type: '/problems/recent-sign-in-required' },
          headers: { 'www-authenticate': expect.stringMatching(OLD_SIGN_IN) },
        });
      }
      await otto.ok('GET', '/health');
    } finally {
      console.setClockAhead(0);
    }
  });

  test('the security log records sign-ins, users who are not operators, and cross-site requests', async () => {
    const mallory = await console.signIn('mallory');
    await mallory.send('GET', '/users');
    await olga.send('POST', '/sales-channels', { headers: { 'Sec-Fetch-Site': 'cross-site' }, body: {} });
    const common = { log: 'security', service: 'console', address: '127.0.0.1', requestId: expect.any(String) };
    const who = { ...common, actor: 'subject mallory', sessionId: expect.any(String) };
    for (const line of [
      { ...who, event: 'authn_login_success', operation: '/callback' },
      { ...who, event: 'authz_fail', reason: 'no-operator', operation: 'searchUsers' },
      { ...common, event: 'malicious_cors', operation: '/operator/v1' },
    ])
      expect(console.securityLines).toContainEqual(expect.objectContaining(line));
  });

  test('a sign-out ends the session', async () => {
    const otto = await console.signIn('otto');
    await otto.ok('GET', '/health');
    await (
      await otto.open(`${console.url}/sign-out`, 'POST', {
        headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Portal': '1' },
      })
    ).body.dump();
    expect(await otto.send('GET', '/health')).toMatchObject({ status: 401 });
  });
});

describe('invalid requests', () => {
  test.each([
    ['GET', '/users?limit=0', { parameter: 'limit', code: 'minimum' }],
    ['GET', '/users?limit=1001', { parameter: 'limit', code: 'maximum' }],
    ['GET', '/users?limit=many', { parameter: 'limit', code: 'type' }],
    ['GET', '/users?limit=1&limit=2', { parameter: 'limit', code: 'repeated-parameter' }],
    ['GET', '/users?name=anna', { parameter: 'name', code: 'unknown-member' }],
    ['GET', '/users?disabled=perhaps', { parameter: 'disabled', code: 'enum' }],
    ['GET', '/health?x=1', { parameter: 'x', code: 'unknown-member' }],
    ['GET', '/account-holders?kind=BANK', { parameter: 'kind', code: 'enum' }],
    ['GET', '/audit-events', { parameter: 'scope', code: 'required' }],
    ['GET', '/audit-events?scope=installation&after=nonsense', { parameter: 'after' }],
    ['GET', '/audit-events?scope=installation&order=newest', { parameter: 'order' }],
    ['GET', '/audit-events?scope=installation&action=granted', { parameter: 'action' }],
    ['GET', '/look-up', { parameter: 'id', code: 'required' }],
    ['GET', '/imports?after=nonsense', { parameter: 'after' }],
    ['GET', '/imports?limit=101', { parameter: 'limit', code: 'maximum' }],
    ['GET', '/imports/x/errors?limit=101', { parameter: 'limit', code: 'maximum' }],
  ])('%s %s', async (method, path, error) => {
    expect(await olga.send(method, path)).toMatchObject({ status: 400, body: { errors: [error] } });
  });

  test.each([
    ['/sales-channels', {}, { pointer: '#/name', code: 'required' }],
    ['/sales-channels', { name: 'x', colour: 'red' }, { pointer: '#/colour', code: 'unknown-member' }],
    ['/sales-channels', { name: 'a\u0000b' }, { pointer: '#/name' }],
    ['/sales-channels', { name: ' ' }, { pointer: '#/name', code: 'blank' }],
    ['/sales-channels', { name: '\u200b' }, { pointer: '#/name', code: 'blank' }],
    ['/users/x/disable', { reason: '' }, { pointer: '#/reason' }],
    ['/users/x/roles', { salesChannelId: 'x', roles: ['OWNER'] }, { pointer: '#/roles/0', code: 'enum' }],
    ['/users/x/roles', { salesChannelId: 'x', roles: [] }, { pointer: '#/roles' }],
    ['/dead-letters/events.log/replay', { limit: 10_001 }, { pointer: '#/limit', code: 'maximum' }],
  ])('POST %s %j', async (path, body, error) => {
    expect(await olga.send('POST', path, { body })).toMatchObject({ status: 400, body: { errors: [error] } });
  });

  test.each([
    ['characters', `x=${'1'.repeat(8_191)}`, 'The query string is too long.'],
    ['parameters', Array.from({ length: 101 }, (_, n) => `x${n}=1`).join('&'), 'The query has too many parameters.'],
  ])('a query with too many %s', async (_what, query, text) => {
    const detail = expect.stringContaining(text) as unknown;
    expect(await olga.send('GET', `/users?${query}`)).toMatchObject({ status: 400, body: { detail } });
  });

  test('unreadable bodies', async () => {
    const post = (file: readonly [string, string]) => olga.send('POST', '/sales-channels', { file });
    expect(await post(['application/json', '{"name":'])).toMatchObject({
      status: 400,
      body: { type: '/problems/malformed-body' },
    });
    expect(await post(['text/plain', '{"name":"x"}'])).toMatchObject({ status: 415 });
    expect(await post(['application/json', `{"name":"${'x'.repeat(70_000)}"}`])).toMatchObject({ status: 413 });
  });

  test.each([
    ['POST', '/sales-channels/nothing/resume'],
    ['POST', '/account-holders/nothing/resume'],
    ['POST', '/users/nothing/enable'],
    ['DELETE', '/users/nothing/keys'],
    ['GET', '/users/nothing/sessions'],
  ])('not found: %s %s', async (method, path) => {
    expect(await olga.send(method, path)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
  });

  test('unknown operations and methods', async () => {
    expect(await olga.send('GET', '/nothing')).toMatchObject({
      status: 404,
      body: { type: '/problems/route-not-found' },
    });
    expect(await olga.send('DELETE', '/health')).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect(await olga.send('GET', '/imports/%ff')).toMatchObject({ status: 400 });
  });
});

interface ConsoleRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly file?: [type: string, content: string];
}

const holder = () => ({ name: 'Biochar Oy', businessId: randomUUID(), address });
const line = () => JSON.stringify({ type: 'account-holder', ...holder() });
const createObject = async (path: string, body: object): Promise<string> => {
  const { id, accountHolderId } = await olga.ok<{ id?: string; accountHolderId?: string }>('POST', path, { body });
  return String(id ?? accountHolderId);
};
const channel = () => createObject('/sales-channels', { name: `Nordic ${randomUUID()}` });
const user = () => createObject('/users', { issuer: 'https://idp.example', subject: randomUUID() });

/** One request for each of two objects. */
const requestEachOfTwo = async (
  make: () => Promise<string>,
  pathOf: (id: string) => string,
  body?: unknown,
): Promise<ConsoleRequest[]> =>
  [await make(), await make()].map((id) => ({ path: pathOf(id), ...(body !== undefined && { body }) }));

const twice = (path: string, bodyOf: (number: number) => unknown): Promise<ConsoleRequest[]> =>
  Promise.resolve([0, 1].map((number) => ({ path, body: bodyOf(number) })));

/** Two different requests for each POST of the contract. */
const requests: Readonly<Record<string, () => Promise<ConsoleRequest[]>>> = {
  '/sales-channels': () => twice('/sales-channels', () => ({ name: `Channel ${randomUUID()}` })),
  '/sales-channels/{salesChannelId}/rename': async () => {
    const path = `/sales-channels/${await channel()}/rename`;
    return twice(path, () => ({ name: `Arctic ${randomUUID()}`, reason: 'new brand' }));
  },
  '/sales-channels/{salesChannelId}/suspend': () =>
    requestEachOfTwo(channel, (id) => `/sales-channels/${id}/suspend`, { reason: 'late' }),
  '/sales-channels/{salesChannelId}/resume': () => requestEachOfTwo(channel, (id) => `/sales-channels/${id}/resume`),
  '/sales-channels/{salesChannelId}/close': () =>
    requestEachOfTwo(
      async () => {
        const id = await channel();
        await suspendInPast(system(), olga, id);
        return id;
      },
      (id) => `/sales-channels/${id}/close`,
      { reason: 'contract ended' },
    ),
  '/account-holders': () => twice('/account-holders', holder),
  '/account-holders/{accountHolderId}/suspend': () =>
    requestEachOfTwo(
      () => createObject('/account-holders', holder()),
      (id) => `/account-holders/${id}/suspend`,
      { reason: 'late' },
    ),
  '/account-holders/{accountHolderId}/resume': () =>
    requestEachOfTwo(
      () => createObject('/account-holders', holder()),
      (id) => `/account-holders/${id}/resume`,
    ),
  '/users': () => twice('/users', () => ({ issuer: 'https://idp.example', subject: randomUUID() })),
  '/users/{userId}/disable': () => requestEachOfTwo(user, (id) => `/users/${id}/disable`, { reason: 'left' }),
  '/users/{userId}/enable': () => requestEachOfTwo(user, (id) => `/users/${id}/enable`),
  '/users/{userId}/end-sessions': () =>
    requestEachOfTwo(user, (id) => `/users/${id}/end-sessions`, { reason: 'lost laptop' }),
  '/users/{userId}/roles': async () => {
    const salesChannelId = await channel();
    return requestEachOfTwo(user, (id) => `/users/${id}/roles`, { salesChannelId, roles: ['EVENT_VIEWER'] });
  },
  '/imports': async () => [0, 1].map(() => ({ path: '/imports', file: ['application/x-ndjson', line()] })),
  '/dead-letters/{queue}/replay': () =>
    twice('/dead-letters/tasks.outcomes/replay', (number) => ({ limit: number + 1 })),
};

const posts = consoleOperations.filter((each) => each.startsWith('POST ')).map((each) => each.replace('POST ', ''));

describe('idempotency', () => {
  // Concurrently, because some wait for seconds and all are independent.
  test.concurrent.each(posts)('POST %s answers once per key', async (path) => {
    const prepare = requests[path];
    if (!prepare) throw new Error(`This test needs a request for POST ${path}.`);
    const [one, other] = await prepare();
    if (!one || !other) throw new Error('This test needs two requests.');
    const key = randomUUID();
    const send = ({ path: at, ...sent }: ConsoleRequest, idempotencyKey: string = key) =>
      olga.send<unknown>('POST', at, { ...sent, headers: { 'Idempotency-Key': idempotencyKey } });
    expect(await send(one, 'two words')).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'Idempotency-Key' }] },
    });
    const answers = await Promise.all(Array.from({ length: 3 }, () => send(one)));
    answers.push(await send(one));
    const [first] = answers;
    expect(first?.status).toBeLessThan(300);
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: first?.status, body: first?.body });
    const replays = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    expect(replays).toHaveLength(answers.length - 1);
    expect(await send(other)).toMatchObject({ status: 400, body: { type: '/problems/idempotency-key-reused' } });
    expect((await send(other, randomUUID())).headers).not.toHaveProperty('idempotency-replayed');
  });
});
