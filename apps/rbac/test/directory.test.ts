import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { callAs, catchFailure } from '@saleschannel/testing';
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
