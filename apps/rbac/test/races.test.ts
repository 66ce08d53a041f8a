import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { failureOf } from '@saleschannel/testing';
import { asAdministrator, startHarness, type Harness } from './harness.ts';

const ROUNDS = 20;
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const ADMINISTRATOR = 'ROLE_ADMINISTRATOR';

async function administratorsOf(salesChannelId: string): Promise<number> {
  const { rows } = await harness.sql.query<{ n: number }>(
    `select count(*)::int as n from binding b join binding_role r using (user_id) where b.sales_channel_id = $1 and r.role = '${ADMINISTRATOR}'`,
    [salesChannelId],
  );
  return rows[0]!.n;
}

test('the last administrator keeps his role and his binding', async () => {
  const salesChannelId = await harness.newChannel();
  const userId = await harness.member(salesChannelId, ADMINISTRATOR, 'ASSET_VIEWER');
  await harness.member(salesChannelId, 'ASSET_VIEWER');
  const request = { userId, salesChannelId, role: ADMINISTRATOR };
  const options = await asAdministrator(salesChannelId, userId);
  expect(await failureOf(harness.gateway.RemoveRole(request, options))).toMatchObject({ code: 'request-refused' });
  expect(await failureOf(harness.gateway.UnbindUser(request, options))).toMatchObject({ code: 'request-refused' });
  await harness.gateway.RemoveRole({ ...request, role: 'ASSET_VIEWER' }, options);
  expect(await harness.rolesOf(userId)).toEqual([ADMINISTRATOR]);
  await harness.member(salesChannelId, ADMINISTRATOR);
  await harness.gateway.RemoveRole(request, options);
  expect(await administratorsOf(salesChannelId)).toBe(1);
});

test("other channels' administrators don't count", async () => {
  const salesChannelId = await harness.newChannel();
  const userId = await harness.member(salesChannelId, ADMINISTRATOR);
  await harness.member(await harness.newChannel(), ADMINISTRATOR);
  const failure = await failureOf(
    harness.gateway.UnbindUser({ userId, salesChannelId }, await asAdministrator(salesChannelId, userId)),
  );
  expect(failure).toMatchObject({ code: 'request-refused' });
});

test.each(['RemoveRole', 'UnbindUser'] as const)(
  'two administrators who turn on each other (%s) leave exactly one',
  async (operation) => {
    for (let round = 0; round < ROUNDS; round++) {
      const salesChannelId = await harness.newChannel();
      const [one, other] = [
        await harness.member(salesChannelId, ADMINISTRATOR),
        await harness.member(salesChannelId, ADMINISTRATOR),
      ];
      const [byOne, byOther] = [
        await asAdministrator(salesChannelId, one),
        await asAdministrator(salesChannelId, other),
      ];
      const outcomes = await Promise.allSettled([
        harness.gateway[operation]({ userId: other, salesChannelId, role: ADMINISTRATOR }, byOne),
        harness.gateway[operation]({ userId: one, salesChannelId, role: ADMINISTRATOR }, byOther),
      ]);
      expect(await administratorsOf(salesChannelId)).toBe(1);
      const codes = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'done',
      );
      expect(codes.sort()).toEqual(['done', 'request-refused']);
    }
  },
);

test('many administrators who all go at once leave exactly one', async () => {
  const salesChannelId = await harness.newChannel();
  const members = await Promise.all(Array.from({ length: 8 }, () => harness.member(salesChannelId, ADMINISTRATOR)));
  await Promise.allSettled(
    members.map(async (userId, index) => {
      const operation = index % 2 === 0 ? 'RemoveRole' : 'UnbindUser';
      return harness.gateway[operation](
        { userId, salesChannelId, role: ADMINISTRATOR },
        await asAdministrator(salesChannelId, userId),
      );
    }),
  );
  expect(await administratorsOf(salesChannelId)).toBe(1);
});

test('a user who is bound by two channels at once is bound to one', async () => {
  const channels = [await harness.newChannel(), await harness.newChannel()];
  for (let round = 0; round < ROUNDS; round++) {
    const userId = harness.newUser();
    const outcomes = await Promise.allSettled(
      channels.map(async (salesChannelId) =>
        harness.gateway.BindUser({ userId, salesChannelId }, await asAdministrator(salesChannelId)),
      ),
    );
    const winners = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.salesChannelId] : [],
    );
    expect(winners).toEqual([await harness.channelOf(userId)]);
  }
});

test('granting and unbinding at once leave no role without a binding', async () => {
  const salesChannelId = await harness.newChannel();
  for (let round = 0; round < ROUNDS; round++) {
    const userId = await harness.member(salesChannelId);
    const target = { userId, salesChannelId };
    await Promise.allSettled([
      harness.gateway.GrantRole({ ...target, role: 'ASSET_VIEWER' }, await asAdministrator(salesChannelId)),
      harness.gateway.UnbindUser(target, await asAdministrator(salesChannelId)),
    ]);
    expect(await harness.identity.ReadBinding({ userId })).toEqual({ userId, salesChannelId: '', roles: [] });
  }
});

test('the database itself refuses a second binding, an unknown channel, an unknown role and a role without a binding', async () => {
  const salesChannelId = await harness.newChannel();
  const userId = await harness.member(salesChannelId);
  const refused = [
    ['insert into binding (user_id, sales_channel_id) values ($1, $2)', [userId, salesChannelId], '23505'],
    ['insert into binding (user_id, sales_channel_id) values ($1, $2)', [harness.newUser(), 'no channel'], '23503'],
    ['insert into binding_role (user_id, role) values ($1, $2)', [userId, 'OWNER'], '23514'],
    ['insert into binding_role (user_id, role) values ($1, $2)', [harness.newUser(), 'ASSET_VIEWER'], '23503'],
  ] as const;
  for (const [text, params, code] of refused)
    expect(await failureOf(harness.sql.query(text, [...params]))).toMatchObject({ code });
});
