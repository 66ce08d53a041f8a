import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestUser, startService, type Service } from './support/scs.ts';

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
      if (lostAnswers === 0) return { status: 404, body: { type: '/problems/not-found', title: 'Gone', status: 404 } };
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
