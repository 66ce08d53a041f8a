import { afterAll, beforeAll, expect, test, describe } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, catchFailure, listAuditedChanges, callAs } from '@saleschannel/testing';
import { startRbac, type Rbac } from './support/rbac.ts';

let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
afterAll(() => rbac.stop());

describe('FindBinding', () => {
  test('a user without a binding is not an error', async () => {
    for (const userId of [newId(), '', 'x\u0000']) {
      expect(await rbac.bindingOf(userId)).toBeNull();
    }
  });

  test.each(['gateway', 'traders', 'admin'] as const)('%s may not read bindings', async (caller) => {
    const client = await callAs(caller, 'bindingDirectory', rbac.service.address);
    expect(await catchFailure(client.FindBinding({ userId: newId() }))).toMatchObject({ code: 'forbidden' });
    client.close();
  });
});

describe('GetSalesChannel', () => {
  test('traders reads a channel, and an unknown one is not found', async () => {
    const client = await callAs('traders', 'bindingDirectory', rbac.service.address);
    const channel = await rbac.admin.CreateSalesChannel({ name: 'Nordic Removals' });
    expect(await client.GetSalesChannel({ salesChannelId: channel.id })).toEqual({
      id: channel.id,
      name: 'Nordic Removals',
      status: 'ACTIVE',
    });
    for (const salesChannelId of [newId(), '', 'x\u0000']) {
      expect(await catchFailure(client.GetSalesChannel({ salesChannelId }))).toMatchObject({ code: 'not-found' });
    }
    client.close();
  });

  test.each(['gateway', 'identity', 'tasks', 'registry-import', 'inventory', 'admin'] as const)(
    '%s may not read channels',
    async (caller) => {
      const client = await callAs(caller, 'bindingDirectory', rbac.service.address);
      expect(await catchFailure(client.GetSalesChannel({ salesChannelId: newId() }))).toMatchObject({
        code: 'forbidden',
      });
      client.close();
    },
  );
});

describe('administration', () => {
  test('channels are listed oldest first', async () => {
    const one = await rbac.admin.CreateSalesChannel({ name: 'One' });
    const two = await rbac.admin.CreateSalesChannel({ name: 'Two' });
    const { salesChannels } = await rbac.admin.ListSalesChannels({});
    expect(salesChannels.slice(-2)).toEqual([one, two]);
  });

  test.each(['', '   ', '\ufeff', '\u200b', 'x'.repeat(201), 'a\u0000b', 'a\nb'])(
    'the name %j is refused',
    async (name) => {
      expect(await catchFailure(rbac.admin.CreateSalesChannel({ name }))).toMatchObject({
        code: 'invalid-request',
        violations: [{ parameter: 'name' }],
      });
    },
  );

  test('names and reasons are trimmed and composed, and reasons are not blank', async () => {
    const channel = await rbac.admin.CreateSalesChannel({ name: ' A\u030angstro\u0308m\u200b ' });
    expect(channel.name).toBe('Ångström');
    const salesChannelId = channel.id;
    for (const reason of [' ', '\ufeff', '\u200b'])
      expect(await catchFailure(rbac.admin.SuspendSalesChannel({ salesChannelId, reason }))).toMatchObject({
        code: 'invalid-request',
        violations: [{ parameter: 'reason', code: 'blank' }],
      });
    const suspended = await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: ' a\u0300 la carte ' });
    expect(suspended).toMatchObject({ suspendedReason: 'à la carte' });
  });

  test('roles are added to existing ones, idempotently', async () => {
    const salesChannelId = await rbac.newChannel();
    const userId = rbac.newUser();
    await rbac.admin.AssignRoles({ userId, salesChannelId, roles: ['ASSET_VIEWER', 'ASSET_VIEWER'] });
    const request = { userId, salesChannelId, roles: ['ROLE_ADMINISTRATOR', 'ASSET_VIEWER'] };
    const binding = { userId, salesChannelId, roles: ['ROLE_ADMINISTRATOR', 'ASSET_VIEWER'] };
    expect(await rbac.admin.AssignRoles(request)).toEqual(binding);
    expect(await rbac.admin.AssignRoles(request)).toEqual(binding);
    expect(await rbac.bindingOf(userId)).toEqual(binding);
  });

  test('an unknown user, an unknown channel, an unknown role and a user of another channel are refused', async () => {
    const salesChannelId = await rbac.newChannel();
    const other = await rbac.member(await rbac.newChannel(), 'ASSET_VIEWER');
    const userId = rbac.newUser();
    const refused = [
      [{ userId: newId(), salesChannelId, roles: [] }, 'not-found'],
      [{ userId: '', salesChannelId, roles: [] }, 'not-found'],
      [{ userId, salesChannelId: newId(), roles: [] }, 'not-found'],
      [{ userId, salesChannelId: 'x\u0000', roles: [] }, 'not-found'],
      [{ userId, salesChannelId, roles: ['OWNER'] }, 'invalid-request'],
      [{ userId: other, salesChannelId, roles: ['EVENT_VIEWER'] }, 'request-refused'],
    ] as const;
    for (const [request, code] of refused) {
      expect(await catchFailure(rbac.admin.AssignRoles({ ...request, roles: [...request.roles] }))).toMatchObject({
        code,
      });
    }
    expect(await rbac.bindingOf(userId)).toBeNull();
    expect(await rbac.bindingOf(other)).toMatchObject({ roles: ['ASSET_VIEWER'] });
  });

  test('while identity is down, no role is assigned', async () => {
    const salesChannelId = await rbac.newChannel();
    const userId = rbac.newUser();
    rbac.failIdentity(new DomainError('unavailable', 'down'));
    try {
      expect(await catchFailure(rbac.admin.AssignRoles({ userId, salesChannelId, roles: [] }))).toMatchObject({
        code: 'unavailable',
      });
    } finally {
      rbac.failIdentity(undefined);
    }
    expect(await rbac.bindingOf(userId)).toBeNull();
  });

  test.each(['gateway', 'identity', 'traders'] as const)('%s may not administer channels', async (caller) => {
    const client = await callAs(caller, 'rbacAdministration', rbac.service.address);
    expect(await catchFailure(client.CreateSalesChannel({ name: 'x' }))).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(client.ListSalesChannels({}))).toMatchObject({ code: 'forbidden' });
    expect(
      await catchFailure(client.AssignRoles({ userId: newId(), salesChannelId: newId(), roles: [] })),
    ).toMatchObject({
      code: 'forbidden',
    });
    client.close();
  });
});

