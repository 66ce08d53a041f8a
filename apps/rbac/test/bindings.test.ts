import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { roles as allRoles } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, callAs, eventually, failureOf } from '@saleschannel/testing';
import { asAdministrator, startHarness, type Harness } from './harness.ts';

let harness: Harness;
let channel: string;
let otherChannel: string;

beforeAll(async () => {
  harness = await startHarness();
  channel = await harness.newChannel();
  otherChannel = await harness.newChannel();
  await harness.member(channel, 'ROLE_ADMINISTRATOR');
  await harness.member(otherChannel, 'ROLE_ADMINISTRATOR');
});
afterAll(() => harness.stop());

const everyRoleBut = (role: string) => allRoles.filter((other) => other !== role);
const changesOf = (userId: string): number => harness.changes.filter((changed) => changed === userId).length;
/** What happened before is heard before this: the relay publishes in order. */
async function changesHeard(userId: string): Promise<number> {
  const marker = await harness.member(channel);
  await eventually(async () => changesOf(marker) > 0, 'a later change');
  return changesOf(userId);
}

describe('GetOwnBinding', () => {
  test('answers channel and roles, in the order of the enumeration', async () => {
    const userId = await harness.member(channel, 'EVENT_VIEWER', 'ASSET_VIEWER');
    const binding = await harness.gateway.GetOwnBinding({}, await asUser(undefined, [], userId));
    expect(binding).toEqual({ userId, salesChannelId: channel, roles: ['ASSET_VIEWER', 'EVENT_VIEWER'] });
  });

  test('a user without a binding finds nothing', async () => {
    expect(await failureOf(harness.gateway.GetOwnBinding({}, await asUser(undefined, [])))).toMatchObject({
      code: 'not-found',
    });
  });

  test('a registry key is refused', async () => {
    expect(await failureOf(harness.gateway.GetOwnBinding({}, await asRegistry()))).toMatchObject({ code: 'forbidden' });
  });
});

describe('GetUserBinding', () => {
  test('an administrator reads any binding of his channel', async () => {
    const userId = await harness.member(channel, 'TRADER_VIEWER');
    const binding = await harness.gateway.GetUserBinding({ userId }, await asAdministrator(channel));
    expect(binding).toEqual({ userId, salesChannelId: channel, roles: ['TRADER_VIEWER'] });
  });

  test('everybody reads his own', async () => {
    const userId = await harness.member(channel);
    expect(await harness.gateway.GetUserBinding({ userId }, await asUser(channel, [], userId))).toEqual({
      userId,
      salesChannelId: channel,
      roles: [],
    });
    const unbound = harness.newUser();
    expect(
      await failureOf(harness.gateway.GetUserBinding({ userId: unbound }, await asUser(undefined, [], unbound))),
    ).toMatchObject({ code: 'not-found' });
  });

  test('without the role, others are forbidden, whether they exist or not', async () => {
    const userId = await harness.member(channel);
    for (const id of [userId, newId(), 'x\u0000', '']) {
      const options = await asUser(channel, everyRoleBut('ROLE_ADMINISTRATOR'));
      expect(await failureOf(harness.gateway.GetUserBinding({ userId: id }, options))).toMatchObject({
        code: 'forbidden',
      });
      expect(
        await failureOf(harness.gateway.GetUserBinding({ userId: id }, await asUser(undefined, []))),
      ).toMatchObject({ code: 'forbidden' });
    }
  });

  test("another channel's user, an unbound and an unknown one are the same: not found", async () => {
    const ids = [await harness.member(otherChannel), harness.newUser(), newId(), 'x\u0000', ''];
    const failures = [];
    for (const userId of ids)
      failures.push(await failureOf(harness.gateway.GetUserBinding({ userId }, await asAdministrator(channel))));
    expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
  });
});

describe('BindUser', () => {
  test('binds a known user, without roles, and says so to everybody once', async () => {
    const userId = harness.newUser();
    const request = { userId, salesChannelId: channel };
    const binding = { userId, salesChannelId: channel, roles: [] };
    expect(await harness.gateway.BindUser(request, await asAdministrator(channel))).toEqual(binding);
    expect(await harness.gateway.BindUser(request, await asAdministrator(channel))).toEqual(binding);
    expect(await harness.identity.ReadBinding({ userId })).toEqual(binding);
    expect(await changesHeard(userId)).toBe(1);
  });

  test('binding a bound user leaves him his roles', async () => {
    const userId = await harness.member(channel, 'ASSET_VIEWER');
    const binding = await harness.gateway.BindUser({ userId, salesChannelId: channel }, await asAdministrator(channel));
    expect(binding.roles).toEqual(['ASSET_VIEWER']);
  });

  test('an unknown user, one of another channel and another channel are the same: not found, and everybody stays', async () => {
    const foreign = await harness.member(otherChannel, 'ASSET_VIEWER');
    const free = harness.newUser();
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
      failures.push(await failureOf(harness.gateway.BindUser(request, await asAdministrator(channel))));
    expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect(await harness.identity.ReadBinding({ userId: foreign })).toEqual({
      userId: foreign,
      salesChannelId: otherChannel,
      roles: ['ASSET_VIEWER'],
    });
    expect(await harness.channelOf(free)).toBe('');
  });

  test('while users cannot be looked up nothing is bound', async () => {
    const userId = harness.newUser();
    try {
      for (const [fault, code] of [
        ['unavailable', 'unavailable'],
        ['forbidden', 'internal'],
        ['unauthenticated', 'internal'],
      ] as const) {
        harness.directory.fail(new DomainError(fault, 'a fault of the other service'));
        const failure = await failureOf(
          harness.gateway.BindUser({ userId, salesChannelId: channel }, await asAdministrator(channel)),
        );
        expect(failure).toMatchObject({ code });
      }
    } finally {
      harness.directory.fail(undefined);
    }
    expect(await harness.channelOf(userId)).toBe('');
  });
});

