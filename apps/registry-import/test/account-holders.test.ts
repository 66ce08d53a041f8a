import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asRegistry, asUser, catchFailure } from '@saleschannel/testing';
import { address, holderContent } from './support/records.ts';
import { startRegistryImport, type Registry, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
afterAll(() => registry.stop());

test('GetAccountHolders answers tasks, and omits unknown ids', async () => {
  const directory = await registry.directory('tasks');
  const [first, second] = [await registry.createHolder('DIR-1'), await registry.createHolder('DIR-2')];
  const { accountHolders } = await directory.GetAccountHolders({
    accountHolderIds: [first, second, 'unknown', 'a\0b', first],
  });
  const ids = accountHolders.map(({ accountHolderId }) => accountHolderId);
  expect(ids.toSorted()).toEqual([first, second].toSorted());
  expect((await directory.GetAccountHolders({})).accountHolders).toEqual([]);
  directory.close();
});

test('invalid-request: too many ids', async () => {
  const directory = await registry.directory('tasks');
  const accountHolderIds = Array.from({ length: 10_001 }, String);
  const error = await catchFailure(directory.GetAccountHolders({ accountHolderIds }));
  expect(error).toMatchObject({ code: 'invalid-request' });
  directory.close();
});

test('EnsureAccountHolder creates once, and refuses other content', async () => {
  const directory = await registry.directory('admin');
  const ensure = (businessId: string, name?: string) =>
    directory.EnsureAccountHolder({ content: holderContent(businessId, name) });
  const first = await ensure('ENSURE-1');
  expect(await ensure('ENSURE-1')).toEqual(first);
  expect(await catchFailure(ensure('ENSURE-1', 'Other'))).toMatchObject({ code: 'request-refused' });
  expect(await catchFailure(ensure(''))).toMatchObject({ code: 'invalid-request' });
  directory.close();
});

test.each(['gateway', 'events', 'traders'] as const)('forbidden: %s', async (caller) => {
  const directory = await registry.directory(caller);
  expect(await catchFailure(directory.GetAccountHolders({}))).toMatchObject({ code: 'forbidden' });
  const content = holderContent('X');
  expect(await catchFailure(directory.EnsureAccountHolder({ content }))).toMatchObject({ code: 'forbidden' });
  directory.close();
});

const at = (pointers: string[]) => pointers.map((pointer) => ({ pointer }));

describe('CreateAccountHolder', () => {
  test('creates an account holder, with autoApproval true by default', async () => {
    const content = holderContent('NO-1', 'Havkalk Mineralisering AS');
    const { accountHolder, created } = await registry.create(content);
    expect(created).toBe(true);
    expect(accountHolder).toEqual({
      kind: 'HOLDER',
      status: 'ACTIVE',
      ...content,
      accountHolderId: expect.any(String),
      autoApproval: true,
      registeredOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    });
    expect(accountHolder.address?.street2).toBeUndefined();
  });

  test('equal content for a known business id returns the same record', async () => {
    const content = { ...holderContent('NO-2'), autoApproval: false, address: { ...address, street2: 'Bygg B' } };
    const first = await registry.create(content);
    const second = await registry.create(content);
    expect(second.accountHolder).toEqual(first.accountHolder);
    expect([first.created, second.created]).toEqual([true, false]);
    expect(first.accountHolder).toMatchObject({ autoApproval: false, address: { street2: 'Bygg B' } });
  });

  test('an empty second street line is a missing one', async () => {
    const { accountHolder } = await registry.create({
      ...holderContent('NO-2B'),
      address: { ...address, street2: '' },
    });
    expect(accountHolder.address).toEqual(address);
    expect(await registry.create(holderContent('NO-2B'))).toEqual({ accountHolder, created: false });
  });

  test('20 concurrent creations create one account holder', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => registry.create(holderContent('NO-3'))));
    expect(new Set(answers.map(({ accountHolder }) => accountHolder.accountHolderId)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
  });

  test('of 20 concurrent creations with different content, one succeeds', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => registry.create(holderContent('NO-4', `Party ${index}`))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'request-refused' });
  });

  test('request-refused: other content for a known business id', async () => {
    await registry.createHolder('NO-5');
    const error = await catchFailure(registry.create({ ...holderContent('NO-5'), autoApproval: false }));
    expect(error).toMatchObject({
      code: 'request-refused',
      violations: [{ pointer: '#/businessId', code: 'contradicts-stored' }],
    });
  });

  test.each([
    ['empty name', { ...holderContent('X'), name: '' }, ['#/name']],
    ['long name', { ...holderContent('X'), name: 'x'.repeat(201) }, ['#/name']],
    ['a line end', { ...holderContent('X'), address: { ...address, city: 'a\nb' } }, ['#/address/city']],
    ['NUL', { ...holderContent('X'), name: 'a\0b' }, ['#/name']],
    ['empty business id', holderContent(''), ['#/businessId']],
    ['no address', { name: 'X', businessId: 'X' }, ['#/address']],
    ['no country', { ...holderContent('X'), address: { ...address, country: '' } }, ['#/address/country']],
    [
      'two faults',
      { ...holderContent(''), address: { ...address, street2: 'x'.repeat(1_001) } },
      ['#/businessId', '#/address/street2'],
    ],
  ])('invalid-request: %s', async (_, content, pointers) => {
    const error = await catchFailure(registry.create(content));
    expect(error).toMatchObject({ code: 'invalid-request', violations: at(pointers) });
  });

  test('invalid-request: no content', async () => {
    const client = await registry.clientOf('gateway');
    const error = await catchFailure(client.CreateAccountHolder({}, await asRegistry()));
    expect(error).toMatchObject({ code: 'invalid-request', violations: at(['#']) });
    client.close();
  });

  test('members of an address have up to 1,000 characters', async () => {
    const long = { postalCode: 'p', city: 'c', country: 'n', street1: 's', street2: 't' };
    const members = Object.entries(long).map(([member, letter]) => [member, letter.repeat(1_000)]);
    const content = { ...holderContent('NO-LONG'), address: Object.fromEntries(members) as typeof long };
    expect((await registry.create(content)).accountHolder.address).toEqual(content.address);
  });

  test('characters outside the basic plane count once', async () => {
    const { accountHolder } = await registry.create(holderContent('NO-6', '🜨'.repeat(200)));
    expect(accountHolder.name).toBe('🜨'.repeat(200));
  });

  test('forbidden: another calling service, and a user instead of a registry key', async () => {
    const other = await registry.clientOf('tasks');
    const request = { content: holderContent('NO-7') };
    expect(await catchFailure(other.CreateAccountHolder(request, await asRegistry()))).toMatchObject({
      code: 'forbidden',
    });
    other.close();
    const gateway = await registry.clientOf('gateway');
    const user = await asUser('c', ['ROLE_ADMINISTRATOR']);
    expect(await catchFailure(gateway.CreateAccountHolder(request, user))).toMatchObject({ code: 'forbidden' });
    gateway.close();
  });

  test('unauthenticated: no principal', async () => {
    const gateway = await registry.clientOf('gateway');
    const error = await catchFailure(gateway.CreateAccountHolder({ content: holderContent('NO-8') }));
    expect(error).toMatchObject({ code: 'unauthenticated' });
    gateway.close();
  });
});

