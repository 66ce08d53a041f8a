import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, eventually, failureOf, startListener, type TestListener } from '@saleschannel/testing';
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

/** Returns call options of a user with an access token or this API key. */
const by = (userId: string, keyId?: string, accountHolderId?: string) =>
  asUser(undefined, [], userId, accountHolderId, { keyId, isRegistry: accountHolderId !== undefined });

const make = async (userId: string, madeWith?: CreatedKey): Promise<CreatedKey> =>
  identity.createApiKey(await by(userId, madeWith?.key.id));

async function makeRegistryKey(userId: string, holder: string, madeWith?: CreatedKey): Promise<CreatedKey> {
  await identity.admin.SetAccountHolder({ userId, accountHolderId: holder });
  const options = await by(userId, madeWith?.key.id, holder);
  return identity.createRegistryKey(new Date(Date.now() + DAY_MS).toISOString(), options);
}

const isGood = async ({ key, secret }: CreatedKey): Promise<boolean> => {
  const credential = secret.startsWith('scs_reg') ? withRegistryKey(key, secret) : withKey(key, secret);
  return identity.gateway.Authenticate(credential).then(
    () => true,
    () => false,
  );
};

const areGood = (keys: readonly CreatedKey[]): Promise<boolean[]> => Promise.all(keys.map(isGood));

describe('a key created with another key', () => {
  test('is deleted with the descendants of its parent, and so are its own, of both kinds', async () => {
    const userId = await identity.newUser();
    const other = await make(userId);
    const root = await make(userId);
    const child = await make(userId, root);
    const grandchild = await make(userId, child);
    const registry = await makeRegistryKey(userId, newId(), grandchild);
    expect(await areGood([root, child, grandchild, registry])).toEqual([true, true, true, true]);
    // Even the key that authenticated the request.
    const request = { id: root.key.id, descendants: true };
    await identity.gateway.DeleteApiKey(request, await by(userId, child.key.id));
    expect(await areGood([root, child, grandchild, registry, other])).toEqual([false, false, false, false, true]);
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
    const root = await make(userId);
    const old = await make(userId, root);
    const child = await make(userId, old);
    const below = await make(userId, child);
    const registry = await makeRegistryKey(userId, newId(), old);
    const asking = await by(userId, keyOf({ root, old, child })?.key.id);
    await identity.gateway.DeleteApiKey({ id: old.key.id }, asking);
    expect(await areGood([root, old, child, below, registry])).toEqual([true, false, true, true, true]);
    const { keys } = await identity.operator.ListKeys({ limit: 10, userId });
    const makers = new Map(keys.map((key) => [key.id, key.madeWithKeyId]));
    expect([child, below, registry].map(({ key }) => makers.get(key.id))).toEqual([
      root.key.id,
      child.key.id,
      root.key.id,
    ]);
    await identity.gateway.DeleteApiKey({ id: root.key.id, descendants: true }, await by(userId));
    expect(await areGood([root, child, below, registry])).toEqual([false, false, false, false]);
  });

  test('names its parent until it has none', async () => {
    const userId = await identity.newUser();
    const root = await make(userId);
    const child = await make(userId, root);
    const madeWith = async () => {
      const { keys } = await identity.gateway.ListKeyDetails({}, await by(userId));
      return keys.find(({ id }) => id === child.key.id)?.madeWithKeyId;
    };
    expect(await madeWith()).toBe(root.key.id);
    await identity.gateway.DeleteApiKey({ id: root.key.id }, await by(userId));
    expect(await madeWith()).toBeUndefined();
  });

  test("of another user's key stays", async () => {
    const [userId, stranger] = [await identity.newUser(), await identity.newUser()];
    const root = await make(userId);
    const child = await make(userId, root);
    for (const descendants of [false, true]) {
      const request = { id: root.key.id, descendants };
      expect(await failureOf(identity.gateway.DeleteApiKey(request, await by(stranger)))).toMatchObject({
        code: 'not-found',
      });
    }
    expect(await areGood([root, child])).toEqual([true, true]);
    const created = await identity.operator.ListKeys({ limit: 10, madeWithKeyId: root.key.id });
    expect(created.keys.map(({ id }) => id)).toEqual([child.key.id]);
  });

  test('is not created if the parent was deleted meanwhile', async () => {
    const userId = await identity.newUser();
    const gone = await make(userId);
    await identity.gateway.DeleteApiKey({ id: gone.key.id }, await by(userId));
    expect(await failureOf(make(userId, gone))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(makeRegistryKey(userId, newId(), gone))).toMatchObject({ code: 'forbidden' });
  });

  test.each([false, true])(
    'is created or refused while its parent is deleted; with descendants: %s',
    async (descendants) => {
      const userId = await identity.newUser();
      const above = await make(userId);
      const root = await make(userId, above);
      const holder = newId();
      const making = Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0 ? make(userId, root) : makeRegistryKey(userId, holder, root),
      );
      const request = { id: root.key.id, descendants };
      const deleting = by(userId).then((options) => identity.gateway.DeleteApiKey(request, options));
      const outcomes = await Promise.allSettled(making);
      await deleting;
      const created = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      // Each is refused, or attached as its parent's deletion says: never valid without a parent.
      expect(await areGood(created)).toEqual(created.map(() => !descendants));
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
    const root = await make(userId);
    const child = await make(userId, root);
    const { keyIds } = await identity.operator.RevokeKey({ keyId: root.key.id });
    expect(keyIds.toSorted()).toEqual([root.key.id, child.key.id].toSorted());
    expect(await areGood([root, child])).toEqual([false, false]);
    expect(await identity.operator.RevokeKey({ keyId: root.key.id })).toMatchObject({ keyIds: [] });
  });

  test('revokes a registry key', async () => {
    const registry = await makeRegistryKey(await identity.newUser(), newId());
    expect(await identity.operator.RevokeKey({ keyId: registry.key.id })).toMatchObject({ keyIds: [registry.key.id] });
    expect(await isGood(registry)).toBe(false);
  });

  test('revokes only the keys of a user and the registry keys that they created', async () => {
    const [userId, stranger] = [await identity.newUser(), await identity.newUser()];
    const holder = newId();
    const theirs = [await make(userId), await makeRegistryKey(userId, holder)];
    const others = [await make(stranger), await makeRegistryKey(stranger, holder)];
    const { keyIds } = await identity.operator.RevokeUserKeys({ userId });
    expect(keyIds.toSorted()).toEqual(theirs.map(({ key }) => key.id).toSorted());
    expect(await areGood([...theirs, ...others])).toEqual([false, false, true, true]);
    expect(await identity.operator.RevokeUserKeys({ userId })).toMatchObject({ keyIds: [] });
    expect(await failureOf(identity.operator.RevokeUserKeys({ userId: newId() }))).toMatchObject({ code: 'not-found' });
  });

  test('sees keys of both kinds without secrets, page by page', async () => {
    const userId = await identity.newUser();
    const root = await make(userId);
    const child = await make(userId, root);
    const registry = await makeRegistryKey(userId, 'holder-of-list', child);
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
      expect(await failureOf(identity.operator.ListKeys({ limit }))).toMatchObject({ code: 'invalid-request' });
  });
});
