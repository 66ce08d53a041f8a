import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, callAs, catchFailure, principalToken } from '@saleschannel/testing';
import { answersOf, everyRoleBut, startRbac, type Rbac } from './support/rbac.ts';

let rbac: Rbac;
let channel: string;
let otherChannel: string;

beforeAll(async () => {
  rbac = await startRbac();
  channel = await rbac.newChannel();
  otherChannel = await rbac.newChannel();
  await rbac.member(channel, 'ROLE_ADMINISTRATOR');
  await rbac.member(otherChannel, 'ROLE_ADMINISTRATOR');
});
afterAll(() => rbac.stop());

describe('every change of a binding', () => {
  const operations = ['UnbindUser', 'GrantRole', 'RemoveRole'] as const;

  test.each(operations)(
    "%s: another channel's user, an unbound one and another channel are all not found",
    async (operation) => {
      const mine = await rbac.member(channel, 'ASSET_VIEWER');
      const foreign = await rbac.member(otherChannel, 'ASSET_VIEWER');
      const targets = [
        { userId: foreign, salesChannelId: channel },
        { userId: foreign, salesChannelId: otherChannel },
        { userId: mine, salesChannelId: otherChannel },
        { userId: mine, salesChannelId: newId() },
        { userId: rbac.newUser(), salesChannelId: channel },
        { userId: newId(), salesChannelId: channel },
        { userId: 'x\u0000', salesChannelId: channel },
      ];
      const failures = [];
      for (const target of targets) {
        failures.push(
          await catchFailure(
            rbac.gateway[operation]({ ...target, role: 'ASSET_VIEWER' }, await rbac.administrator(channel)),
          ),
        );
      }
      expect(answersOf(failures).size).toBe(1);
      expect(failures[0]).toMatchObject({ code: 'not-found' });
      expect(await rbac.bindingOf(foreign)).toMatchObject({ roles: ['ASSET_VIEWER'] });
      expect(await rbac.bindingOf(mine)).toMatchObject({ roles: ['ASSET_VIEWER'] });
    },
  );

  test.each(['BindUser', ...operations] as const)(
    '%s requires ROLE_ADMINISTRATOR for any request',
    async (operation) => {
      const userId = await rbac.member(channel);
      for (const request of [
        { userId, salesChannelId: channel, role: 'ASSET_VIEWER' },
        { userId: newId(), salesChannelId: otherChannel, role: 'nonsense' },
      ]) {
        for (const options of [
          await asUser(channel, everyRoleBut('ROLE_ADMINISTRATOR')),
          await asUser(channel, [], userId),
          await asUser(undefined, []),
          await asUser(undefined, ['ROLE_ADMINISTRATOR']),
          await asRegistry(),
        ]) {
          expect(await catchFailure(rbac.gateway[operation](request, options))).toMatchObject({ code: 'forbidden' });
        }
      }
      expect(await rbac.bindingOf(userId)).toEqual({ userId, salesChannelId: channel, roles: [] });
    },
  );
});

test.each(['traders', 'identity', 'admin', 'inventory'] as const)('%s may not administer roles', async (caller) => {
  const client = await callAs(caller, 'rbac', rbac.service.address);
  const request = { userId: rbac.newUser(), salesChannelId: channel, role: 'ASSET_VIEWER' };
  expect(await catchFailure(client.GetOwnBinding({}, await rbac.administrator(channel)))).toMatchObject({
    code: 'forbidden',
  });
  for (const operation of ['GetUserBinding', 'BindUser', 'UnbindUser', 'GrantRole', 'RemoveRole'] as const) {
    expect(await catchFailure(client[operation](request, await rbac.administrator(channel)))).toMatchObject({
      code: 'forbidden',
    });
  }
  client.close();
});

test('a principal token for another service grants nothing', async () => {
  const salesChannelId = await rbac.newChannel();
  const administrator = await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
  const userId = await rbac.member(salesChannelId);
  const grant = async (receiver: string) => {
    const token = await principalToken(
      {
        kind: 'user',
        userId: administrator,
        salesChannelId,
        roles: ['ROLE_ADMINISTRATOR'],
        accountHolderId: undefined,
      },
      ['gateway', receiver],
    );
    return rbac.gateway.GrantRole({ userId, salesChannelId, role: 'ASSET_VIEWER' }, { principalToken: token });
  };
  expect(await catchFailure(grant('events'))).toMatchObject({ code: 'unauthenticated' });
  expect(await rbac.bindingOf(userId)).toMatchObject({ roles: [] });
  await grant('rbac');
});