const ROUNDS = 10;

const taken = { code: 'request-refused', violations: [{ pointer: '#/name', code: 'name-taken' }] };
const create = (name: string) => rbac.admin.CreateSalesChannel({ name });
const rename = (salesChannelId: string, name: string) =>
  rbac.admin.RenameSalesChannel({ salesChannelId, name, reason: 'new brand' });

test('a new sales channel cannot take the name of another, in any spelling', async () => {
  const { name } = await create('  Café Nordic ');
  expect(name).toBe('Café Nordic');
  for (const same of ['Café Nordic', 'CAFÉ NORDIC', ' café nordic', 'Cafe\u0301 Nordic'])
    expect(await catchFailure(create(same))).toMatchObject(taken);
  expect((await create('Cafe Nordic')).name).toBe('Cafe Nordic');
});

test('renaming is in both trails, with the reason only in that of the installation', async () => {
  const { id } = await create(`Before ${newId()}`);
  const before = (await rbac.admin.ListSalesChannels({})).salesChannels.find((each) => each.id === id)?.name;
  const name = `After ${newId()}`;
  expect(await rename(id, ` ${name} `)).toMatchObject({ id, name, status: 'ACTIVE' });
  expect(await rename(id, name)).toMatchObject({ id, name });
  const { address } = rbac.service;
  const changesIn = (scope: string) => listAuditedChanges({ name: 'rbac', address }, scope, id);
  expect((await changesIn(id)).at(-1)).toEqual([{ name: before }, { name }]);
  expect((await changesIn('installation')).at(-1)).toEqual([{ name: before }, { name, reason: 'new brand' }]);
  // The old name is free again, and a name may change its case.
  await create(String(before));
  expect(await rename(id, name.toUpperCase())).toMatchObject({ name: name.toUpperCase() });
});

test('renaming needs a free name, a reason and an existing channel', async () => {
  const [{ id }, other] = [await create(`One ${newId()}`), await create(`Other ${newId()}`)];
  expect(await catchFailure(rename(id, other.name.toUpperCase()))).toMatchObject(taken);
  expect(await catchFailure(rename(id, '  '))).toMatchObject({ violations: [{ parameter: 'name' }] });
  const unexplained = rbac.admin.RenameSalesChannel({ salesChannelId: id, name: newId(), reason: '' });
  expect(await catchFailure(unexplained)).toMatchObject({ violations: [{ parameter: 'reason' }] });
  expect(await catchFailure(rename(newId(), newId()))).toMatchObject({ code: 'not-found' });
});

test('of concurrent creations and renamings to one name, one succeeds', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `Race ${newId()}`;
    const { id } = await create(newId());
    const outcomes = await Promise.allSettled([create(name), create(name.toUpperCase()), rename(id, name)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rows = await rbac.service.sql('select from sales_channel where lower(name) = lower($1)', [name]);
    expect(rows).toHaveLength(1);
  }
});

test('sales channels that already share a name keep it', async () => {
  const name = `Shared ${newId()}`;
  const ids = [newId(), newId()];
  for (const id of ids) await rbac.service.sql('insert into sales_channel (id, name) values ($1, $2)', [id, name]);
  expect(await rename(String(ids[0]), name)).toMatchObject({ name });
  await rbac.admin.SuspendSalesChannel({ salesChannelId: String(ids[1]), reason: 'by order' });
  expect(await catchFailure(create(name))).toMatchObject(taken);
});

