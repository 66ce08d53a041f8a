import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { roles as allRoles } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, eventually, catchFailure, callAs, principalToken } from '@saleschannel/testing';
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

/** Waits until earlier events were published, since the relay publishes in order. */
async function changesHeard(userId: string): Promise<number> {
  const marker = await rbac.member(channel);
  await eventually(async () => rbac.changesOf(marker) > 0, 'a later change');
  return rbac.changesOf(userId);
}

describe('GetOwnBinding', () => {
  test('returns channel and roles, in the order of the enumeration', async () => {
    const userId = await rbac.member(channel, 'EVENT_VIEWER', 'ASSET_VIEWER');
    const binding = await rbac.gateway.GetOwnBinding({}, await asUser(undefined, [], userId));
    expect(binding).toEqual({ userId, salesChannelId: channel, roles: ['ASSET_VIEWER', 'EVENT_VIEWER'] });
  });

  test('a user without a binding gets not-found', async () => {
    expect(await catchFailure(rbac.gateway.GetOwnBinding({}, await asUser(undefined, [])))).toMatchObject({
      code: 'not-found',
    });
  });

  test('a registry key is refused', async () => {
    expect(await catchFailure(rbac.gateway.GetOwnBinding({}, await asRegistry()))).toMatchObject({ code: 'forbidden' });
  });
});

