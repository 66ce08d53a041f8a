import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  asUser,
  eventually,
  catchFailure,
  startListener,
  callAs,
  catchFailures,
  type TestListener,
} from '@saleschannel/testing';
import { startIdentity, withKey, withRegistryKey, type CreatedKey, type Identity } from './support/identity.ts';

const DAY_MS = 86_400_000;
let identity: Identity;
let listener: TestListener<'identity.key.deleted.v1'>;

beforeAll(async () => {
  identity = await startIdentity();
  listener = await startListener(identity.namespace, ['identity.key.deleted.v1']);
});
afterAll(async () => {
  await listener.stop();
  await identity.stop();
});

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

/** Returns call options of a user with an access token or this API key. */
const optionsOf = (userId: string, keyId?: string, accountHolderId?: string) =>
  asUser(undefined, [], userId, accountHolderId, { keyId, isRegistry: accountHolderId !== undefined });

const createKey = async (userId: string, madeWith?: CreatedKey): Promise<CreatedKey> =>
  identity.createApiKey(await optionsOf(userId, madeWith?.key.id));

async function createRegistryKey(userId: string, holder: string, madeWith?: CreatedKey): Promise<CreatedKey> {
  await identity.admin.SetAccountHolder({ userId, accountHolderId: holder });
  const options = await optionsOf(userId, madeWith?.key.id, holder);
  return identity.createRegistryKey(new Date(Date.now() + DAY_MS).toISOString(), options);
}

const isValid = async ({ key, secret }: CreatedKey): Promise<boolean> => {
  const credential = secret.startsWith('scs_reg') ? withRegistryKey(key, secret) : withKey(key, secret);
  return identity.gateway.Authenticate(credential).then(
    () => true,
    () => false,
  );
};

const areValid = (keys: readonly CreatedKey[]): Promise<boolean[]> => Promise.all(keys.map(isValid));

describe('a key created with another key', () => {
  test('is deleted with the descendants of its parent, together with its own, of both kinds', async () => {
    const userId = await identity.newUser();
    const other = await createKey(userId);
    const root = await createKey(userId);
    const child = await createKey(userId, root);
    const grandchild = await createKey(userId, child);
    const registry = await createRegistryKey(userId, newId(), grandchild);
    expect(await areValid([root, child, grandchild, registry])).toEqual([true, true, true, true]);
    // Even the key that authenticated the request.
    const request = { id: root.key.id, descendants: true };
    await identity.gateway.DeleteApiKey(request, await optionsOf(userId, child.key.id));
    expect(await areValid([root, child, grandchild, registry, other])).toEqual([false, false, false, false, true]);
    await eventually(async () => {
      const announced = listener.entries.map(({ event }) => event.keyId);
      return [root, child, grandchild, registry].every(({ key }) => announced.includes(key.id));
    }, 'the broadcast of every deletion');
  });

  test.each<[string, (keys: Record<'root' | 'old' | 'child', CreatedKey>) => CreatedKey | undefined]>([
    ['an access token', () => undefined],
    ['the key itself', ({ old }) => old],
    ['its successor', ({ child }) => child],
    ['the key above', ({ root }) => root],
  ])('outlives a parent deleted by %s, and gets the next one above', async (_name, keyOf) => {
    const userId = await identity.newUser();
    const root = await createKey(userId);
    const old = await createKey(userId, root);
    const child = await createKey(userId, old);
    const below = await createKey(userId, child);
    const registry = await createRegistryKey(userId, newId(), old);
    const options = await optionsOf(userId, keyOf({ root, old, child })?.key.id);
    await identity.gateway.DeleteApiKey({ id: old.key.id }, options);
    expect(await areValid([root, old, child, below, registry])).toEqual([true, false, true, true, true]);
    const { keys } = await identity.operator.ListKeys({ limit: 10, userId });
    const makers = new Map(keys.map((key) => [key.id, key.madeWithKeyId]));
    expect([child, below, registry].map(({ key }) => makers.get(key.id))).toEqual([
      root.key.id,
      child.key.id,
      root.key.id,
    ]);
    await identity.gateway.DeleteApiKey({ id: root.key.id, descendants: true }, await optionsOf(userId));
    expect(await areValid([root, child, below, registry])).toEqual([false, false, false, false]);
  });

  test('names its parent until it has none', async () => {
    const userId = await identity.newUser();
    const root = await createKey(userId);
    const child = await createKey(userId, root);
    const madeWith = async () => {
      const { keys } = await identity.gateway.ListKeyDetails({}, await optionsOf(userId));
      return keys.find(({ id }) => id === child.key.id)?.madeWithKeyId;
    };
    expect(await madeWith()).toBe(root.key.id);
    await identity.gateway.DeleteApiKey({ id: root.key.id }, await optionsOf(userId));
    expect(await madeWith()).toBeUndefined();
  });

  test("of another user's key stays", async () => {
    const [userId, stranger] = [await identity.newUser(), await identity.newUser()];
    const root = await createKey(userId);
    const child = await createKey(userId, root);
    for (const descendants of [false, true]) {
      const request = { id: root.key.id, descendants };
      expect(await catchFailure(identity.gateway.DeleteApiKey(request, await optionsOf(stranger)))).toMatchObject({
        code: 'not-found',
      });
    }
    expect(await areValid([root, child])).toEqual([true, true]);
    const created = await identity.operator.ListKeys({ limit: 10, madeWithKeyId: root.key.id });
    expect(created.keys.map(({ id }) => id)).toEqual([child.key.id]);
  });

  test('is not created if the parent was deleted meanwhile', async () => {
    const userId = await identity.newUser();
    const gone = await createKey(userId);
    await identity.gateway.DeleteApiKey({ id: gone.key.id }, await optionsOf(userId));
    expect(await catchFailure(createKey(userId, gone))).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(createRegistryKey(userId, newId(), gone))).toMatchObject({ code: 'forbidden' });
  });

  test.each([false, true])(
    'is created or refused while its parent is deleted; with descendants: %s',
    async (descendants) => {
      const userId = await identity.newUser();
      const above = await createKey(userId);
      const root = await createKey(userId, above);
      const holder = newId();
      const creating = Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0 ? createKey(userId, root) : createRegistryKey(userId, holder, root),
      );
      const request = { id: root.key.id, descendants };
      const deleting = optionsOf(userId).then((options) => identity.gateway.DeleteApiKey(request, options));
      const outcomes = await Promise.allSettled(creating);
      await deleting;
      const created = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      // Each key is refused, deleted with its parent, or attached to the key above: never valid without a parent.
      expect(await areValid(created)).toEqual(created.map(() => !descendants));
      const { keys } = await identity.operator.ListKeys({ limit: 100, userId });
      const below = keys.filter(({ id }) => id !== above.key.id);
      expect(below.map(({ id }) => id).toSorted()).toEqual(
        descendants ? [] : created.map(({ key }) => key.id).toSorted(),
      );
      expect(below.every(({ madeWithKeyId }) => madeWithKeyId === above.key.id)).toBe(true);
    },
  );
});

