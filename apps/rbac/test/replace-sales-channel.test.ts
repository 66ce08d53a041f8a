import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, eventually, catchFailure } from '@saleschannel/testing';
import { asAdministrator, startRbac, type Rbac } from './support/rbac.ts';

/** Replacement of a channel in a sandbox. */

const ROUNDS = 10;
let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac({ SANDBOX: 'true' });
});
afterAll(() => rbac.stop());

interface Channel {
  name: string;
  replacedBy: string | null;
  reason: string | null;
}

async function channelOf(id: string): Promise<Channel | undefined> {
  const [row] = await rbac.service.sql<Channel>(
    `select name, replaced_by as "replacedBy", suspended_reason as reason from sales_channel where id = $1`,
    [id],
  );
  return row;
}

const channels = async (): Promise<number> =>
  (await rbac.service.sql<{ id: string }>('select id from sales_channel')).length;

test('users move with their roles, and cached rights are invalidated', async () => {
  const salesChannelId = await rbac.newChannel();
  const options = await rbac.administrator(salesChannelId);
  const viewer = await rbac.member(salesChannelId, 'ASSET_VIEWER', 'EVENT_VIEWER');
  const guest = await rbac.member(salesChannelId);
  const other = await rbac.newChannel();
  const stranger = await rbac.member(other, 'ASSET_VIEWER');
  const heard = rbac.changesOf(viewer);
  const { invitation } = await rbac.gateway.CreateInvitation({ roles: ['ASSET_VIEWER'] }, options);
  const replaced = await rbac.sandbox.ReplaceSalesChannel({}, options);
  expect(replaced.previousSalesChannelId).toBe(salesChannelId);
  const { salesChannelId: newChannelId } = replaced;
  expect(await rbac.bindingOf(viewer)).toMatchObject({
    salesChannelId: newChannelId,
    roles: ['ASSET_VIEWER', 'EVENT_VIEWER'],
  });
  expect(await rbac.bindingOf(guest)).toMatchObject({ salesChannelId: newChannelId, roles: [] });
  expect(await rbac.bindingOf(stranger)).toMatchObject({ salesChannelId: other, roles: ['ASSET_VIEWER'] });
  expect(await channelOf(newChannelId)).toEqual({
    name: expect.stringMatching(/^A channel /),
    replacedBy: null,
    reason: null,
  });
  expect(await channelOf(salesChannelId)).toMatchObject({ replacedBy: newChannelId, reason: expect.any(String) });
  expect(await channelOf(other)).toMatchObject({ replacedBy: null, reason: null });
  await eventually(() => Promise.resolve(rbac.changesOf(viewer) > heard), 'the announced change');
  const [row] = await rbac.service.sql<{ revoked: boolean }>(
    'select revoked_at is not null as revoked from invitation where id = $1',
    [invitation?.id],
  );
  expect(row).toEqual({ revoked: true });
});

test('both trails have the users, and that of the installation the channels', async () => {
  const salesChannelId = await rbac.newChannel();
  const userId = await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
  const replaced = await rbac.sandbox.ReplaceSalesChannel({}, await asAdministrator(salesChannelId, userId));
  const actions = async (scope: string) =>
    (
      await rbac.service.sql<{ act: string }>(
        `select event::json ->> 'action' || ' ' || (event::json -> 'subject' ->> 'id') as act
         from audit_event where scope = $1 order by sequence`,
        [scope],
      )
    ).map(({ act }) => act);
  expect((await actions(salesChannelId)).slice(-2).toSorted()).toEqual([
    `rbac.sales-channel.replaced ${salesChannelId}`,
    `rbac.user.unbound ${userId}`,
  ]);
  expect((await actions(replaced.salesChannelId)).toSorted()).toEqual([
    `rbac.role.granted ${userId}`,
    `rbac.sales-channel.created ${replaced.salesChannelId}`,
    `rbac.user.bound ${userId}`,
  ]);
  expect((await actions('installation')).slice(-2).toSorted()).toEqual([
    `rbac.sales-channel.created ${replaced.salesChannelId}`,
    `rbac.sales-channel.replaced ${salesChannelId}`,
  ]);
});