describe('GetAccountHolder and ListAccountHolders', () => {
  test('reads an account holder', async () => {
    const accountHolderId = await registry.createHolder('GET-1');
    expect(await registry.get(accountHolderId)).toMatchObject({ accountHolderId, businessId: 'GET-1' });
  });

  test.each(['unknown', '', 'a\0b'])('not-found: %j', async (accountHolderId) => {
    expect(await catchFailure(registry.get(accountHolderId))).toMatchObject({ code: 'not-found' });
  });

  test('lists by registration, page by page', async () => {
    for (const businessId of ['LIST-C', 'LIST-A', 'LIST-B']) await registry.createHolder(businessId);
    const all = await registry.list({ limit: 100 });
    expect(Number(all.total)).toBe(all.accountHolders.length);
    const businessIds = all.accountHolders.map(({ businessId }) => businessId);
    expect(businessIds.slice(-3)).toEqual(['LIST-C', 'LIST-A', 'LIST-B']);
    const page = await registry.list({ limit: 2, offset: businessIds.length - 3 });
    expect(page.total).toBe(all.total);
    expect(page.accountHolders.map(({ businessId }) => businessId)).toEqual(['LIST-C', 'LIST-A']);
    expect((await registry.list({ limit: 2, offset: 10_000 })).accountHolders).toEqual([]);
  });

  test('lists by business id, and by a prefix of the name ignoring case', async () => {
    const found = await registry.list({ limit: 100 }, { businessId: 'LIST-A' });
    expect([found.total, found.accountHolders.map(({ businessId }) => businessId)]).toEqual(['1', ['LIST-A']]);
    expect(await registry.list({ limit: 100 }, { businessId: 'LIST' })).toMatchObject({ accountHolders: [] });
    const named = await registry.list(
      { limit: 100 },
      { name: String(found.accountHolders[0]?.name).slice(0, 3).toUpperCase() },
    );
    expect(named.accountHolders).toEqual(expect.arrayContaining(found.accountHolders));
    expect(Number(named.total)).toBe(named.accountHolders.length);
    expect((await registry.list({ limit: 100 }, { name: '%' })).accountHolders).toEqual([]);
  });

  test('lists by any part of a name ignoring case and accents, in pages, with the exact total', async () => {
    const names = ['Nørthern Biochar Oy', 'Café Straße', 'CAFE 2', 'Biochar Łódź'];
    for (const name of names) await registry.create(holderContent(`PART ${name}`, name));
    const found = async (filter: Parameters<Registry['list']>[1]) => {
      const { total, accountHolders, searched } = await registry.list({ limit: 100 }, filter);
      expect([Number(total), searched]).toEqual([accountHolders.length, true]);
      return accountHolders.map(({ name }) => name);
    };
    for (const [namePart, expected] of [
      ['CHAR', ['Nørthern Biochar Oy', 'Biochar Łódź']],
      ['north', ['Nørthern Biochar Oy']],
      ['café', ['Café Straße', 'CAFE 2']],
      ['strasse', ['Café Straße']],
      ['lodz', ['Biochar Łódź']],
      ['e 2', ['CAFE 2']],
      ['cafeteria', []],
    ] as const)
      expect([namePart, await found({ namePart })]).toEqual([namePart, expected]);
    // Both filters together, ordered by name.
    expect(await found({ namePart: 'af', name: 'caf' })).toEqual(['CAFE 2', 'Café Straße']);
    expect(await found({ namePart: 'char', name: 'bio' })).toEqual(['Biochar Łódź']);
    expect(await found({ namePart: 'char', businessId: 'PART CAFE 2' })).toEqual([]);
    expect(await found({ namePart: 'afe', businessId: 'PART CAFE 2' })).toEqual(['CAFE 2']);
    const first = await registry.list({ limit: 1 }, { namePart: 'CAFÉ' });
    const after = first.next ?? 'none';
    const second = await registry.list({ limit: 1, after }, { namePart: 'CAFÉ' });
    expect([first, second].map(({ accountHolders, total }) => [accountHolders[0]?.name, total])).toEqual([
      ['Café Straße', '2'],
      ['CAFE 2', '2'],
    ]);
    expect(second.next).toBeUndefined();
    expect((await registry.list({ limit: 1 })).searched).toBe(false);
    expect(await catchFailure(registry.list({ limit: 1, after }, { namePart: 'strasse' }))).toMatchObject({
      violations: [{ parameter: 'after', code: 'cursor' }],
    });
  });

  test.each([
    ['', 'minLength'],
    ['x'.repeat(201), 'maxLength'],
    ['a\0b', 'nul-character'],
  ])('invalid-request: a part %j of a name', async (namePart, code) => {
    expect(await catchFailure(registry.list({ limit: 1 }, { namePart }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'nameContains', code }],
    });
  });

  test.each([
    [{ limit: 0 }, 'limit', 'minimum'],
    [{ limit: 101 }, 'limit', 'maximum'],
    [{ limit: 1, offset: -1 }, 'offset', 'pattern'],
    [{ limit: 1, offset: 10_001 }, 'offset', 'maximum'],
    [{ limit: 1, after: 'nonsense' }, 'after', 'cursor'],
    [{ limit: 1, offset: 1, after: 'nonsense' }, 'offset', 'offset-with-cursor'],
  ])('invalid-request: %j', async (page, parameter, code) => {
    expect(await catchFailure(registry.list(page))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter, code }],
    });
  });
});

