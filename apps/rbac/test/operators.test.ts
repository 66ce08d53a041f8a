import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  asUser,
  listAuditedChanges,
  removeMarkers,
  callAs,
  collect,
  eventually,
  catchFailure,
} from '@saleschannel/testing';
import { asAdministrator, startRbac, type Rbac } from './support/rbac.ts';

let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
afterAll(() => rbac.stop());

describe('a suspended sales channel', () => {
  test('is reported with every binding until it is resumed', async () => {
    const salesChannelId = await rbac.newChannel();
    const userId = await rbac.member(salesChannelId, 'EVENT_VIEWER');
    const status = async () => (await rbac.identity.FindBinding({ userId })).salesChannel?.status;
    expect(await status()).toBe('ACTIVE');
    const suspended = await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
    expect(suspended).toMatchObject({ status: 'SUSPENDED', suspendedReason: 'by order' });
    const again = await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by another order' });
    expect(again).toMatchObject({ suspendedAt: suspended.suspendedAt, suspendedReason: 'by another order' });
    expect(await status()).toBe('SUSPENDED');
    expect(removeMarkers(await rbac.admin.ResumeSalesChannel({ salesChannelId }))).toEqual({
      id: salesChannelId,
      name: expect.stringMatching(/^A channel /),
      status: 'ACTIVE',
    });
    expect(await status()).toBe('ACTIVE');
  });

  test('can lose users and roles, but not gain them', async () => {
    const salesChannelId = await rbac.newChannel();
    const userId = await rbac.member(salesChannelId, 'EVENT_VIEWER');
    const administrator = await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
    const [call, ofAMomentAgo] = [
      await asUser(salesChannelId, ['ROLE_ADMINISTRATOR'], administrator, undefined, { isSuspended: true }),
      await asAdministrator(salesChannelId, administrator),
    ];
    await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
    const role = { userId, salesChannelId, role: 'ASSET_VIEWER' };
    const suspended = { code: 'sales-channel-suspended' };
    for (const options of [call, ofAMomentAgo]) {
      expect(await catchFailure(rbac.gateway.GrantRole(role, options))).toMatchObject(suspended);
      const bound = rbac.gateway.BindUser({ userId: rbac.newUser(), salesChannelId }, options);
      expect(await catchFailure(bound)).toMatchObject(suspended);
    }
    await rbac.gateway.RemoveRole({ ...role, role: 'EVENT_VIEWER' }, call);
    await rbac.gateway.UnbindUser({ userId, salesChannelId }, call);
    expect(await rbac.bindingOf(userId)).toBeNull();
  });

  test('is in both trails with the former state, with the reason only in that of the installation', async () => {
    const salesChannelId = await rbac.newChannel();
    await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
    await rbac.admin.ResumeSalesChannel({ salesChannelId });
    const { address } = rbac.service;
    const statesIn = (scope: string) => listAuditedChanges({ name: 'rbac', address }, scope, salesChannelId);
    const [active, suspended] = [{ status: 'ACTIVE' }, { status: 'SUSPENDED' }];
    expect(await statesIn(salesChannelId)).toEqual([
      [active, suspended],
      [suspended, active],
    ]);
    const [running, stopped] = [
      { ...active, reason: null },
      { ...suspended, reason: 'by order' },
    ];
    expect(await statesIn('installation')).toEqual([
      [running, stopped],
      [stopped, running],
    ]);
  });

  test('is reported only to callers with the role', async () => {
    const salesChannelId = await rbac.newChannel();
    const call = await asUser(salesChannelId, ['EVENT_VIEWER'], newId(), undefined, { isSuspended: true });
    expect(await catchFailure(rbac.gateway.BindUser({ userId: newId(), salesChannelId }, call))).toMatchObject({
      code: 'forbidden',
    });
  });

  test('needs an existing channel and a reason', async () => {
    const salesChannelId = await rbac.newChannel();
    expect(await catchFailure(rbac.admin.SuspendSalesChannel({ salesChannelId, reason: '' }))).toMatchObject({
      code: 'invalid-request',
    });
    const unknown = { salesChannelId: newId() };
    expect(await catchFailure(rbac.admin.SuspendSalesChannel({ ...unknown, reason: 'x' }))).toMatchObject({
      code: 'not-found',
    });
    expect(await catchFailure(rbac.admin.ResumeSalesChannel(unknown))).toMatchObject({ code: 'not-found' });
  });

  test.each(['inventory', 'registry-import'] as const)('%s reads which channels are suspended', async (caller) => {
    const client = await callAs(caller, 'bindingDirectory', rbac.service.address);
    const [active, suspended] = [await rbac.newChannel(), await rbac.newChannel()];
    await rbac.admin.SuspendSalesChannel({ salesChannelId: suspended, reason: 'x' });
    const { salesChannels } = await client.GetSalesChannels({
      salesChannelIds: [active, suspended, newId(), 'x\u0000'],
    });
    expect(new Map(salesChannels.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [active, 'ACTIVE'],
        [suspended, 'SUSPENDED'],
      ]),
    );
    client.close();
  });
});

