import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asUser, createdOnce, repeatCall } from '@saleschannel/testing';
import { startRbac, type Rbac } from './support/rbac.ts';

let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
afterAll(() => rbac.stop());

const administrator = async (salesChannelId: string) => {
  const { principalToken } = await rbac.administrator(salesChannelId);
  return { principalToken: String(principalToken) };
};

test('an invitation is created once, and every repeat gets its token', async () => {
  const channel = await rbac.newChannel();
  const as = await administrator(channel);
  const repeats = await repeatCall(as, (options, isOther) =>
    rbac.gateway.CreateInvitation({ roles: [isOther ? 'TRADER_VIEWER' : 'EVENT_VIEWER'] }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect((await rbac.gateway.ListInvitations({}, as)).invitations).toHaveLength(1);
  const token = String(repeats.answers[0]?.token);
  expect(token).toMatch(/^scs_inv/);
  const kept = await rbac.service.sql<{ answer: Buffer }>('select answer from idempotency_key');
  for (const { answer } of kept) expect(answer.toString('latin1')).not.toContain(token);
});

test('an invitation is accepted once per key', async () => {
  const channel = await rbac.newChannel();
  const { token } = await rbac.gateway.CreateInvitation({ roles: ['EVENT_VIEWER'] }, await administrator(channel));
  const { token: other } = await rbac.gateway.CreateInvitation(
    { roles: ['EVENT_VIEWER'] },
    await administrator(channel),
  );
  const userId = rbac.newUser();
  const repeats = await repeatCall(await asUser(undefined, [], userId), (options, isOther) =>
    rbac.gateway.AcceptInvitation({ token: isOther ? other : token }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect((await rbac.bindingOf(userId))?.roles).toEqual(['EVENT_VIEWER']);
});

test('users are bound and roles granted once per key', async () => {
  const channel = await rbac.newChannel();
  const as = await administrator(channel);
  const [userId, another] = [rbac.newUser(), rbac.newUser()];
  const target = (isOther: boolean) => ({ userId: isOther ? another : userId, salesChannelId: channel });
  const bound = await repeatCall(as, (options, isOther) => rbac.gateway.BindUser(target(isOther), options));
  expect(bound).toEqual(createdOnce(bound.answers[0]));
  const granted = await repeatCall(as, (options, isOther) =>
    rbac.gateway.GrantRole({ ...target(false), role: isOther ? 'TRADER_VIEWER' : 'EVENT_VIEWER' }, options),
  );
  expect(granted).toEqual(createdOnce(granted.answers[0]));
  expect((await rbac.bindingOf(userId))?.roles).toEqual(['EVENT_VIEWER']);
});

test('operators create and suspend a sales channel once per key', async () => {
  const as = { operator: 'dana' };
  const created = await repeatCall(as, (options, isOther) =>
    rbac.admin.CreateSalesChannel({ name: isOther ? 'Other' : 'Twice' }, options),
  );
  expect(created).toEqual(createdOnce(created.answers[0]));
  const channels = await rbac.service.sql(`select from sales_channel where name = 'Twice'`);
  expect(channels).toHaveLength(1);
  const [salesChannelId, another] = [String(created.answers[0]?.id), await rbac.newChannel()];
  const target = (isOther: boolean) => ({ salesChannelId: isOther ? another : salesChannelId });
  const suspended = await repeatCall(as, (options, isOther) =>
    rbac.admin.SuspendSalesChannel({ ...target(isOther), reason: 'late' }, options),
  );
  expect(suspended).toEqual(createdOnce(suspended.answers[0]));
  const renamed = await repeatCall(as, (options, isOther) =>
    rbac.admin.RenameSalesChannel({ ...target(isOther), name: isOther ? 'Two' : 'One', reason: 'brand' }, options),
  );
  expect(renamed).toEqual(createdOnce(renamed.answers[0]));
  const resumed = await repeatCall(as, (options, isOther) => rbac.admin.ResumeSalesChannel(target(isOther), options));
  expect(resumed).toEqual(createdOnce(resumed.answers[0]));
  const assigned = await repeatCall(as, (options, isOther) =>
    rbac.admin.AssignRoles({ ...target(isOther), userId: another, roles: ['EVENT_VIEWER'] }, options),
  ).catch((error: unknown) => error);
  expect(assigned).toMatchObject({ code: 'not-found' });
});

test('operators do not share keys', async () => {
  const name = 'Shared key';
  await rbac.admin.CreateSalesChannel({ name }, { operator: 'dana', idempotencyKey: 'shared' });
  const other = `${name} of kim`;
  await rbac.admin.CreateSalesChannel({ name: other }, { operator: 'kim', idempotencyKey: 'shared' });
  const created = await rbac.service.sql(`select from sales_channel where name = any($1)`, [[name, other]]);
  expect(created).toHaveLength(2);
});