describe('an operator', () => {
  test('revokes a key with all descendants, once', async () => {
    const userId = await identity.newUser();
    const root = await createKey(userId);
    const child = await createKey(userId, root);
    const { keyIds } = await identity.operator.RevokeKey({ keyId: root.key.id });
    expect(keyIds.toSorted()).toEqual([root.key.id, child.key.id].toSorted());
    expect(await areValid([root, child])).toEqual([false, false]);
    expect(await identity.operator.RevokeKey({ keyId: root.key.id })).toMatchObject({ keyIds: [] });
  });

  test('revokes a registry key', async () => {
    const registry = await createRegistryKey(await identity.newUser(), newId());
    expect(await identity.operator.RevokeKey({ keyId: registry.key.id })).toMatchObject({ keyIds: [registry.key.id] });
    expect(await isValid(registry)).toBe(false);
  });

  test('revokes only the keys of a user and the registry keys that they created', async () => {
    const [userId, stranger] = [await identity.newUser(), await identity.newUser()];
    const holder = newId();
    const theirs = [await createKey(userId), await createRegistryKey(userId, holder)];
    const others = [await createKey(stranger), await createRegistryKey(stranger, holder)];
    const { keyIds } = await identity.operator.RevokeUserKeys({ userId });
    expect(keyIds.toSorted()).toEqual(theirs.map(({ key }) => key.id).toSorted());
    expect(await areValid([...theirs, ...others])).toEqual([false, false, true, true]);
    expect(await identity.operator.RevokeUserKeys({ userId })).toMatchObject({ keyIds: [] });
    expect(await catchFailure(identity.operator.RevokeUserKeys({ userId: newId() }))).toMatchObject({
      code: 'not-found',
    });
  });

  test('sees keys of both kinds without secrets, page by page', async () => {
    const userId = await identity.newUser();
    const root = await createKey(userId);
    const child = await createKey(userId, root);
    const registry = await createRegistryKey(userId, 'holder-of-list', child);
    const ids = [root, child, registry].map(({ key }) => key.id).toSorted();
    const first = await identity.operator.ListKeys({ limit: 2, userId });
    const rest = await identity.operator.ListKeys({ limit: 2, userId, after: ids[1] });
    const all = [...first.keys, ...rest.keys];
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(all.find(({ id }) => id === registry.key.id)).toMatchObject({
      kind: 'REGISTRY',
      accountHolderId: 'holder-of-list',
      userId,
      madeWithKeyId: child.key.id,
    });
    expect(JSON.stringify(all)).not.toContain(root.secret);
    const created = await identity.operator.ListKeys({ limit: 10, madeWithKeyId: root.key.id });
    expect(created.keys.map(({ id }) => id)).toEqual([child.key.id]);
    for (const limit of [0, 1_001])
      expect(await catchFailure(identity.operator.ListKeys({ limit }))).toMatchObject({ code: 'invalid-request' });
  });
});
