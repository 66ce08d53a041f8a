import { describe, expect, test } from '@jest/globals';
import { roles as allRoles } from '@saleschannel/auth';
import { eventually } from '@saleschannel/testing';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import { operator, v1 } from '../support/api.ts';

interface Key {
  id: string;
  createdOn: string;
  expiresAt: string;
  passphrase: string;
}

const keysPath = '/authentication/users/me/api-keys';
const ownBinding = '/user-services/users/me/saleschannel-binding';
const bindingPath = (userId: string, salesChannelId: string): string =>
  `/user-services/users/${userId}/saleschannel-binding/${salesChannelId}`;

/** Keys, bindings and roles. The gateway's tests check how soon changes take effect. */

const system = useSystem();

describe('API keys', () => {
  test('are created with a token, rotated with a key, and rejected after their deletion', async () => {
    const [channel] = system().channels;
    const user = await system().newUser(channel, ['TRADER_VIEWER']);
    const person = await system().createBearerClient(user);
    const created = await person.send<Key>('POST', keysPath);
    expect(created.status).toBe(201);
    const first = created.body;
    const oneYearLater = new Date(first.createdOn);
    oneYearLater.setUTCFullYear(oneYearLater.getUTCFullYear() + 1);
    expect(first.expiresAt).toBe(oneYearLater.toISOString());

    const machine = system().createClient({ username: first.id, password: first.passphrase });
    await machine.ok('GET', `${v1}/traders`);
    const second = await machine.ok<Key>('POST', keysPath);
    const successor = system().createClient({ username: second.id, password: second.passphrase });
    const listed = await successor.ok<Key[]>('GET', keysPath);
    expect(listed.map(({ id }) => id).toSorted()).toEqual([user.apiKey.id, first.id, second.id].toSorted());
    expect(JSON.stringify(listed)).not.toContain('passphrase');

    const deleted = await successor.send<Key>('DELETE', `/authentication/api-keys/${first.id}`);
    expect(deleted).toMatchObject({
      status: 200,
      body: { id: first.id, createdOn: first.createdOn, expiresAt: first.expiresAt },
    });
    await eventually(
      async () => (await machine.send('GET', `${v1}/traders`)).status === 401,
      'the end of a deleted key',
    );
    await successor.ok('GET', `${v1}/traders`);
    expect((await successor.send('DELETE', `/authentication/api-keys/${first.id}`)).status).toBe(404);
  });

  test('belong to their user only', async () => {
    const [channel] = system().channels;
    const admin = system().createClient(operator(channel));
    const user = await system().newUser(channel, []);
    expect((await admin.send('DELETE', `/authentication/api-keys/${user.apiKey.id}`)).status).toBe(404);
    await system().createClient(user).ok('GET', keysPath);
  });

  test('wrong, swapped and missing credentials are answered 401 with both challenges', async () => {
    const [channel] = system().channels;
    const user = operator(channel);
    const { registryKey } = system().demo;
    const wrong = [
      'nobody' as const,
      { username: user.apiKey.id, password: `${user.apiKey.secret}x` },
      { username: 'cm0000000000000000000000', password: user.apiKey.secret },
      { username: user.apiKey.id, password: '' },
      { username: registryKey.id, password: registryKey.secret },
      { bearer: 'a.b.c' },
    ];
    for (const actor of wrong) {
      const answer = await system().createClient(actor).send('GET', `${v1}/traders`);
      expect(answer).toMatchObject({ status: 401, body: { type: '/problems/unauthenticated' } });
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*Basic realm="[^"]+", charset="UTF-8"$/);
    }
    const onRegistry = await system().createClient(user).send('GET', '/Registry/api/account-holders');
    expect(onRegistry.status).toBe(401);
    expect(onRegistry.headers['www-authenticate']).toMatch(/^Basic realm="[^"]+", charset="UTF-8"$/);
  });
});

describe('registry keys', () => {
  test('belong to an account holder, expire on a chosen date, and are rejected after their deletion', async () => {
    const [channel] = system().channels;
    const person = await system().createBearerClient(operator(channel));
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const created = await person.send<{ id: string; secret: string; accountHolderId: string; expiresAt: string }>(
      'POST',
      '/account-portal/registry-keys',
      { body: { expiresAt } },
    );
    expect(created).toMatchObject({ status: 201, body: { accountHolderId: channel.accountHolderId, expiresAt } });
    const { id, secret } = created.body;
    const registry = system().createClient({ username: id, password: secret });
    await registry.ok('GET', '/Registry/api/account-holders');
    expect((await registry.send('GET', `${v1}/traders`)).status).toBe(401);
    const listed = await person.ok<{ id: string }[]>('GET', '/account-portal/registry-keys');
    expect(listed.map((key) => key.id)).toContain(id);
    expect(JSON.stringify(listed)).not.toContain('secret');
    await person.ok('DELETE', `/account-portal/registry-keys/${id}`);
    await eventually(
      async () => (await registry.send('GET', '/Registry/api/account-holders')).status === 401,
      'the end of a deleted registry key',
    );
  });

  test('expire within two years, and not in the past', async () => {
    const client = system().createClient(operator(system().channels[0]));
    for (const days of [-1, 0, 732]) {
      const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
      expect((await client.send('POST', '/account-portal/registry-keys', { body: { expiresAt } })).status).toBe(400);
    }
  });
});

