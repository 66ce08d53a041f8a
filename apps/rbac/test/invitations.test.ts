import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { isWellFormedSecret, newId, newSecret } from '@saleschannel/primitives';
import { asUser, callAs, eventually, catchFailure, catchFailures } from '@saleschannel/testing';
import { answersOf, asAdministrator, startRbac, type Rbac } from './support/rbac.ts';

let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
afterAll(() => rbac.stop());

const HOUR_MS = 3_600_000;

interface Invited {
  readonly salesChannelId: string;
  readonly id: string;
  readonly token: string;
}

/** Creates an invitation, by default to a new channel. */
async function invite(request: { roles?: string[]; email?: string } = {}, salesChannelId?: string): Promise<Invited> {
  const channel = salesChannelId ?? (await rbac.newChannel());
  const { invitation, token } = await rbac.gateway.CreateInvitation(
    { roles: ['EVENT_VIEWER'], ...request },
    await rbac.administrator(channel),
  );
  return { salesChannelId: channel, id: String(invitation?.id), token };
}

/** Creates a user without a binding, and their call options. */
async function person(profile: { email?: string; emailVerified?: boolean } = {}) {
  const userId = rbac.newUser(profile);
  return { userId, options: await asUser(undefined, [], userId) };
}

const list = async (salesChannelId: string) =>
  (await rbac.gateway.ListInvitations({}, await rbac.administrator(salesChannelId))).invitations;

/** Moves the expiry of an invitation into the past. */
const endedAgo = (id: string, hours: number) =>
  rbac.service.sql(
    `update invitation set created_at = created_at - make_interval(hours => $2::int + 72),
       expires_at = now() - make_interval(hours => $2::int) where id = $1`,
    [id, hours],
  );

interface Recorded {
  readonly action: string;
  readonly actor: { readonly id?: string };
  readonly subject: { readonly id: string };
  readonly after: unknown;
}

async function trailOf(salesChannelId: string): Promise<Recorded[]> {
  const client = await callAs('admin', 'auditLog', rbac.service.address, 'rbac');
  const range = { afterSequence: '0', limit: 1_000 };
  const { events } = await client.ListAuditEvents({ scope: salesChannelId, range });
  client.close();
  return events.map(({ event }) => JSON.parse(event) as Recorded);
}