describe('UnbindUser', () => {
  test('answers the binding as it was, and takes away every right', async () => {
    const userId = await harness.member(channel, 'ASSET_VIEWER', 'EVENT_VIEWER');
    const request = { userId, salesChannelId: channel };
    const answer = await harness.gateway.UnbindUser(request, await asAdministrator(channel));
    expect(answer).toEqual({ userId, salesChannelId: channel, roles: ['ASSET_VIEWER', 'EVENT_VIEWER'] });
    expect(await harness.identity.ReadBinding({ userId })).toEqual({ userId, salesChannelId: '', roles: [] });
    expect(await failureOf(harness.gateway.UnbindUser(request, await asAdministrator(channel)))).toMatchObject({
      code: 'not-found',
    });
    expect(await changesHeard(userId)).toBe(2);
  });

  test('an unbound user can be bound by another channel', async () => {
    const userId = await harness.member(channel, 'ASSET_VIEWER');
    await harness.gateway.UnbindUser({ userId, salesChannelId: channel }, await asAdministrator(channel));
    const binding = await harness.gateway.BindUser(
      { userId, salesChannelId: otherChannel },
      await asAdministrator(otherChannel),
    );
    expect(binding).toEqual({ userId, salesChannelId: otherChannel, roles: [] });
  });
});

describe('GrantRole and RemoveRole', () => {
  test('every role can be granted and removed; twice is the same as once', async () => {
    const userId = await harness.member(channel);
    for (const role of allRoles) {
      const request = { userId, salesChannelId: channel, role };
      expect(await harness.gateway.GrantRole(request, await asAdministrator(channel))).toEqual(request);
      expect(await harness.gateway.GrantRole(request, await asAdministrator(channel))).toEqual(request);
    }
    expect(await harness.rolesOf(userId)).toEqual([...allRoles]);
    for (const role of allRoles) {
      const request = { userId, salesChannelId: channel, role };
      expect(await harness.gateway.RemoveRole(request, await asAdministrator(channel))).toEqual(request);
      expect(await harness.gateway.RemoveRole(request, await asAdministrator(channel))).toEqual(request);
    }
    expect(await harness.rolesOf(userId)).toEqual([]);
    expect(await changesHeard(userId)).toBe(1 + 2 * allRoles.length);
  });

  test.each(['', 'role_administrator', 'ASSET_VIEWER ', 'OWNER', 'x\u0000'])('the role %j is refused', async (role) => {
    const request = { userId: await harness.member(channel), salesChannelId: channel, role };
    const refusal = { code: 'invalid-request', violations: [{ parameter: 'role' }] };
    expect(await failureOf(harness.gateway.GrantRole(request, await asAdministrator(channel)))).toMatchObject(refusal);
    expect(await failureOf(harness.gateway.RemoveRole(request, await asAdministrator(channel)))).toMatchObject(refusal);
  });
});

describe('everything that changes a binding', () => {
  const operations = ['UnbindUser', 'GrantRole', 'RemoveRole'] as const;

  test.each(operations)(
    "%s: another channel's user, an unbound one and another channel are the same: not found",
    async (operation) => {
      const mine = await harness.member(channel, 'ASSET_VIEWER');
      const foreign = await harness.member(otherChannel, 'ASSET_VIEWER');
      const targets = [
        { userId: foreign, salesChannelId: channel },
        { userId: foreign, salesChannelId: otherChannel },
        { userId: mine, salesChannelId: otherChannel },
        { userId: mine, salesChannelId: newId() },
        { userId: harness.newUser(), salesChannelId: channel },
        { userId: newId(), salesChannelId: channel },
        { userId: 'x\u0000', salesChannelId: channel },
      ];
      const failures = [];
      for (const target of targets) {
        failures.push(
          await failureOf(
            harness.gateway[operation]({ ...target, role: 'ASSET_VIEWER' }, await asAdministrator(channel)),
          ),
        );
      }
      expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
      expect(failures[0]).toMatchObject({ code: 'not-found' });
      expect(await harness.rolesOf(foreign)).toEqual(['ASSET_VIEWER']);
      expect(await harness.rolesOf(mine)).toEqual(['ASSET_VIEWER']);
    },
  );

  test.each(['BindUser', ...operations] as const)(
    '%s needs ROLE_ADMINISTRATOR, whatever it names',
    async (operation) => {
      const userId = await harness.member(channel);
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
          expect(await failureOf(harness.gateway[operation](request, options))).toMatchObject({ code: 'forbidden' });
        }
      }
      expect(await harness.identity.ReadBinding({ userId })).toEqual({ userId, salesChannelId: channel, roles: [] });
    },
  );
});

test.each(['traders', 'identity', 'admin', 'inventory'] as const)('%s may not administer roles', async (caller) => {
  const client = await callAs(caller, services.rbac, harness.service.address);
  const request = { userId: harness.newUser(), salesChannelId: channel, role: 'ASSET_VIEWER' };
  expect(await failureOf(client.GetOwnBinding({}, await asAdministrator(channel)))).toMatchObject({
    code: 'forbidden',
  });
  for (const operation of ['GetUserBinding', 'BindUser', 'UnbindUser', 'GrantRole', 'RemoveRole'] as const) {
    expect(await failureOf(client[operation](request, await asAdministrator(channel)))).toMatchObject({
      code: 'forbidden',
    });
  }
  client.close();
});