describe('the users of a channel', () => {
  const listOf = async (salesChannelId: string) =>
    (await collect(rbac.gateway.ListUsers({}, await asAdministrator(salesChannelId)))).map((user) =>
      removeMarkers(user),
    );

  test('are listed with names and roles, without those of other channels', async () => {
    const [mine, theirs] = [await rbac.newChannel(), await rbac.newChannel()];
    const userIds = [await rbac.member(mine, 'EVENT_VIEWER'), await rbac.member(mine)].toSorted();
    const stranger = await rbac.member(theirs, 'EVENT_VIEWER');
    const listed = await listOf(mine);
    expect(listed.map(({ userId }) => userId)).toEqual(userIds);
    expect(listed[0]).toMatchObject({ issuer: 'https://issuer.example', subject: `subject of ${userIds[0]}` });
    expect(JSON.stringify(listed)).not.toContain(stranger);
    expect((await listOf(theirs)).map(({ userId }) => userId)).toEqual([stranger]);
  });

  test('are visible to role administrators only', async () => {
    const salesChannelId = await rbac.newChannel();
    const call = await asUser(salesChannelId, ['EVENT_VIEWER', 'TRADER_ADMINISTRATOR']);
    expect(await catchFailure(collect(rbac.gateway.ListUsers({}, call)))).toMatchObject({ code: 'forbidden' });
    const unbound = await asUser(undefined, ['ROLE_ADMINISTRATOR']);
    expect(await catchFailure(collect(rbac.gateway.ListUsers({}, unbound)))).toMatchObject({ code: 'forbidden' });
  });
});

describe('an operator', () => {
  test('ends any binding idempotently, and learns of the last administrator', async () => {
    const salesChannelId = await rbac.newChannel();
    const [one, two] = [
      await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR'),
      await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR'),
    ];
    const before = rbac.changesOf(one);
    expect(await rbac.admin.EndBinding({ userId: one })).toMatchObject({
      binding: { userId: one, salesChannelId, roles: ['ROLE_ADMINISTRATOR'] },
      wasLastAdministrator: false,
    });
    expect(await rbac.admin.EndBinding({ userId: two })).toMatchObject({ wasLastAdministrator: true });
    expect(await rbac.admin.EndBinding({ userId: two })).toMatchObject({ binding: null });
    expect(await rbac.bindingOf(one)).toBeNull();
    await eventually(async () => rbac.changesOf(one) > before, 'the broadcast of the change');
  });

  test('lists bindings by channel, user and role, page by page', async () => {
    const salesChannelId = await rbac.newChannel();
    const userIds = [await rbac.member(salesChannelId, 'EVENT_VIEWER'), await rbac.member(salesChannelId)].toSorted();
    const idsOf = async (request: Parameters<typeof rbac.admin.ListBindings>[0]) =>
      (await rbac.admin.ListBindings({ limit: 10, ...request })).bindings.map(({ userId }) => userId);
    expect(await idsOf({ salesChannelId })).toEqual(userIds);
    expect(await idsOf({ salesChannelId, limit: 1 })).toEqual(userIds.slice(0, 1));
    expect(await idsOf({ salesChannelId, after: userIds[0] })).toEqual(userIds.slice(1));
    expect(await idsOf({ salesChannelId, role: 'EVENT_VIEWER' })).toHaveLength(1);
    expect(await idsOf({ userId: userIds[1] })).toEqual([userIds[1]]);
    expect(await catchFailure(idsOf({ role: 'OWNER' }))).toMatchObject({ code: 'invalid-request' });
  });

  test('looks up an id', async () => {
    const client = await callAs('admin', 'lookUp', rbac.service.address, 'rbac');
    const salesChannelId = await rbac.newChannel();
    const userId = await rbac.member(salesChannelId, 'EVENT_VIEWER');
    expect(await client.LookUp({ id: salesChannelId })).toMatchObject({
      things: [{ kind: 'sales channel', facts: { salesChannelId, status: 'ACTIVE' } }],
    });
    expect(await client.LookUp({ id: userId })).toMatchObject({
      things: [{ kind: 'binding', facts: { userId, salesChannelId, roles: 'EVENT_VIEWER' } }],
    });
    client.close();
  });

  test('looks up a part of a name on request, ignoring case and accents', async () => {
    const client = await callAs('admin', 'lookUp', rbac.service.address, 'rbac');
    const salesChannelId = newId();
    await rbac.service.sql('insert into sales_channel (id, name) values ($1, $2)', [salesChannelId, 'Fjörd Größe']);
    const named = [{ kind: 'sales channel', facts: { salesChannelId, name: 'Fjörd Größe' } }];
    for (const id of ['fjord', 'GRÖSSE', 'd g']) {
      expect(await client.LookUp({ id, names: true })).toMatchObject({ things: named });
      expect(await client.LookUp({ id })).toEqual({ things: [] });
    }
    expect(await client.LookUp({ id: salesChannelId, names: true })).toMatchObject({ things: named });
    expect(await client.LookUp({ id: 'fjords', names: true })).toEqual({ things: [] });
    client.close();
  });

  test.each(['gateway', 'identity', 'inventory'] as const)('%s may not call these RPCs', async (caller) => {
    const client = await callAs(caller, 'rbacAdministration', rbac.service.address);
    const failures = await Promise.all(
      [
        client.ListBindings({ limit: 1 }),
        client.EndBinding({ userId: newId() }),
        client.SuspendSalesChannel({ salesChannelId: newId(), reason: 'x' }),
        client.ResumeSalesChannel({ salesChannelId: newId() }),
      ].map((call: Promise<unknown>) => catchFailure(call)),
    );
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['forbidden']));
    client.close();
  });
});
