import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { asUser, listAuditedChanges, eventually, catchFailure, createdOnce, repeatCall } from '@saleschannel/testing';
import { asAdministrator, startRbac, type Rbac } from './support/rbac.ts';

const ROUNDS = 10;
let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
beforeEach(() => {
  rbac.onCount = () => Promise.resolve();
});
afterAll(() => rbac.stop());

const close = (salesChannelId: string) => rbac.admin.CloseSalesChannel({ salesChannelId, reason: 'contract ended' });
const closed = { code: 'request-refused', violations: [{ code: 'sales-channel-closed' }] };
const notSuspended = { code: 'request-refused', violations: [{ code: 'sales-channel-not-suspended' }] };

async function closedChannel(): Promise<string> {
  const channel = await rbac.newChannel();
  await rbac.suspendLongAgo(channel);
  await close(channel);
  return channel;
}

const bindingsOf = (salesChannelId: string) =>
  rbac.service.sql('select from binding where sales_channel_id = $1', [salesChannelId]);

describe('a closed sales channel', () => {
  test('has no users and no pending invitations, and cached rights are invalidated', async () => {
    const salesChannelId = await rbac.newChannel();
    const options = await rbac.administrator(salesChannelId);
    const viewer = await rbac.member(salesChannelId, 'ASSET_VIEWER', 'EVENT_VIEWER');
    const other = await rbac.newChannel();
    const stranger = await rbac.member(other, 'ASSET_VIEWER');
    const { invitation } = await rbac.gateway.CreateInvitation({ roles: ['ASSET_VIEWER'] }, options);
    const heard = rbac.changesOf(viewer);
    expect(await rbac.admin.CountChannelUsers({ salesChannelId })).toMatchObject({
      users: { count: 2, isMore: false },
      invitations: { count: 1, isMore: false },
    });
    await rbac.suspendLongAgo(salesChannelId);
    const answer = await close(salesChannelId);
    expect(answer).toMatchObject({
      id: salesChannelId,
      // As the previous release sees it.
      status: 'SUSPENDED',
      suspendedReason: 'by order',
      closedAt: expect.stringMatching(/Z$/),
      closedReason: 'contract ended',
    });
    expect(await close(salesChannelId)).toEqual(answer);
    expect(await rbac.bindingOf(viewer)).toBeNull();
    expect(await rbac.bindingOf(stranger)).toMatchObject({ salesChannelId: other });
    await eventually(() => Promise.resolve(rbac.changesOf(viewer) > heard), 'the announced change');
    const roles = await rbac.service.sql('select from binding_role where user_id = $1', [viewer]);
    expect(roles).toEqual([]);
    const [row] = await rbac.service.sql<{ revoked: boolean }>(
      'select revoked_at is not null as revoked from invitation where id = $1',
      [invitation?.id],
    );
    expect(row).toEqual({ revoked: true });
    expect(await rbac.admin.CountChannelUsers({ salesChannelId })).toMatchObject({
      users: { count: 0 },
      invitations: { count: 0 },
    });
  });

  test('is in both trails, with the reason only in that of the installation', async () => {
    const salesChannelId = await rbac.newChannel();
    const userId = await rbac.member(salesChannelId, 'EVENT_VIEWER');
    await rbac.suspendLongAgo(salesChannelId);
    await close(salesChannelId);
    const trail = { name: 'rbac', address: rbac.service.address } as const;
    const last = async (scope: string, id: string) => (await listAuditedChanges(trail, scope, id)).at(-1);
    const before = { status: 'SUSPENDED' };
    expect(await last(salesChannelId, salesChannelId)).toEqual([before, { status: 'CLOSED' }]);
    expect(await last('installation', salesChannelId)).toEqual([
      before,
      { status: 'CLOSED', reason: 'contract ended' },
    ]);
    expect(await last(salesChannelId, userId)).toEqual([{ roles: ['EVENT_VIEWER'] }, null]);
  });

  test('is closed once per key', async () => {
    const channels = [await rbac.newChannel(), await rbac.newChannel()];
    for (const channel of channels) await rbac.suspendLongAgo(channel);
    const repeats = await repeatCall({ operator: 'dana' }, (options, isOther) =>
      rbac.admin.CloseSalesChannel({ salesChannelId: String(channels[isOther ? 1 : 0]), reason: 'late' }, options),
    );
    expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  });

  test('loses users in several statements', async () => {
    const salesChannelId = await rbac.newChannel();
    await rbac.service.sql(
      `insert into binding (user_id, sales_channel_id) select $1 || n, $1 from generate_series(1, 2500) as n`,
      [salesChannelId],
    );
    expect(await rbac.admin.CountChannelUsers({ salesChannelId })).toMatchObject({
      users: { count: 1_000, isMore: true },
    });
    await rbac.suspendLongAgo(salesChannelId);
    await close(salesChannelId);
    expect(await bindingsOf(salesChannelId)).toEqual([]);
    const announced = await rbac.service.sql(
      `select from audit_event where scope = $1 and event::json ->> 'action' = 'rbac.user.unbound'`,
      [salesChannelId],
    );
    expect(announced).toHaveLength(2_500);
  });

  test('is never opened again, renamed or given users', async () => {
    const salesChannelId = await rbac.newChannel();
    const administrator = await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
    const options = await asAdministrator(salesChannelId, administrator);
    const { token } = await rbac.gateway.CreateInvitation({ roles: ['EVENT_VIEWER'] }, options);
    await rbac.suspendLongAgo(salesChannelId);
    await close(salesChannelId);
    const userId = rbac.newUser();
    const refused: Promise<unknown>[] = [
      rbac.admin.ResumeSalesChannel({ salesChannelId }),
      rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'again' }),
      rbac.admin.RenameSalesChannel({ salesChannelId, name: newId(), reason: 'brand' }),
      rbac.admin.AssignRoles({ userId, salesChannelId, roles: ['EVENT_VIEWER'] }),
      rbac.gateway.AcceptInvitation({ token }, await asUser(undefined, [], userId)),
    ];
    for (const each of refused) expect(await catchFailure(each)).toMatchObject(closed);
    // It has no administrator, regardless of tokens.
    for (const each of [
      rbac.gateway.BindUser({ userId, salesChannelId }, options),
      rbac.gateway.CreateInvitation({ roles: ['EVENT_VIEWER'] }, options),
    ])
      expect(await catchFailure(each)).toMatchObject({ code: 'forbidden' });
    expect(await bindingsOf(salesChannelId)).toEqual([]);
  });

  test('keeps its name and stays listed', async () => {
    const id = await closedChannel();
    const { salesChannels } = await rbac.admin.ListSalesChannels({});
    const found = salesChannels.find((each) => each.id === id);
    expect(found).toMatchObject({ status: 'SUSPENDED', closedReason: 'contract ended' });
    expect(await catchFailure(rbac.admin.CreateSalesChannel({ name: String(found?.name) }))).toMatchObject({
      violations: [{ code: 'name-taken' }],
    });
  });

  test('is kept closed and empty by the database, even from replicas of the previous release', async () => {
    const id = await closedChannel();
    const resumed = rbac.service.sql(
      'update sales_channel set suspended_at = null, suspended_reason = null where id = $1',
      [id],
    );
    await expect(resumed).rejects.toThrow('sales_channel_closed');
    const bound = rbac.service.sql('insert into binding (user_id, sales_channel_id) values ($1, $2)', [newId(), id]);
    await expect(bound).rejects.toThrow('is closed');
  });
});

