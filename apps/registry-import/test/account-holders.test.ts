import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { asRegistry, asUser, callAs, failureOf } from '@saleschannel/testing';
import { address, createHolder, holderFields, registryImportAs, startWorld, type World } from './fixture.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const pointersOf = (error: Error & { violations?: object[] }) =>
  (error.violations ?? []).map((violation) => (violation as { pointer?: string }).pointer);

describe('CreateAccountHolder', () => {
  test('creates an account holder; autoApproval is true when absent', async () => {
    const { accountHolder, created } = await world.client.CreateAccountHolder(
      holderFields('NO-1', 'Havkalk Mineralisering AS'),
      await asRegistry(),
    );
    expect(created).toBe(true);
    expect(accountHolder).toMatchObject({
      name: 'Havkalk Mineralisering AS',
      businessId: 'NO-1',
      autoApproval: true,
      address,
    });
    expect(accountHolder?.address?.street2).toBeUndefined();
    expect(accountHolder?.registeredOn).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  });

  test('equal content for a known business id answers the same record', async () => {
    const fields = { ...holderFields('NO-2'), autoApproval: false, address: { ...address, street2: 'Bygg B' } };
    const first = await world.client.CreateAccountHolder(fields, await asRegistry());
    const second = await world.client.CreateAccountHolder(fields, await asRegistry());
    expect(second.accountHolder).toEqual(first.accountHolder);
    expect([first.created, second.created]).toEqual([true, false]);
    expect(first.accountHolder).toMatchObject({ autoApproval: false, address: { street2: 'Bygg B' } });
  });

  test('20 parallel creations make one account holder', async () => {
    const options = await asRegistry();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.client.CreateAccountHolder(holderFields('NO-3'), options)),
    );
    expect(new Set(answers.map((answer) => answer.accountHolder?.accountHolderId)).size).toBe(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  });

  test('of 20 parallel creations with different content one wins, the others are refused', async () => {
    const options = await asRegistry();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        world.client.CreateAccountHolder(holderFields('NO-4', `Name ${index}`), options),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'request-refused' });
  });

  test('request-refused: other content for a known business id', async () => {
    await createHolder(world.client, 'NO-5');
    const error = await failureOf(
      world.client.CreateAccountHolder({ ...holderFields('NO-5'), autoApproval: false }, await asRegistry()),
    );
    expect(error).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/businessId', code: 'contradicts-stored' }],
    });
  });

  test.each([
    ['empty name', { ...holderFields('X'), name: '' }, ['#/name']],
    ['long name', { ...holderFields('X'), name: 'x'.repeat(201) }, ['#/name']],
    ['NUL', { ...holderFields('X'), name: 'a\0b' }, ['#/name']],
    ['empty business id', holderFields(''), ['#/businessId']],
    ['no address', { name: 'X', businessId: 'X' }, ['#/address']],
    ['no country', { ...holderFields('X'), address: { ...address, country: '' } }, ['#/address/country']],
    [
      'two faults',
      { ...holderFields(''), address: { ...address, street2: 'x'.repeat(201) } },
      ['#/businessId', '#/address/street2'],
    ],
  ])('invalid-request: %s', async (_, fields, pointers) => {
    const error = await failureOf(world.client.CreateAccountHolder(fields, await asRegistry()));
    expect(error.code).toBe('invalid-request');
    expect(pointersOf(error)).toEqual(pointers);
  });

  test('a name of 200 characters outside the basic plane is no longer than 200', async () => {
    const { accountHolder } = await world.client.CreateAccountHolder(
      holderFields('NO-6', '🜨'.repeat(200)),
      await asRegistry(),
    );
    expect(accountHolder?.name).toBe('🜨'.repeat(200));
  });

  test('forbidden: another calling service; a user instead of a registry key', async () => {
    const other = await registryImportAs('tasks', world.service.address);
    expect(await failureOf(other.CreateAccountHolder(holderFields('NO-7'), await asRegistry()))).toMatchObject({
      code: 'forbidden',
    });
    other.close();
    expect(
      await failureOf(
        world.client.CreateAccountHolder(holderFields('NO-7'), await asUser('c', ['ROLE_ADMINISTRATOR'])),
      ),
    ).toMatchObject({ code: 'forbidden' });
  });

  test('unauthenticated: no principal', async () => {
    expect(await failureOf(world.client.CreateAccountHolder(holderFields('NO-8')))).toMatchObject({
      code: 'unauthenticated',
    });
  });
});