describe('GetUserBinding', () => {
  test('an administrator reads any binding of their channel', async () => {
    const userId = await rbac.member(channel, 'TRADER_VIEWER');
    const binding = await rbac.gateway.GetUserBinding({ userId }, await rbac.administrator(channel));
    expect(binding).toEqual({ userId, salesChannelId: channel, roles: ['TRADER_VIEWER'] });
  });

  test('every user reads their own binding', async () => {
    const userId = await rbac.member(channel);
    expect(await rbac.gateway.GetUserBinding({ userId }, await asUser(channel, [], userId))).toEqual({
      userId,
      salesChannelId: channel,
      roles: [],
    });
    const unbound = rbac.newUser();
    expect(
      await catchFailure(rbac.gateway.GetUserBinding({ userId: unbound }, await asUser(undefined, [], unbound))),
    ).toMatchObject({ code: 'not-found' });
  });

  test('without the role, other users are forbidden, known or not', async () => {
    const userId = await rbac.member(channel);
    for (const id of [userId, newId(), 'x\u0000', '']) {
      const options = await asUser(channel, everyRoleBut('ROLE_ADMINISTRATOR'));
      expect(await catchFailure(rbac.gateway.GetUserBinding({ userId: id }, options))).toMatchObject({
        code: 'forbidden',
      });
      expect(
        await catchFailure(rbac.gateway.GetUserBinding({ userId: id }, await asUser(undefined, []))),
      ).toMatchObject({
        code: 'forbidden',
      });
    }
  });

  test("another channel's user, an unbound and an unknown one are all not found", async () => {
    const ids = [await rbac.member(otherChannel), rbac.newUser(), newId(), 'x\u0000', ''];
    const failures = [];
    for (const userId of ids)
      failures.push(await catchFailure(rbac.gateway.GetUserBinding({ userId }, await rbac.administrator(channel))));
    expect(answersOf(failures).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
  });
});

describe('BindUser', () => {
  test('binds a known user without roles, and announces it once', async () => {
    const userId = rbac.newUser();
    const request = { userId, salesChannelId: channel };
    const binding = { userId, salesChannelId: channel, roles: [] };
    expect(await rbac.gateway.BindUser(request, await rbac.administrator(channel))).toEqual(binding);
    expect(await rbac.gateway.BindUser(request, await rbac.administrator(channel))).toEqual(binding);
    expect(await rbac.bindingOf(userId)).toEqual(binding);
    expect(await changesHeard(userId)).toBe(1);
  });

  test('binding a bound user keeps their roles', async () => {
    const userId = await rbac.member(channel, 'ASSET_VIEWER');
    const binding = await rbac.gateway.BindUser({ userId, salesChannelId: channel }, await rbac.administrator(channel));
    expect(binding.roles).toEqual(['ASSET_VIEWER']);
  });

  test('an unknown user, one of another channel and another channel are all not found', async () => {
    const foreign = await rbac.member(otherChannel, 'ASSET_VIEWER');
    const free = rbac.newUser();
    const requests = [
      { userId: newId(), salesChannelId: channel },
      { userId: 'x\u0000', salesChannelId: channel },
      { userId: '', salesChannelId: channel },
      { userId: foreign, salesChannelId: channel },
      { userId: free, salesChannelId: otherChannel },
      { userId: free, salesChannelId: newId() },
      { userId: free, salesChannelId: '' },
    ];
    const failures = [];
    for (const request of requests)
      failures.push(await catchFailure(rbac.gateway.BindUser(request, await rbac.administrator(channel))));
    expect(answersOf(failures).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect(await rbac.bindingOf(foreign)).toEqual({
      userId: foreign,
      salesChannelId: otherChannel,
      roles: ['ASSET_VIEWER'],
    });
    expect(await rbac.bindingOf(free)).toBeNull();
  });

  test('while identity is down, no user is bound', async () => {
    const userId = rbac.newUser();
    try {
      for (const [fault, code] of [
        ['unavailable', 'unavailable'],
        ['forbidden', 'internal'],
        ['unauthenticated', 'internal'],
      ] as const) {
        rbac.failIdentity(new DomainError(fault, 'a fault of the other service'));
        const failure = await catchFailure(
          rbac.gateway.BindUser({ userId, salesChannelId: channel }, await rbac.administrator(channel)),
        );
        expect(failure).toMatchObject({ code });
      }
    } finally {
      rbac.failIdentity(undefined);
    }
    expect(await rbac.bindingOf(userId)).toBeNull();
  });
});

describe('UnbindUser', () => {
  test('returns the former binding, and removes every right', async () => {
    const userId = await rbac.member(channel, 'ASSET_VIEWER', 'EVENT_VIEWER');
    const request = { userId, salesChannelId: channel };
    const answer = await rbac.gateway.UnbindUser(request, await rbac.administrator(channel));
    expect(answer).toEqual({ userId, salesChannelId: channel, roles: ['ASSET_VIEWER', 'EVENT_VIEWER'] });
    expect(await rbac.bindingOf(userId)).toBeNull();
    expect(await catchFailure(rbac.gateway.UnbindUser(request, await rbac.administrator(channel)))).toMatchObject({
      code: 'not-found',
    });
    expect(await changesHeard(userId)).toBe(2);
  });

  test('an unbound user can be bound by another channel', async () => {
    const userId = await rbac.member(channel, 'ASSET_VIEWER');
    await rbac.gateway.UnbindUser({ userId, salesChannelId: channel }, await rbac.administrator(channel));
    const binding = await rbac.gateway.BindUser(
      { userId, salesChannelId: otherChannel },
      await rbac.administrator(otherChannel),
    );
    expect(binding).toEqual({ userId, salesChannelId: otherChannel, roles: [] });
  });
});

describe('GrantRole and RemoveRole', () => {
  test('every role can be granted and removed, idempotently', async () => {
    const userId = await rbac.member(channel);
    for (const role of allRoles) {
      const request = { userId, salesChannelId: channel, role };
      expect(await rbac.gateway.GrantRole(request, await rbac.administrator(channel))).toEqual(request);
      expect(await rbac.gateway.GrantRole(request, await rbac.administrator(channel))).toEqual(request);
    }
    expect(await rbac.bindingOf(userId)).toMatchObject({ roles: [...allRoles] });
    for (const role of allRoles) {
      const request = { userId, salesChannelId: channel, role };
      expect(await rbac.gateway.RemoveRole(request, await rbac.administrator(channel))).toEqual(request);
      expect(await rbac.gateway.RemoveRole(request, await rbac.administrator(channel))).toEqual(request);
    }
    expect(await rbac.bindingOf(userId)).toMatchObject({ roles: [] });
    expect(await changesHeard(userId)).toBe(1 + 2 * allRoles.length);
  });

  test.each(['', 'role_administrator', 'ASSET_VIEWER ', 'OWNER', 'x\u0000'])('the role %j is refused', async (role) => {
    const request = { userId: await rbac.member(channel), salesChannelId: channel, role };
    const refusal = { code: 'invalid-request', violations: [{ parameter: 'role', code: 'enum' }] };
    expect(await catchFailure(rbac.gateway.GrantRole(request, await rbac.administrator(channel)))).toMatchObject(
      refusal,
    );
    expect(await catchFailure(rbac.gateway.RemoveRole(request, await rbac.administrator(channel)))).toMatchObject(
      refusal,
    );
  });
});