describe('closing is refused', () => {
  test('for a sales channel that is not suspended for long enough', async () => {
    const salesChannelId = await rbac.newChannel();
    const userId = await rbac.member(salesChannelId, 'EVENT_VIEWER');
    expect(await catchFailure(close(salesChannelId))).toMatchObject(notSuspended);
    const { suspendedAt } = await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
    const early = await catchFailure(close(salesChannelId));
    expect(early).toMatchObject(notSuspended);
    const time = new Date(Date.parse(String(suspendedAt)) + 30_000).toISOString();
    expect(early.violations?.[0]?.detail).toBe(
      `names a sales channel that was suspended just now. Retry after ${time}.`,
    );
    expect(await rbac.bindingOf(userId)).not.toBeNull();
  });

  test('while it has open records, with their numbers', async () => {
    const salesChannelId = await rbac.newChannel();
    await rbac.suspendLongAgo(salesChannelId);
    rbac.used.set(salesChannelId, { tasks: 12, pendingTransactions: 1, reservedBundles: 2, listedBundles: -1_000 });
    const { code, violations } = await catchFailure(close(salesChannelId));
    expect(code).toBe('request-refused');
    expect(new Set(violations?.map((each) => each.code))).toEqual(new Set(['sales-channel-in-use']));
    expect(violations?.map(({ detail }) => detail)).toEqual([
      '12 tasks are pending. Wait for their end.',
      '1 transaction is pending. Have it approved or rejected first.',
      '2 certificate bundles are reserved. Have their transactions decided first.',
      '1,000 or more certificate bundles are listed. Have them offramped or retired first.',
    ]);
    for (const one of ['tasks', 'pendingTransactions', 'reservedBundles', 'listedBundles']) {
      rbac.used.set(salesChannelId, { [one]: 1 });
      expect((await catchFailure(close(salesChannelId))).violations).toHaveLength(1);
    }
    rbac.used.delete(salesChannelId);
    await close(salesChannelId);
  });

  test.each(['unavailable', 'method-not-allowed', 'internal'] as const)(
    'when another service does not count its records (%s)',
    async (code) => {
      const salesChannelId = await rbac.newChannel();
      const userId = await rbac.member(salesChannelId, 'EVENT_VIEWER');
      await rbac.suspendLongAgo(salesChannelId);
      rbac.onCount = () => Promise.reject(new DomainError(code, 'not now'));
      expect(await catchFailure(close(salesChannelId))).toMatchObject({ code: 'unavailable' });
      expect(await rbac.bindingOf(userId)).not.toBeNull();
    },
  );

  test('when it was resumed during the counts', async () => {
    const salesChannelId = await rbac.newChannel();
    await rbac.suspendLongAgo(salesChannelId);
    rbac.onCount = async () => void (await rbac.admin.ResumeSalesChannel({ salesChannelId }));
    expect(await catchFailure(close(salesChannelId))).toMatchObject(notSuspended);
  });

  test('when it was resumed and suspended again during the counts', async () => {
    const salesChannelId = await rbac.newChannel();
    await rbac.suspendLongAgo(salesChannelId);
    rbac.onCount = async () => {
      await rbac.admin.ResumeSalesChannel({ salesChannelId });
      await rbac.suspendLongAgo(salesChannelId);
    };
    expect(await catchFailure(close(salesChannelId))).toMatchObject(notSuspended);
  });

  test('without a reason, and for an unknown channel', async () => {
    const salesChannelId = await rbac.newChannel();
    const unexplained = rbac.admin.CloseSalesChannel({ salesChannelId, reason: '' });
    expect(await catchFailure(unexplained)).toMatchObject({ violations: [{ parameter: 'reason' }] });
    expect(await catchFailure(close(newId()))).toMatchObject({ code: 'not-found' });
    expect(await catchFailure(rbac.admin.CountChannelUsers({ salesChannelId: newId() }))).toMatchObject({
      code: 'not-found',
    });
  });
});