describe('GetAccountHolder and ListAccountHolders', () => {
  test('reads one', async () => {
    const accountHolderId = await createHolder(world.client, 'GET-1');
    expect(await world.client.GetAccountHolder({ accountHolderId }, await asRegistry())).toMatchObject({
      accountHolderId,
      businessId: 'GET-1',
    });
  });

  test.each(['unknown', '', 'a\0b'])('not-found: %j', async (accountHolderId) => {
    expect(await failureOf(world.client.GetAccountHolder({ accountHolderId }, await asRegistry()))).toMatchObject({
      code: 'not-found',
    });
  });

  test('lists by registration, page by page', async () => {
    const options = await asRegistry();
    for (const businessId of ['LIST-C', 'LIST-A', 'LIST-B']) await createHolder(world.client, businessId);
    const all = await world.client.ListAccountHolders({ limit: 100 }, options);
    expect(Number(all.total)).toBe(all.accountHolders.length);
    const names = all.accountHolders.map((holder) => holder.businessId);
    expect(names.slice(-3)).toEqual(['LIST-C', 'LIST-A', 'LIST-B']);
    const page = await world.client.ListAccountHolders({ limit: 2, offset: names.length - 3 }, options);
    expect(page.total).toBe(all.total);
    expect(page.accountHolders.map((holder) => holder.businessId)).toEqual(['LIST-C', 'LIST-A']);
    expect((await world.client.ListAccountHolders({ limit: 2, offset: 1_000_000 }, options)).accountHolders).toEqual(
      [],
    );
  });

  test.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 1, offset: -1 }, 'offset'],
  ])('invalid-request: %j', async (page, parameter) => {
    const error = await failureOf(world.client.ListAccountHolders(page, await asRegistry()));
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ parameter }] });
  });
});

describe('UpdateAccountHolder', () => {
  const patch = async (accountHolderId: string, value: unknown) =>
    world.client.UpdateAccountHolder({ accountHolderId, mergePatchJson: JSON.stringify(value) }, await asRegistry());

  test('changes what the patch names, member by member, and nothing else', async () => {
    const accountHolderId = await createHolder(world.client, 'PATCH-1');
    const before = await world.client.GetAccountHolder({ accountHolderId }, await asRegistry());
    const after = await patch(accountHolderId, {
      autoApproval: false,
      address: { street1: 'Ranvikveien 11', street2: 'Bygg C' },
    });
    expect(after).toMatchObject({
      ...before,
      autoApproval: false,
      address: { ...address, street1: 'Ranvikveien 11', street2: 'Bygg C' },
    });
    const removed = await patch(accountHolderId, { address: { street2: null } });
    expect(removed.address?.street2).toBeUndefined();
    expect(await patch(accountHolderId, {})).toEqual(removed);
    expect(await world.client.GetAccountHolder({ accountHolderId }, await asRegistry())).toEqual(removed);
  });

  test('parallel patches of different members all take effect', async () => {
    const accountHolderId = await createHolder(world.client, 'PATCH-2');
    const patches = [
      { name: 'N' },
      { autoApproval: false },
      { address: { city: 'C' } },
      { address: { street1: 'S' } },
      { address: { street2: 'T' } },
    ];
    await Promise.all(patches.map((value) => patch(accountHolderId, value)));
    expect(await world.client.GetAccountHolder({ accountHolderId }, await asRegistry())).toMatchObject({
      name: 'N',
      autoApproval: false,
      address: { city: 'C', street1: 'S', street2: 'T' },
    });
  });

  test('request-refused: the business id of another account holder', async () => {
    await createHolder(world.client, 'PATCH-3');
    const accountHolderId = await createHolder(world.client, 'PATCH-4');
    const error = await failureOf(patch(accountHolderId, { businessId: 'PATCH-3' }));
    expect(error).toMatchObject({ code: 'request-refused', violations: [{ pointer: '#/businessId' }] });
    expect(await patch(accountHolderId, { businessId: 'PATCH-5' })).toMatchObject({ businessId: 'PATCH-5' });
  });

  test.each<[unknown, string[]]>([
    [{ name: null }, ['#/name']],
    [{ autoApproval: null }, ['#/autoApproval']],
    [{ address: null }, ['#/address']],
    [{ address: { city: null, street2: null } }, ['#/address/city']],
    [{ nam: 'x' }, ['#/nam']],
    [{ accountHolderId: 'x' }, ['#/accountHolderId']],
    [{ address: { 'a/b~': 1 } }, ['#/address/a~1b~0']],
    [{ name: 5 }, ['#/name']],
    [{ name: '' }, ['#/name']],
    [{ autoApproval: 'true' }, ['#/autoApproval']],
    [{ address: [] }, ['#/address']],
    [{ ['__proto__x']: 1 }, ['#/__proto__x']],
    [['name'], ['#']],
    ['name', ['#']],
    [null, ['#']],
  ])('invalid-request: %j', async (value, pointers) => {
    const accountHolderId = await createHolder(world.client, 'PATCH-6');
    const error = await failureOf(patch(accountHolderId, value));
    expect(error.code).toBe('invalid-request');
    expect(pointersOf(error)).toEqual(pointers);
  });

  test('malformed-body: no JSON', async () => {
    const accountHolderId = await createHolder(world.client, 'PATCH-7');
    const call = world.client.UpdateAccountHolder({ accountHolderId, mergePatchJson: '{' }, await asRegistry());
    expect(await failureOf(call)).toMatchObject({ code: 'malformed-body' });
  });

  test('not-found: an unknown id', async () => {
    expect(await failureOf(patch('unknown', { name: 'x' }))).toMatchObject({ code: 'not-found' });
  });
});

