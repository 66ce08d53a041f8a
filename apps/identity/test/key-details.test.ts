import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs, catchFailure, catchFailures } from '@saleschannel/testing';
import { startIdentity, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const inAYear = (): string => new Date(Date.now() + 300 * 86_400_000).toISOString();

/** Creates a user of an account holder with a key of each kind. */
async function userWithKeys() {
  const accountHolderId = newId();
  const userId = await identity.newUser();
  await identity.admin.SetAccountHolder({ userId, accountHolderId });
  const options = await asUser('c1', [], userId, accountHolderId);
  const { key: apiKey } = await identity.issueApiKey(userId);
  const { key: registryKey } = await identity.issueRegistryKey(accountHolderId, inAYear());
  return { accountHolderId, userId, options, apiKey, registryKey };
}

async function trailOf(scope: string, keyId: string): Promise<unknown[]> {
  const client = await callAs('admin', 'auditLog', identity.service.address, 'identity');
  const { events } = await client.ListAuditEvents({ scope, range: { afterSequence: '0', limit: 1_000 } });
  client.close();
  return events
    .map(({ event }) => JSON.parse(event) as { action: string; subject: { id: string }; after: unknown })
    .filter(({ subject, action }) => subject.id === keyId && action.endsWith('.named'));
}

test('lists own keys of both kinds together', async () => {
  const { options, apiKey, registryKey, userId, accountHolderId } = await userWithKeys();
  await userWithKeys();
  const { keys } = await identity.gateway.ListKeyDetails({}, options);
  expect(keys).toMatchObject([
    { ...apiKey, kind: 'API' },
    { ...registryKey, kind: 'REGISTRY' },
  ]);
  expect(keys[0]).not.toHaveProperty('name');
  expect(keys[0]).not.toHaveProperty('lastUsedOn');
  const withoutHolder = await identity.gateway.ListKeyDetails({}, await asUser('c1', [], userId));
  expect(withoutHolder.keys.map(({ id }) => id)).toEqual([apiKey.id]);
  const colleague = await identity.gateway.ListKeyDetails({}, await asUser('c1', [], newId(), accountHolderId));
  expect(colleague.keys.map(({ id }) => id)).toEqual([registryKey.id]);
});

describe('a name', () => {
  test('is set, changed, removed and listed', async () => {
    const { options, apiKey, registryKey } = await userWithKeys();
    for (const [id, kind] of [
      [apiKey.id, 'API'],
      [registryKey.id, 'REGISTRY'],
    ] as const) {
      expect(await identity.gateway.NameKey({ id, name: 'Reporting' }, options)).toMatchObject({
        id,
        kind,
        name: 'Reporting',
      });
      await identity.gateway.NameKey({ id, name: '結算 🔑' }, options);
      const { keys } = await identity.gateway.ListKeyDetails({}, options);
      expect(keys.find((key) => key.id === id)).toMatchObject({ name: '結算 🔑' });
      expect(await identity.gateway.NameKey({ id }, options)).not.toHaveProperty('name');
    }
  });

  test('is stored trimmed and composed', async () => {
    const { options, apiKey } = await userWithKeys();
    const named = await identity.gateway.NameKey({ id: apiKey.id, name: ' Na\u0308chte\u200b ' }, options);
    expect(named).toMatchObject({ name: 'Nächte' });
  });

  test('is audited when it changes, without the name itself', async () => {
    const { options, apiKey, registryKey } = await userWithKeys();
    for (const { id } of [apiKey, registryKey]) {
      await identity.gateway.NameKey({ id, name: 'Of Anna' }, options);
      await identity.gateway.NameKey({ id, name: 'Of Anna' }, options);
    }
    const trails = [await trailOf('c1', apiKey.id), await trailOf('registry', registryKey.id)];
    for (const trail of trails) {
      expect(trail).toMatchObject([{ after: { members: ['name'] } }]);
      expect(JSON.stringify(trail)).not.toContain('Anna');
    }
  });

  test.each([
    ['', 'minLength'],
    ['   ', 'blank'],
    ['\u200b', 'blank'],
    ['\ufeff', 'blank'],
    ['x'.repeat(101), 'maxLength'],
    ['a\nb', 'pattern'],
    ['a\u202eb', 'pattern'],
    ['a\u0000b', 'nul-character'],
  ])('%j is refused', async (name, code) => {
    const { options, apiKey } = await userWithKeys();
    expect(await catchFailure(identity.gateway.NameKey({ id: apiKey.id, name }, options))).toMatchObject({
      code: 'invalid-request',
      violations: [{ pointer: '#/name', code }],
    });
  });

  test('is limited to own keys', async () => {
    const { apiKey, registryKey, accountHolderId } = await userWithKeys();
    const stranger = await asUser('c1', [], newId(), newId());
    const colleague = await asUser('c1', [], newId(), accountHolderId);
    const attempts = [
      [apiKey.id, stranger],
      [registryKey.id, stranger],
      [apiKey.id, colleague],
      [registryKey.id, await asUser('c1', [], newId())],
      [newId(), colleague],
      ['', colleague],
      ['x\u0000', colleague],
    ] as const;
    const failures = await Promise.all(
      attempts.map(([id, options]) => catchFailure(identity.gateway.NameKey({ id, name: 'Mine' }, options))),
    );
    expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
  });
});

test.each(['rbac', 'admin'] as const)('%s may not list or name keys of users', async (caller) => {
  const { options, apiKey } = await userWithKeys();
  const client = await callAs(caller, 'identity', identity.service.address);
  const calls = [client.ListKeyDetails({}, options), client.NameKey({ id: apiKey.id, name: 'x' }, options)];
  for (const failure of await catchFailures(calls)) expect(failure).toMatchObject({ code: 'forbidden' });
  client.close();
});