test('a closed channel never has a binding despite concurrent changes', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const salesChannelId = await rbac.newChannel();
    const options = await rbac.administrator(salesChannelId);
    const { token } = await rbac.gateway.CreateInvitation({ roles: ['EVENT_VIEWER'] }, options);
    await rbac.suspendLongAgo(salesChannelId);
    const joining = await asUser(undefined, [], rbac.newUser());
    await Promise.allSettled([
      close(salesChannelId),
      rbac.admin.AssignRoles({ userId: rbac.newUser(), salesChannelId, roles: ['EVENT_VIEWER'] }),
      rbac.admin.ResumeSalesChannel({ salesChannelId }),
      close(salesChannelId),
      rbac.gateway.BindUser({ userId: rbac.newUser(), salesChannelId }, options),
      rbac.gateway.AcceptInvitation({ token }, joining),
    ]);
    const [row] = await rbac.service.sql<{ isClosed: boolean; isSuspended: boolean }>(
      `select closed_at is not null as "isClosed", suspended_at is not null as "isSuspended"
       from sales_channel where id = $1`,
      [salesChannelId],
    );
    const { isClosed, isSuspended } = row ?? {};
    if (isClosed)
      expect({ isSuspended, bindings: await bindingsOf(salesChannelId) }).toEqual({ isSuspended: true, bindings: [] });
    else expect(await bindingsOf(salesChannelId)).not.toEqual([]);
  }
});