describe('AccountHolderDirectory', () => {
  test.each(['tasks', 'inventory', 'traders'] as const)(
    'GetAccountHolders answers %s, and leaves unknown ids out',
    async (caller) => {
      const directory = await callAs(caller, services.accountHolderDirectory, world.service.address);
      const ids = [await createHolder(world.client, 'DIR-1'), await createHolder(world.client, 'DIR-2')];
      const { accountHolders } = await directory.GetAccountHolders({
        accountHolderIds: [...ids, 'unknown', 'a\0b', ids[0] as string],
      });
      expect(accountHolders.map((holder) => holder.accountHolderId).toSorted()).toEqual(ids.toSorted());
      expect((await directory.GetAccountHolders({})).accountHolders).toEqual([]);
      directory.close();
    },
  );

  test('invalid-request: too many ids', async () => {
    const directory = await callAs('tasks', services.accountHolderDirectory, world.service.address);
    const accountHolderIds = Array.from({ length: 10_001 }, String);
    expect(await failureOf(directory.GetAccountHolders({ accountHolderIds }))).toMatchObject({
      code: 'invalid-request',
    });
    directory.close();
  });

  test('EnsureAccountHolder creates once, and refuses other content', async () => {
    const directory = await callAs('admin', services.accountHolderDirectory, world.service.address);
    const first = await directory.EnsureAccountHolder(holderFields('ENSURE-1'));
    expect(await directory.EnsureAccountHolder(holderFields('ENSURE-1'))).toEqual(first);
    expect(await failureOf(directory.EnsureAccountHolder(holderFields('ENSURE-1', 'Other')))).toMatchObject({
      code: 'request-refused',
    });
    expect(await failureOf(directory.EnsureAccountHolder(holderFields('')))).toMatchObject({ code: 'invalid-request' });
    directory.close();
  });

  test('forbidden: another calling service', async () => {
    const gateway = await callAs('gateway', services.accountHolderDirectory, world.service.address);
    expect(await failureOf(gateway.GetAccountHolders({}))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(gateway.EnsureAccountHolder(holderFields('X')))).toMatchObject({ code: 'forbidden' });
    gateway.close();
  });
});