describe('UpdateAccountHolder', () => {
  test('changes only the members of the patch', async () => {
    const accountHolderId = await registry.createHolder('PATCH-1');
    const before = await registry.get(accountHolderId);
    const after = await registry.update(accountHolderId, {
      autoApproval: false,
      address: { street1: 'Ranvikveien 11', street2: 'Bygg C' },
    });
    expect(after).toEqual({
      ...before,
      autoApproval: false,
      address: { ...address, street1: 'Ranvikveien 11', street2: 'Bygg C' },
    });
    const removed = await registry.update(accountHolderId, { address: { street2: null } });
    expect(removed.address?.street2).toBeUndefined();
    expect(await registry.update(accountHolderId, {})).toEqual(removed);
    expect(await registry.get(accountHolderId)).toEqual(removed);
  });

  test('concurrent patches of different members all take effect', async () => {
    const accountHolderId = await registry.createHolder('PATCH-2');
    const patches = [
      { name: 'N' },
      { autoApproval: false },
      { address: { city: 'C' } },
      { address: { street1: 'S' } },
      { address: { street2: 'T' } },
    ];
    await Promise.all(patches.map((patch) => registry.update(accountHolderId, patch)));
    expect(await registry.get(accountHolderId)).toMatchObject({
      name: 'N',
      autoApproval: false,
      address: { city: 'C', street1: 'S', street2: 'T' },
    });
  });

  test('request-refused: the business id of another account holder', async () => {
    await registry.createHolder('PATCH-3');
    const accountHolderId = await registry.createHolder('PATCH-4');
    const error = await catchFailure(registry.update(accountHolderId, { businessId: 'PATCH-3' }));
    expect(error).toMatchObject({ code: 'request-refused', violations: at(['#/businessId']) });
    expect(await registry.update(accountHolderId, { businessId: 'PATCH-5' })).toMatchObject({ businessId: 'PATCH-5' });
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
  ])('invalid-request: %j', async (patch, pointers) => {
    const accountHolderId = await registry.createHolder('PATCH-6');
    const error = await catchFailure(registry.update(accountHolderId, patch));
    expect(error).toMatchObject({ code: 'invalid-request', violations: at(pointers) });
  });

  test('invalid-request: no JSON', async () => {
    const accountHolderId = await registry.createHolder('PATCH-7');
    const gateway = await registry.clientOf('gateway');
    const call = gateway.UpdateAccountHolder({ accountHolderId, mergePatchJson: '{' }, await asRegistry());
    expect(await catchFailure(call)).toMatchObject({ code: 'invalid-request', violations: [{ code: 'json' }] });
    gateway.close();
  });

  test.each(['unknown', '', 'a\0b'])('not-found: %j', async (accountHolderId) => {
    expect(await catchFailure(registry.update(accountHolderId, { name: 'x' }))).toMatchObject({ code: 'not-found' });
  });
});