describe('an invitation', () => {
  test('is valid for 72 hours, and its token is returned only once', async () => {
    const salesChannelId = await rbac.newChannel();
    const userId = await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
    const options = await asAdministrator(salesChannelId, userId);
    const request = { email: 'Anna@example.test', roles: ['EVENT_VIEWER', 'ASSET_VIEWER', 'EVENT_VIEWER'] };
    const { invitation, token } = await rbac.gateway.CreateInvitation(request, options);
    expect(isWellFormedSecret(token, 'scs_inv')).toBe(true);
    expect(invitation).toMatchObject({
      email: 'Anna@example.test',
      roles: ['ASSET_VIEWER', 'EVENT_VIEWER'],
      createdBy: userId,
      status: 'PENDING',
    });
    const { createdOn = '', expiresAt = '' } = invitation ?? {};
    expect(Date.parse(expiresAt) - Date.parse(createdOn)).toBe(72 * HOUR_MS);
    const listed = await list(salesChannelId);
    expect(listed).toEqual([invitation]);
    const stored = JSON.stringify([
      listed,
      await rbac.service.sql('select * from invitation'),
      await trailOf(salesChannelId),
    ]);
    expect(stored).not.toContain(token.slice(8));
  });

  test('binds the user who accepts it, with its roles, and announces it', async () => {
    const { salesChannelId, token, id } = await invite({ roles: ['EVENT_VIEWER', 'ASSET_VIEWER'] });
    const { userId, options } = await person();
    const binding = { userId, salesChannelId, roles: ['ASSET_VIEWER', 'EVENT_VIEWER'] };
    expect(await rbac.gateway.AcceptInvitation({ token }, options)).toEqual(binding);
    expect(await rbac.bindingOf(userId)).toEqual(binding);
    expect(await list(salesChannelId)).toMatchObject([{ id, status: 'ACCEPTED', acceptedBy: userId }]);
    await eventually(async () => rbac.changesOf(userId) > 0, 'the change of rights');
  });

  test('adds its roles to those of a bound user', async () => {
    const { salesChannelId, token } = await invite();
    const userId = await rbac.member(salesChannelId, 'ASSET_VIEWER');
    const accepted = await rbac.gateway.AcceptInvitation({ token }, await asUser(salesChannelId, [], userId));
    expect(accepted.roles).toEqual(['ASSET_VIEWER', 'EVENT_VIEWER']);
  });

  test('returns the current binding on a repeat, without restoring removed roles', async () => {
    const { salesChannelId, token } = await invite({ roles: ['EVENT_VIEWER', 'ASSET_VIEWER'] });
    const { userId, options } = await person();
    const accept = () => rbac.gateway.AcceptInvitation({ token }, options);
    const first = await accept();
    expect(await accept()).toEqual(first);
    const administrator = await rbac.administrator(salesChannelId);
    await rbac.gateway.RemoveRole({ userId, salesChannelId, role: 'ASSET_VIEWER' }, administrator);
    expect((await accept()).roles).toEqual(['EVENT_VIEWER']);
    await rbac.gateway.UnbindUser({ userId, salesChannelId }, administrator);
    expect(await catchFailure(accept())).toMatchObject({ code: 'not-found' });
    expect(await rbac.bindingOf(userId)).toBeNull();
  });

  test('stays valid after its creator has left', async () => {
    const salesChannelId = await rbac.newChannel();
    const maker = await rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
    const { token } = await rbac.gateway.CreateInvitation(
      { roles: ['EVENT_VIEWER'] },
      await asAdministrator(salesChannelId, maker),
    );
    await rbac.gateway.UnbindUser({ userId: maker, salesChannelId }, await rbac.administrator(salesChannelId));
    const { options } = await person();
    expect(await rbac.gateway.AcceptInvitation({ token }, options)).toMatchObject({ salesChannelId });
  });

  test('is audited by id without the address, with the user who joined', async () => {
    const { salesChannelId, token, id } = await invite({ email: 'anna@example.test' });
    const { userId, options } = await person({ email: 'anna@example.test', emailVerified: true });
    await rbac.gateway.AcceptInvitation({ token }, options);
    const revoked = await invite({}, salesChannelId);
    const administrator = await rbac.administrator(salesChannelId);
    for (let round = 0; round < 2; round++)
      await rbac.gateway.RevokeInvitation({ invitationId: revoked.id }, administrator);
    const trail = await trailOf(salesChannelId);
    const invitations = trail.filter(({ action }) => action.startsWith('rbac.invitation.'));
    expect(invitations).toMatchObject([
      { action: 'rbac.invitation.created', subject: { id }, after: { roles: ['EVENT_VIEWER'] } },
      { action: 'rbac.invitation.accepted', subject: { id }, actor: { id: userId }, after: { userId } },
      { action: 'rbac.invitation.created', subject: { id: revoked.id } },
      { action: 'rbac.invitation.revoked', subject: { id: revoked.id } },
    ]);
    expect(trail.filter(({ subject }) => subject.id === userId).map(({ action }) => action)).toEqual([
      'rbac.user.bound',
      'rbac.role.granted',
    ]);
    expect(JSON.stringify(trail)).not.toContain('example.test');
  });
});

