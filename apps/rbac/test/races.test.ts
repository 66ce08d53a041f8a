import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { roles } from '@saleschannel/auth';
import { asUser, catchFailure } from '@saleschannel/testing';
import { asAdministrator, startRbac, type Rbac } from './support/rbac.ts';

const ROUNDS = 20;
let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
afterAll(() => rbac.stop());

const ADMINISTRATOR = 'ROLE_ADMINISTRATOR';

async function administratorsOf(salesChannelId: string): Promise<string[]> {
  const rows = await rbac.service.sql<{ userId: string }>(
    `select binding.user_id as "userId" from binding join binding_role using (user_id)
     where binding.sales_channel_id = $1 and binding_role.role = $2`,
    [salesChannelId, ADMINISTRATOR],
  );
  return rows.map(({ userId }) => userId);
}

test('the last administrator keeps role and binding', async () => {
  const salesChannelId = await rbac.newChannel();
  const userId = await rbac.member(salesChannelId, ADMINISTRATOR, 'ASSET_VIEWER');
  await rbac.member(salesChannelId, 'ASSET_VIEWER');
  const request = { userId, salesChannelId, role: ADMINISTRATOR };
  const options = await asAdministrator(salesChannelId, userId);
  expect(await catchFailure(rbac.gateway.RemoveRole(request, options))).toMatchObject({ code: 'request-refused' });
  expect(await catchFailure(rbac.gateway.UnbindUser(request, options))).toMatchObject({ code: 'request-refused' });
  await rbac.gateway.RemoveRole({ ...request, role: 'ASSET_VIEWER' }, options);
  expect(await rbac.bindingOf(userId)).toMatchObject({ roles: [ADMINISTRATOR] });
  await rbac.member(salesChannelId, ADMINISTRATOR);
  await rbac.gateway.RemoveRole(request, options);
  expect(await administratorsOf(salesChannelId)).toHaveLength(1);
});

test("other channels' administrators don't count", async () => {
  const salesChannelId = await rbac.newChannel();
  const userId = await rbac.member(salesChannelId, ADMINISTRATOR);
  await rbac.member(await rbac.newChannel(), ADMINISTRATOR);
  const failure = await catchFailure(
    rbac.gateway.UnbindUser({ userId, salesChannelId }, await asAdministrator(salesChannelId, userId)),
  );
  expect(failure).toMatchObject({ code: 'request-refused' });
});

test.each(['RemoveRole', 'UnbindUser'] as const)(
  'two administrators who remove each other (%s) leave exactly one',
  async (operation) => {
    for (let round = 0; round < ROUNDS; round++) {
      const salesChannelId = await rbac.newChannel();
      const [one, other] = [
        await rbac.member(salesChannelId, ADMINISTRATOR),
        await rbac.member(salesChannelId, ADMINISTRATOR),
      ];
      const [byOne, byOther] = [
        await asAdministrator(salesChannelId, one),
        await asAdministrator(salesChannelId, other),
      ];
      const outcomes = await Promise.allSettled([
        rbac.gateway[operation]({ userId: other, salesChannelId, role: ADMINISTRATOR }, byOne),
        rbac.gateway[operation]({ userId: one, salesChannelId, role: ADMINISTRATOR }, byOther),
      ]);
      expect(await administratorsOf(salesChannelId)).toHaveLength(1);
      const codes = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'done',
      );
      expect(codes.sort()).toEqual(['done', 'forbidden']);
    }
  },
);

test.each(['RemoveRole', 'UnbindUser', 'EndBinding'] as const)(
  'a removed administrator (%s) changes nothing with a recent token',
  async (taking) => {
    const salesChannelId = await rbac.newChannel();
    const byOther = await rbac.administrator(salesChannelId);
    const userId = await rbac.member(salesChannelId, ADMINISTRATOR);
    const options = await asAdministrator(salesChannelId, userId);
    const target = { userId: await rbac.member(salesChannelId, 'EVENT_VIEWER'), salesChannelId };
    const friend = { userId: rbac.newUser(), salesChannelId };
    if (taking === 'EndBinding') await rbac.admin.EndBinding({ userId });
    else await rbac.gateway[taking]({ userId, salesChannelId, role: ADMINISTRATOR }, byOther);
    const refused = await Promise.all(
      [
        rbac.gateway.BindUser(friend, options),
        rbac.gateway.GrantRole({ ...target, role: ADMINISTRATOR }, options),
        rbac.gateway.RemoveRole({ ...target, role: 'EVENT_VIEWER' }, options),
        rbac.gateway.UnbindUser(target, options),
      ].map((call: Promise<unknown>) => catchFailure(call)),
    );
    expect(refused.map(({ code }) => code)).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden']);
    expect(await rbac.bindingOf(friend.userId)).toBeNull();
    expect(await rbac.bindingOf(target.userId)).toMatchObject({ roles: ['EVENT_VIEWER'] });
  },
);

test('many administrators who leave at once leave exactly one', async () => {
  const salesChannelId = await rbac.newChannel();
  const members = await Promise.all(Array.from({ length: 8 }, () => rbac.member(salesChannelId, ADMINISTRATOR)));
  await Promise.allSettled(
    members.map(async (userId, index) => {
      const operation = index % 2 === 0 ? 'RemoveRole' : 'UnbindUser';
      return rbac.gateway[operation](
        { userId, salesChannelId, role: ADMINISTRATOR },
        await asAdministrator(salesChannelId, userId),
      );
    }),
  );
  expect(await administratorsOf(salesChannelId)).toHaveLength(1);
});