test('concurrent requests of administrators get one channel', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const salesChannelId = await rbac.newChannel();
    const members = await Promise.all(
      Array.from({ length: 4 }, () => rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR')),
    );
    const before = await channels();
    const answers = await Promise.all(
      members.map(async (userId) =>
        rbac.sandbox.ReplaceSalesChannel({}, await asAdministrator(salesChannelId, userId)),
      ),
    );
    expect(new Set(answers.map((answer) => answer.salesChannelId)).size).toBe(1);
    expect(await channels()).toBe(before + 1);
  }
});

test('a user bound meanwhile moves too, or is not bound', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const salesChannelId = await rbac.newChannel();
    const options = await rbac.administrator(salesChannelId);
    const userId = rbac.newUser();
    const [replaced, bound] = await Promise.allSettled([
      rbac.sandbox.ReplaceSalesChannel({}, options),
      rbac.gateway.BindUser({ userId, salesChannelId }, options),
    ]);
    if (replaced.status === 'rejected') throw replaced.reason;
    const binding = await rbac.bindingOf(userId);
    expect(binding?.salesChannelId).toBe(bound.status === 'fulfilled' ? replaced.value.salesChannelId : undefined);
  }
});

test('a replaced channel cannot be resumed', async () => {
  const salesChannelId = await rbac.newChannel();
  await rbac.sandbox.ReplaceSalesChannel({}, await rbac.administrator(salesChannelId));
  expect(await catchFailure(rbac.admin.ResumeSalesChannel({ salesChannelId }))).toMatchObject({
    code: 'request-refused',
  });
  expect(await channelOf(salesChannelId)).toMatchObject({ reason: expect.any(String) });
});

test('users who are not, or no longer, administrators are refused', async () => {
  const salesChannelId = await rbac.newChannel();
  await rbac.administrator(salesChannelId);
  const viewer = await rbac.member(salesChannelId, 'ASSET_VIEWER');
  const before = await channels();
  const refused = async (options: object) => (await catchFailure(rbac.sandbox.ReplaceSalesChannel({}, options))).code;
  expect(await refused(await asUser(salesChannelId, ['ASSET_VIEWER'], viewer))).toBe('forbidden');
  // With an outdated token.
  expect(await refused(await asAdministrator(salesChannelId, viewer))).toBe('forbidden');
  expect(await refused(await asAdministrator(newId(), viewer))).toBe('not-found');
  // The channel was replaced, and they did not move.
  await rbac.sandbox.ReplaceSalesChannel({}, await rbac.administrator(salesChannelId));
  expect(await refused(await asAdministrator(salesChannelId, newId()))).toBe('forbidden');
  expect(await channels()).toBe(before + 1);
});

test('a suspended channel is not replaced', async () => {
  const salesChannelId = await rbac.newChannel();
  const options = await rbac.administrator(salesChannelId);
  await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'a test' });
  const failure = await catchFailure(rbac.sandbox.ReplaceSalesChannel({}, options));
  expect(failure).toMatchObject({ code: 'sales-channel-suspended' });
});

test('only the sandbox service may, and only in a sandbox', async () => {
  const salesChannelId = await rbac.newChannel();
  const options = await rbac.administrator(salesChannelId);
  expect(await catchFailure(rbac.gateway.ReplaceSalesChannel({}, options))).toMatchObject({ code: 'forbidden' });
  const real = await startRbac();
  try {
    const own = await real.administrator(await real.newChannel());
    expect(await catchFailure(real.sandbox.ReplaceSalesChannel({}, own))).toMatchObject({ code: 'forbidden' });
  } finally {
    await real.stop();
  }
});

test('a repeat with the same key gets the first answer, even from a moved user', async () => {
  const salesChannelId = await rbac.newChannel();
  const userId = await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
  const before = await channels();
  const replace = async (asOf: string) =>
    rbac.sandbox.ReplaceSalesChannel({}, { ...(await asAdministrator(asOf, userId)), idempotencyKey: 'once' });
  const first = await replace(salesChannelId);
  expect(await replace(first.salesChannelId)).toEqual(first);
  expect(await channels()).toBe(before + 1);
});
