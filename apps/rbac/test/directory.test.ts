import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { callAs, failureOf } from '@saleschannel/testing';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe('ReadBinding', () => {
  test('a user without a binding has no channel and no roles', async () => {
    for (const userId of [newId(), '', 'x\u0000']) {
      expect(await harness.identity.ReadBinding({ userId })).toEqual({ userId, salesChannelId: '', roles: [] });
    }
  });

  test.each(['gateway', 'traders', 'admin'] as const)('%s may not read bindings', async (caller) => {
    const client = await callAs(caller, services.bindingDirectory, harness.service.address);
    expect(await failureOf(client.ReadBinding({ userId: newId() }))).toMatchObject({ code: 'forbidden' });
    client.close();
  });
});

describe('GetSalesChannel', () => {
  test.each(['traders', 'registry-import', 'inventory', 'admin'] as const)(
    '%s reads a channel, and an unknown one is not found',
    async (caller) => {
      const client = await callAs(caller, services.bindingDirectory, harness.service.address);
      const channel = await harness.admin.CreateSalesChannel({ name: 'Nordic Removals' });
      expect(await client.GetSalesChannel({ salesChannelId: channel.id })).toEqual({
        id: channel.id,
        name: 'Nordic Removals',
      });
      for (const salesChannelId of [newId(), '', 'x\u0000']) {
        expect(await failureOf(client.GetSalesChannel({ salesChannelId }))).toMatchObject({ code: 'not-found' });
      }
      client.close();
    },
  );

  test.each(['gateway', 'identity', 'tasks'] as const)('%s may not read channels', async (caller) => {
    const client = await callAs(caller, services.bindingDirectory, harness.service.address);
    expect(await failureOf(client.GetSalesChannel({ salesChannelId: newId() }))).toMatchObject({ code: 'forbidden' });
    client.close();
  });
});

describe('administration', () => {
  test('channels are listed in the order of their creation', async () => {
    const one = await harness.admin.CreateSalesChannel({ name: 'One' });
    const two = await harness.admin.CreateSalesChannel({ name: 'Two' });
    const { salesChannels } = await harness.admin.ListSalesChannels({});
    expect(salesChannels.slice(-2)).toEqual([one, two]);
  });

  test.each(['', '   ', 'x'.repeat(201), 'a\u0000b', 'a\nb'])('the name %j is refused', async (name) => {
    expect(await failureOf(harness.admin.CreateSalesChannel({ name }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'name' }],
    });
  });

  test('roles are added to those that a user has, and twice is the same as once', async () => {
    const salesChannelId = await harness.newChannel();
    const userId = harness.newUser();
    await harness.admin.AssignRoles({ userId, salesChannelId, roles: ['ASSET_VIEWER', 'ASSET_VIEWER'] });
    const request = { userId, salesChannelId, roles: ['ROLE_ADMINISTRATOR', 'ASSET_VIEWER'] };
    const binding = { userId, salesChannelId, roles: ['ROLE_ADMINISTRATOR', 'ASSET_VIEWER'] };
    expect(await harness.admin.AssignRoles(request)).toEqual(binding);
    expect(await harness.admin.AssignRoles(request)).toEqual(binding);
    expect(await harness.identity.ReadBinding({ userId })).toEqual(binding);
  });

  test('an unknown user, an unknown channel, an unknown role and a user of another channel are refused', async () => {
    const salesChannelId = await harness.newChannel();
    const other = await harness.member(await harness.newChannel(), 'ASSET_VIEWER');
    const userId = harness.newUser();
    const refused = [
      [{ userId: newId(), salesChannelId, roles: [] }, 'not-found'],
      [{ userId: '', salesChannelId, roles: [] }, 'not-found'],
      [{ userId, salesChannelId: newId(), roles: [] }, 'not-found'],
      [{ userId, salesChannelId: 'x\u0000', roles: [] }, 'not-found'],
      [{ userId, salesChannelId, roles: ['OWNER'] }, 'invalid-request'],
      [{ userId: other, salesChannelId, roles: ['EVENT_VIEWER'] }, 'request-refused'],
    ] as const;
    for (const [request, code] of refused) {
      expect(await failureOf(harness.admin.AssignRoles({ ...request, roles: [...request.roles] }))).toMatchObject({
        code,
      });
    }
    expect(await harness.channelOf(userId)).toBe('');
    expect(await harness.rolesOf(other)).toEqual(['ASSET_VIEWER']);
  });

  test('while users cannot be looked up nothing is assigned', async () => {
    const salesChannelId = await harness.newChannel();
    const userId = harness.newUser();
    harness.directory.fail(new DomainError('unavailable', 'down'));
    try {
      expect(await failureOf(harness.admin.AssignRoles({ userId, salesChannelId, roles: [] }))).toMatchObject({
        code: 'unavailable',
      });
    } finally {
      harness.directory.fail(undefined);
    }
    expect(await harness.channelOf(userId)).toBe('');
  });

  test.each(['gateway', 'identity', 'traders'] as const)('%s may not administer channels', async (caller) => {
    const client = await callAs(caller, services.rbacAdministration, harness.service.address);
    expect(await failureOf(client.CreateSalesChannel({ name: 'x' }))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(client.ListSalesChannels({}))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(client.AssignRoles({ userId: newId(), salesChannelId: newId(), roles: [] }))).toMatchObject({
      code: 'forbidden',
    });
    client.close();
  });
});