test('a user bound by two channels at once is bound to one', async () => {
  const channels = [await rbac.newChannel(), await rbac.newChannel()];
  for (let round = 0; round < ROUNDS; round++) {
    const userId = rbac.newUser();
    const outcomes = await Promise.allSettled(
      channels.map(async (salesChannelId) =>
        rbac.gateway.BindUser({ userId, salesChannelId }, await rbac.administrator(salesChannelId)),
      ),
    );
    const winners = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.salesChannelId] : [],
    );
    expect(winners).toEqual([(await rbac.bindingOf(userId))?.salesChannelId]);
  }
});

test('granting and unbinding at once leave no role without a binding', async () => {
  const salesChannelId = await rbac.newChannel();
  for (let round = 0; round < ROUNDS; round++) {
    const userId = await rbac.member(salesChannelId);
    const target = { userId, salesChannelId };
    const [one, other] = [await rbac.administrator(salesChannelId), await rbac.administrator(salesChannelId)];
    await Promise.allSettled([
      rbac.gateway.GrantRole({ ...target, role: 'ASSET_VIEWER' }, one),
      rbac.gateway.UnbindUser(target, other),
    ]);
    expect(await rbac.bindingOf(userId)).toBeNull();
  }
});

/** Creates an invitation to the channel. */
async function invite(salesChannelId: string): Promise<{ id: string; token: string }> {
  const options = await rbac.administrator(salesChannelId);
  const { invitation, token } = await rbac.gateway.CreateInvitation({ roles: ['EVENT_VIEWER'] }, options);
  return { id: String(invitation?.id), token };
}

test('of many users who accept one invitation at once, one is bound and the others get not-found', async () => {
  const salesChannelId = await rbac.newChannel();
  for (let round = 0; round < ROUNDS; round++) {
    const { token } = await invite(salesChannelId);
    const userIds = Array.from({ length: 4 }, () => rbac.newUser());
    const outcomes = await Promise.allSettled(
      userIds.map(async (userId) => rbac.gateway.AcceptInvitation({ token }, await asUser(undefined, [], userId))),
    );
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'done',
    );
    expect(codes.toSorted()).toEqual(['done', 'not-found', 'not-found', 'not-found']);
    const bindings = await Promise.all(userIds.map((userId) => rbac.bindingOf(userId)));
    expect(bindings.map((binding) => binding !== null)).toEqual(codes.map((code) => code === 'done'));
  }
});

test('a user who accepts an invitation many times at once is bound once', async () => {
  const salesChannelId = await rbac.newChannel();
  const userId = rbac.newUser();
  const options = await asUser(undefined, [], userId);
  const { token } = await invite(salesChannelId);
  const accepted = await Promise.all(
    Array.from({ length: 8 }, () => rbac.gateway.AcceptInvitation({ token }, options)),
  );
  expect(new Set(accepted.map((binding) => JSON.stringify(binding))).size).toBe(1);
});

test('an invitation accepted and revoked at once is one or the other', async () => {
  const salesChannelId = await rbac.newChannel();
  const administrator = await rbac.administrator(salesChannelId);
  for (let round = 0; round < ROUNDS; round++) {
    const { id, token } = await invite(salesChannelId);
    const userId = rbac.newUser();
    const options = await asUser(undefined, [], userId);
    const [accepted, revoked] = await Promise.allSettled([
      rbac.gateway.AcceptInvitation({ token }, options),
      rbac.gateway.RevokeInvitation({ invitationId: id }, administrator),
    ]);
    expect([accepted.status, revoked.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await rbac.bindingOf(userId)) !== null).toBe(accepted.status === 'fulfilled');
  }
});

test('a user who accepts invitations of two channels at once is bound to one', async () => {
  const channels = [await rbac.newChannel(), await rbac.newChannel()];
  for (let round = 0; round < ROUNDS; round++) {
    const userId = rbac.newUser();
    const options = await asUser(undefined, [], userId);
    const invitations = await Promise.all(channels.map((each) => invite(each)));
    const outcomes = await Promise.allSettled(
      invitations.map(({ token }) => rbac.gateway.AcceptInvitation({ token }, options)),
    );
    const winners = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.salesChannelId] : [],
    );
    expect(winners).toEqual([(await rbac.bindingOf(userId))?.salesChannelId]);
  }
});

test('concurrent invitations respect the limit', async () => {
  const salesChannelId = await rbac.newChannel();
  await rbac.service.sql(
    `insert into invitation (id, sales_channel_id, token_hash, roles, created_by, expires_at)
     select $1::text || n, $1, sha256(($1::text || n)::bytea), array['EVENT_VIEWER'], 'x', now() + interval '1 hour'
     from generate_series(1, 97) n`,
    [salesChannelId],
  );
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => invite(salesChannelId)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('the database accepts the roles of the code and no others', async () => {
  const [constraint] = await rbac.service.sql<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'binding_role'::regclass and contype = 'c' and conname = 'binding_role_role_check'`,
  );
  const known = constraint?.definition.match(/(?<=')[A-Z_]+(?=')/g);
  expect(known?.toSorted()).toEqual(roles.toSorted());
});

test('the database refuses a second binding, and rows without a channel, a binding or a known role', async () => {
  const salesChannelId = await rbac.newChannel();
  const userId = await rbac.member(salesChannelId);
  const refused = [
    ['insert into binding (user_id, sales_channel_id) values ($1, $2)', [userId, salesChannelId], '23505'],
    ['insert into binding (user_id, sales_channel_id) values ($1, $2)', [rbac.newUser(), 'no channel'], '23503'],
    ['insert into binding_role (user_id, role) values ($1, $2)', [userId, 'OWNER'], '23514'],
    ['insert into binding_role (user_id, role) values ($1, $2)', [rbac.newUser(), 'ASSET_VIEWER'], '23503'],
  ] as const;
  for (const [text, params, code] of refused)
    expect(await catchFailure(rbac.service.sql(text, params))).toMatchObject({ code });
});