/** Their list holds every channel, so they have a service of their own. */
describe('channels that account holders may apply to', () => {
  let rbac: Rbac;
  beforeAll(async () => {
    rbac = await startRbac();
  });
  afterAll(() => rbac.stop());

  const asHolder = (): Promise<{ principalToken: string }> => asUser(undefined, [], undefined, newId());

  async function open(limit: number): Promise<{ id: string; name: string }[]> {
    const found: { id: string; name: string }[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = { limit, offset: 0, ...(after === undefined ? {} : { after }) };
      const { salesChannels, next } = await rbac.gateway.PageOpenSalesChannels({ page }, await asHolder());
      found.push(...salesChannels.map(({ id, name }) => ({ id, name })));
      [after, more] = [next, next !== undefined];
    }
    return found;
  }

  test('channels are listed by name ignoring case, page by page, without suspended ones', async () => {
    const names = ['beta', 'Alpha', 'Zeta', 'gamma', 'Åland'];
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, (await rbac.admin.CreateSalesChannel({ name })).id);
    // Channels created by older releases may share a name.
    await rbac.service.sql(`insert into sales_channel (id, name) values ($1, 'alpha')`, [newId()]);
    const salesChannelId = ids.get('gamma') ?? '';
    await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
    const all = await open(100);
    expect(all.map(({ name }) => name.toLowerCase())).toEqual(['alpha', 'alpha', 'beta', 'zeta', 'åland']);
    expect(all).toContainEqual({ id: ids.get('Zeta'), name: 'Zeta' });
    for (const limit of [1, 2, 3]) expect(await open(limit)).toEqual(all);
    await rbac.admin.ResumeSalesChannel({ salesChannelId });
    expect((await open(100)).map(({ id }) => id)).toContain(salesChannelId);
  });

  test('channels are found by a part of their name and by id, without suspended ones', async () => {
    const tag = newId();
    const created = [];
    for (const name of [`Nørdic ${tag}`, `Biochar ${tag} Łódź`, `nord ${tag}`])
      created.push(await rbac.admin.CreateSalesChannel({ name }));
    const [nordic, biochar, suspended] = created.map(({ id }) => id);
    await rbac.admin.SuspendSalesChannel({ salesChannelId: suspended ?? '', reason: 'by order' });
    const found = async (search: string, page = { limit: 10, offset: 0 }) => {
      const reply = await rbac.gateway.PageOpenSalesChannels({ search, page }, await asHolder());
      expect(reply.searched).toBe(true);
      return { ids: reply.salesChannels.map(({ id }) => id), next: reply.next };
    };
    expect(await found(`NORDIC ${tag}`)).toEqual({ ids: [nordic], next: undefined });
    expect((await found(tag)).ids).toEqual([biochar, nordic]);
    expect((await found(`${tag} lodz`)).ids).toEqual([biochar]);
    expect((await found(biochar ?? '')).ids).toEqual([biochar]);
    expect((await found(suspended ?? '')).ids).toEqual([]);
    expect((await found((biochar ?? '').slice(1))).ids).toEqual([]);
    const { next } = await found(tag, { limit: 1, offset: 0 });
    const page = { limit: 1, offset: 0, ...(next !== undefined && { after: next }) };
    expect(await found(tag, page)).toEqual({ ids: [nordic], next: undefined });
    expect(await catchFailure(found('another', page))).toMatchObject({ violations: [{ parameter: '$after' }] });
    const whole = await rbac.gateway.PageOpenSalesChannels({ page: { limit: 1, offset: 0 } }, await asHolder());
    expect(whole.searched).toBe(false);
    for (const [search, code] of [
      ['', 'minLength'],
      ['x'.repeat(201), 'maxLength'],
    ] as const)
      expect(await catchFailure(found(search))).toMatchObject({
        code: 'invalid-request',
        violations: [{ parameter: 'q', code }],
      });
  });

  test('invalid pages and cursors are refused', async () => {
    for (const [page, parameter] of [
      [{ limit: 1_001, offset: 0 }, '$limit'],
      [{ limit: 1, offset: 100_001 }, '$offset'],
      [{ limit: 1, offset: 0, after: 'x' }, '$after'],
    ] as const)
      expect(await catchFailure(rbac.gateway.PageOpenSalesChannels({ page }, await asHolder()))).toMatchObject({
        code: 'invalid-request',
        violations: [{ parameter }],
      });
  });

  test('users without an account holder, and registry keys, are refused', async () => {
    const page = { limit: 1, offset: 0 };
    for (const options of [await asUser(newId(), ['ROLE_ADMINISTRATOR']), await asRegistry()])
      expect(await catchFailure(rbac.gateway.PageOpenSalesChannels({ page }, options))).toMatchObject({
        code: 'forbidden',
      });
  });
});