describe('an invitation with an address', () => {
  test.each([
    ['in the same case', 'anna@example.test'],
    ['in another case', 'ANNA@Example.Test'],
  ])('is for a user with that verified address, %s', async (_what, email) => {
    const { token } = await invite({ email: 'anna@example.test' });
    const { options } = await person({ email, emailVerified: true });
    expect(await rbac.gateway.AcceptInvitation({ token }, options)).toMatchObject({ roles: ['EVENT_VIEWER'] });
  });

  test('is refused to other users', async () => {
    const { token, id, salesChannelId } = await invite({ email: 'anna@example.test' });
    const others = await Promise.all([
      person(),
      person({ email: 'anna@example.test' }),
      person({ email: 'anna@example.test', emailVerified: false }),
      person({ email: 'other@example.test', emailVerified: true }),
      person({ email: 'xanna@example.test', emailVerified: true }),
    ]);
    const failures = await Promise.all(
      others.map(({ options }) => catchFailure(rbac.gateway.AcceptInvitation({ token }, options))),
    );
    expect(answersOf(failures).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect(await list(salesChannelId)).toMatchObject([{ id, status: 'PENDING' }]);
  });
});

describe('an invitation is not found', () => {
  test('when revoked, expired, accepted by another user or unknown, all alike', async () => {
    const [revoked, expired, taken] = [await invite(), await invite(), await invite()];
    await rbac.gateway.RevokeInvitation({ invitationId: revoked.id }, await rbac.administrator(revoked.salesChannelId));
    await endedAgo(expired.id, 0);
    await rbac.gateway.AcceptInvitation({ token: taken.token }, (await person()).options);
    const { userId, options } = await person();
    const tokens = [revoked, expired, taken].map(({ token }) => token);
    const never = [newSecret('scs_inv'), newSecret('scs_key'), 'scs_inv_x', '', 'x\u0000'];
    const failures = await Promise.all(
      [...tokens, ...never].map((token) => catchFailure(rbac.gateway.AcceptInvitation({ token }, options))),
    );
    expect(answersOf(failures).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect(await rbac.bindingOf(userId)).toBeNull();
    expect(await list(expired.salesChannelId)).toMatchObject([{ status: 'EXPIRED' }]);
    expect(await list(revoked.salesChannelId)).toMatchObject([{ status: 'REVOKED' }]);
  });

  test('by a user of another channel, and stays pending', async () => {
    const { token, salesChannelId } = await invite();
    const other = await rbac.newChannel();
    const userId = await rbac.member(other, 'ASSET_VIEWER');
    const failure = await catchFailure(rbac.gateway.AcceptInvitation({ token }, await asUser(other, [], userId)));
    expect(failure).toMatchObject({ code: 'not-found' });
    expect(await rbac.bindingOf(userId)).toMatchObject({ salesChannelId: other, roles: ['ASSET_VIEWER'] });
    expect(await list(salesChannelId)).toMatchObject([{ status: 'PENDING' }]);
  });

  test('by a user unknown to identity', async () => {
    const { token } = await invite();
    const failure = await catchFailure(rbac.gateway.AcceptInvitation({ token }, await asUser(undefined, [])));
    expect(failure).toMatchObject({ code: 'not-found' });
  });
});

test('while identity is down, no user is bound', async () => {
  const { token } = await invite();
  const { userId, options } = await person();
  rbac.failIdentity(new DomainError('unavailable', 'down'));
  const failure = await catchFailure(rbac.gateway.AcceptInvitation({ token }, options));
  rbac.failIdentity(undefined);
  expect(failure).toMatchObject({ code: 'unavailable' });
  expect(await rbac.bindingOf(userId)).toBeNull();
  await rbac.gateway.AcceptInvitation({ token }, options);
});

test('a suspended channel can revoke invitations, but neither create nor accept them', async () => {
  const { salesChannelId, token, id } = await invite();
  const administrator = await rbac.administrator(salesChannelId);
  await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
  const suspended = { code: 'sales-channel-suspended' };
  const { userId, options } = await person();
  expect(await catchFailure(rbac.gateway.AcceptInvitation({ token }, options))).toMatchObject(suspended);
  expect(await rbac.bindingOf(userId)).toBeNull();
  const another = rbac.gateway.CreateInvitation({ roles: ['EVENT_VIEWER'] }, administrator);
  expect(await catchFailure(another)).toMatchObject(suspended);
  expect(await list(salesChannelId)).toMatchObject([{ status: 'PENDING' }]);
  await rbac.gateway.RevokeInvitation({ invitationId: id }, administrator);
  await rbac.admin.ResumeSalesChannel({ salesChannelId });
  expect(await catchFailure(rbac.gateway.AcceptInvitation({ token }, options))).toMatchObject({ code: 'not-found' });
});

describe('revoking', () => {
  test('is idempotent, and keeps expired invitations expired', async () => {
    const [pending, expired] = [await invite(), await invite()];
    await endedAgo(expired.id, 1);
    for (const [{ id, salesChannelId }, status] of [
      [pending, 'REVOKED'],
      [expired, 'EXPIRED'],
    ] as const) {
      const options = await rbac.administrator(salesChannelId);
      for (let round = 0; round < 2; round++)
        expect(await rbac.gateway.RevokeInvitation({ invitationId: id }, options)).toMatchObject({ id, status });
    }
  });

  test('is refused for accepted, foreign and unknown invitations', async () => {
    const { salesChannelId, id, token } = await invite();
    const { userId, options } = await person();
    await rbac.gateway.AcceptInvitation({ token }, options);
    const revoke = async (invitationId: string, by: string) =>
      catchFailure(rbac.gateway.RevokeInvitation({ invitationId }, await rbac.administrator(by)));
    expect(await revoke(id, salesChannelId)).toMatchObject({ code: 'request-refused' });
    expect(await rbac.bindingOf(userId)).toMatchObject({ salesChannelId });
    const other = await rbac.newChannel();
    const unknown = await Promise.all([id, newId(), '', 'x\u0000'].map((each) => revoke(each, other)));
    expect(answersOf(unknown).size).toBe(1);
    expect(unknown[0]).toMatchObject({ code: 'not-found' });
  });
});

describe('creating invitations', () => {
  test.each([
    [{ roles: [] }, '#/roles', 'minItems'],
    [{ roles: ['OWNER'] }, '#/roles/0', 'enum'],
    [{ email: 'anna' }, '#/email', 'pattern'],
    [{ email: '' }, '#/email', 'minLength'],
    [{ email: `${'x'.repeat(250)}@example.test` }, '#/email', 'maxLength'],
  ])('%j is refused', async (request, pointer, code) => {
    const options = await rbac.administrator(await rbac.newChannel());
    const failure = await catchFailure(rbac.gateway.CreateInvitation({ roles: ['EVENT_VIEWER'], ...request }, options));
    expect(failure).toMatchObject({ code: 'invalid-request' });
    expect(failure.violations).toContainEqual(expect.objectContaining({ pointer, code }));
  });

  test.each([
    ['100 that are pending', 100, "now() + interval '1 hour'"],
    ['1,000 that are kept', 1_000, "now() - interval '1 hour'"],
  ])('a channel has at most %s, independently of other channels', async (_what, count, end) => {
    const salesChannelId = await rbac.newChannel();
    await rbac.service.sql(
      `insert into invitation (id, sales_channel_id, token_hash, roles, created_by, created_at, expires_at)
       select $1::text || n, $1, sha256(($1::text || n)::bytea), array['EVENT_VIEWER'], 'x',
         now() - interval '2 hours', ${end} from generate_series(1, $2::int) n`,
      [salesChannelId, count],
    );
    expect(await catchFailure(invite({}, salesChannelId))).toMatchObject({ code: 'request-refused' });
    await invite();
    await rbac.service.sql('delete from invitation where id = $1', [`${salesChannelId}1`]);
    await invite({}, salesChannelId);
  });

  test('needs a current administrator, and listing and revoking need the role', async () => {
    const { salesChannelId, id } = await invite();
    const former = await asAdministrator(salesChannelId, rbac.newUser());
    const roles = { roles: ['EVENT_VIEWER'] };
    expect(await catchFailure(rbac.gateway.CreateInvitation(roles, former))).toMatchObject({ code: 'forbidden' });
    const revoked = rbac.gateway.RevokeInvitation({ invitationId: id }, former);
    expect(await catchFailure(revoked)).toMatchObject({ code: 'forbidden' });
    const viewer = await asUser(salesChannelId, ['EVENT_VIEWER']);
    const attempts: Promise<unknown>[] = [
      rbac.gateway.ListInvitations({}, viewer),
      rbac.gateway.CreateInvitation(roles, viewer),
      rbac.gateway.RevokeInvitation({ invitationId: id }, viewer),
    ];
    for (const failure of await catchFailures(attempts)) expect(failure).toMatchObject({ code: 'forbidden' });
  });
});

test('the list has invitations of the own channel, newest first', async () => {
  const one = await invite();
  const two = await invite({}, one.salesChannelId);
  await invite();
  expect((await list(one.salesChannelId)).map(({ id }) => id)).toEqual([two.id, one.id]);
});

test.each(['identity', 'admin', 'traders'] as const)('%s may not manage invitations', async (caller) => {
  const { salesChannelId, token } = await invite();
  const client = await callAs(caller, 'rbac', rbac.service.address);
  const options = await rbac.administrator(salesChannelId);
  const { options: guest } = await person();
  const calls: Promise<unknown>[] = [client.ListInvitations({}, options), client.AcceptInvitation({ token }, guest)];
  for (const failure of await catchFailures(calls)) expect(failure).toMatchObject({ code: 'forbidden' });
  client.close();
});