describe('bindings and roles', () => {
  test('take effect, for tokens and keys alike', async () => {
    const [channel] = system().channels;
    const admin = system().createClient(operator(channel));
    const user = await system().newUser(undefined, []);
    const actors = [system().createClient(user), await system().createBearerClient(user)];
    const all = async (status: number): Promise<boolean> => {
      const statuses = await Promise.all(
        actors.map(async (client) => (await client.send('GET', `${v1}/traders`)).status),
      );
      return statuses.every((each) => each === status);
    };
    for (const actor of actors) expect((await actor.send('GET', ownBinding)).status).toBe(404);
    expect(await all(403)).toBe(true);

    const path = bindingPath(user.userId, channel.salesChannelId);
    const bound = await admin.send('POST', path);
    expect(bound).toMatchObject({
      status: 201,
      body: { userId: user.userId, salesChannelId: channel.salesChannelId, roles: [] },
    });
    expect((await admin.send('POST', path)).body).toEqual(bound.body);
    const granted = await admin.send('POST', `${path}/roles`, { query: { role: 'TRADER_VIEWER' } });
    expect(granted).toMatchObject({
      status: 201,
      body: { userId: user.userId, salesChannelId: channel.salesChannelId, role: 'TRADER_VIEWER' },
    });
    await eventually(() => all(200), 'a granted role');
    expect(await actors[0]?.ok('GET', ownBinding)).toEqual({
      userId: user.userId,
      salesChannelId: channel.salesChannelId,
      roles: ['TRADER_VIEWER'],
    });
    expect(await actors[1]?.ok('GET', `/user-services/users/${user.userId}/saleschannel-binding`)).toMatchObject({
      roles: ['TRADER_VIEWER'],
    });
    expect(await admin.ok('GET', `/user-services/users/${user.userId}/saleschannel-binding`)).toMatchObject({
      roles: ['TRADER_VIEWER'],
    });

    const removed = await admin.send('DELETE', `${path}/roles`, { query: { role: 'TRADER_VIEWER' } });
    expect(removed).toMatchObject({ status: 200, body: granted.body });
    await eventually(() => all(403), 'a removed role');

    await admin.ok('POST', `${path}/roles`, { query: { role: 'TRADER_VIEWER' } });
    await eventually(() => all(200), 'a role granted again');
    expect(await admin.send('DELETE', path)).toMatchObject({ status: 200, body: { roles: ['TRADER_VIEWER'] } });
    await eventually(() => all(403), 'the end of a binding');
    expect((await admin.send('GET', `/user-services/users/${user.userId}/saleschannel-binding`)).status).toBe(404);
  });

  test('a user of another channel is not found, and keeps their binding', async () => {
    const [channel, other] = system().channels;
    const admin = system().createClient(operator(channel));
    const foreign = await system().newUser(other, ['EVENT_VIEWER']);
    expect((await admin.send('POST', bindingPath(foreign.userId, channel.salesChannelId))).status).toBe(404);
    expect((await admin.send('POST', bindingPath(foreign.userId, other.salesChannelId))).status).toBe(404);
    expect(await system().createClient(foreign).ok('GET', ownBinding)).toMatchObject({
      salesChannelId: other.salesChannelId,
      roles: ['EVENT_VIEWER'],
    });
  });

  test('a channel keeps its last role administrator', async () => {
    const [, channel] = system().channels;
    const { userId } = operator(channel);
    const admin = system().createClient(operator(channel));
    const path = bindingPath(userId, channel.salesChannelId);
    expect(await admin.send('DELETE', path)).toMatchObject({
      status: 400,
      body: { type: '/problems/request-refused' },
    });
    expect(await admin.send('DELETE', `${path}/roles`, { query: { role: 'ROLE_ADMINISTRATOR' } })).toMatchObject({
      status: 400,
    });
    expect(await admin.ok<{ roles: string[] }>('GET', ownBinding)).toMatchObject({
      roles: expect.arrayContaining([...allRoles]),
    });
  });
});

testCoverage('access');
