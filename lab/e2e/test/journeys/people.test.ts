import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import {
  buyer,
  inventoryPath,
  issue,
  withIdempotencyKey,
  newKey,
  onboard,
  operator,
  waitForTransaction,
  seller,
  v1,
  type Task,
} from '../support/api.ts';

/** Colleagues, and what an operator revokes from a user, a channel or an account holder. */

const system = useSystem();
const me = '/account-portal/me';
const users = '/user-services/users';

interface Me {
  userId: string;
  salesChannel: { id: string; status: string } | null;
  roles: string[];
  accountHolder: { id: string; kind: string; status: string } | null;
}

afterEach(async () => {
  for (const { accountHolderId } of system().channels)
    await system().administration.setKind(accountHolderId, 'REGISTRY');
});

test('a colleague is added without an operator, invisible to other channels', async () => {
  const [mine, theirs] = system().channels;
  const colleague = await system().newUser(undefined, []);
  const person = await system().createBearerClient(colleague);
  const known = await person.ok<Me>('GET', me);
  expect(known).toMatchObject({ userId: colleague.userId, salesChannel: null, roles: [], accountHolder: null });
  const administrator = system().createClient(operator(mine));
  const binding = `${users}/${known.userId}/saleschannel-binding/${mine.salesChannelId}`;
  await administrator.ok('POST', binding);
  await administrator.ok('POST', `${binding}/roles`, { query: { role: 'TRADER_VIEWER' } });
  expect(await person.ok<Me>('GET', me)).toMatchObject({
    salesChannel: { id: mine.salesChannelId, status: 'ACTIVE' },
    roles: ['TRADER_VIEWER'],
  });
  const { traders } = await administrator
    .ok<{ id: string; name: string }[]>('GET', `${v1}/traders`)
    .then((all) => ({ traders: all }));
  const [trader] = traders;
  const q = trader?.name.slice(1).toUpperCase() ?? '';
  const hit = { kind: 'TRADER', id: trader?.id, name: trader?.name };
  expect(await person.ok('GET', '/account-portal/search', { query: { q } })).toMatchObject({
    results: expect.arrayContaining([hit]),
  });
  const stranger = system().createClient(operator(theirs));
  expect(await stranger.ok('GET', '/account-portal/search', { query: { q: String(trader?.id) } })).toEqual({
    results: [],
  });
  const listIds = async (channel: typeof mine): Promise<string[]> =>
    (await system().createClient(operator(channel)).ok<{ userId: string }[]>('GET', users)).map(({ userId }) => userId);
  expect(await listIds(mine)).toContain(colleague.userId);
  expect(await listIds(theirs)).not.toContain(colleague.userId);
  await eventually(async () => (await person.send('GET', `${v1}/traders`)).status === 200, 'the granted role');
  expect((await person.send('GET', users)).status).toBe(403);
});

interface Invitation {
  id: string;
  status: string;
  acceptedBy: string | null;
  token: string;
}

const invitations = '/user-services/invitations';

test('a colleague is invited, accepts, and another invitation is revoked', async () => {
  const [mine, theirs] = system().channels;
  const administrator = system().createClient(operator(mine));
  const roles = ['TRADER_VIEWER', 'EVENT_VIEWER'];
  const invite = () => administrator.ok<Invitation>('POST', invitations, { body: { roles } });
  const [invitation, revoked] = [await invite(), await invite()];
  expect(await administrator.ok('DELETE', `${invitations}/${revoked.id}`)).toMatchObject({ status: 'REVOKED' });
  const colleague = await system().newUser(undefined, []);
  const person = await system().createBearerClient(colleague);
  const accept = (client: typeof person, { token }: Invitation) =>
    client.send('POST', `${invitations}/accept`, { body: { token } });
  expect((await accept(person, revoked)).status).toBe(404);
  expect((await accept(system().createClient(operator(theirs)), invitation)).status).toBe(404);
  const body = { userId: colleague.userId, salesChannelId: mine.salesChannelId, roles };
  expect(await accept(person, invitation)).toMatchObject({ status: 201, body });
  expect(await accept(person, invitation)).toMatchObject({ status: 201, body });
  expect((await accept(system().createClient(await system().newUser(undefined, [])), invitation)).status).toBe(404);
  const listInvitations = async (channel: typeof mine): Promise<Invitation[]> =>
    system().createClient(operator(channel)).ok('GET', invitations);
  const listed = await listInvitations(mine);
  expect(listed.find(({ id }) => id === invitation.id)).toMatchObject({
    status: 'ACCEPTED',
    acceptedBy: colleague.userId,
  });
  expect(JSON.stringify(listed)).not.toContain('scs_inv_');
  expect(await listInvitations(theirs)).not.toContainEqual(expect.objectContaining({ id: invitation.id }));
  await eventually(async () => (await person.send('GET', `${v1}/traders`)).status === 200, 'the roles');
});

test('a user without the invited address cannot see the invitation', async () => {
  const [channel] = system().channels;
  const body = { email: 'anna@example.test', roles: ['EVENT_VIEWER'] };
  const { token } = await system().createClient(operator(channel)).ok<Invitation>('POST', invitations, { body });
  const person = await system().createBearerClient(await system().newUser(undefined, []));
  expect((await person.send('POST', `${invitations}/accept`, { body: { token } })).status).toBe(404);
});

test('a colleague is registered and bound before their first sign-in', async () => {
  const [channel] = system().channels;
  const administrator = system().createClient(operator(channel));
  const { issuer } = await administrator.ok<{ issuer: string }>('GET', me);
  const body = { issuer, subject: `colleague-${newKey()}` };
  const { userId } = await administrator.ok<{ userId: string }>('POST', users, { body });
  expect(await administrator.ok('POST', users, { body })).toEqual({ userId });
  await administrator.ok('POST', `${users}/${userId}/saleschannel-binding/${channel.salesChannelId}`);
  const listed = await administrator.ok<{ userId: string }[]>('GET', users);
  expect(listed.find((user) => user.userId === userId)).toMatchObject({ ...body, email: null, lastSeenOn: null });
  const wrong = { ...body, issuer: 'https://other.example' };
  expect(await administrator.send('POST', users, { body: wrong })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '#/issuer' }] },
  });
});

test('keys have names, and keys and users show when they were last used', async () => {
  const [channel] = system().channels;
  const user = await system().newUser(channel, ['EVENT_VIEWER']);
  const client = system().createClient(user);
  const keys = '/account-portal/keys';
  interface Detail {
    id: string;
    kind: string;
    name: string | null;
    lastUsedOn: string | null;
  }
  const key = await eventually(
    async () => (await client.ok<Detail[]>('GET', keys)).find(({ lastUsedOn }) => lastUsedOn !== null),
    'the use of the key',
  );
  expect(key).toMatchObject({ id: user.apiKey.id, kind: 'API', name: null });
  const named = await client.ok('PATCH', `${keys}/${key.id}`, { body: { name: 'Reporting' } });
  expect(named).toEqual({ ...key, name: 'Reporting' });
  expect(await client.ok('GET', keys)).toEqual([named]);
  const stranger = system().createClient(await system().newUser(channel, []));
  expect((await stranger.send('PATCH', `${keys}/${key.id}`, { body: { name: null } })).status).toBe(404);
  const holders = await system().createClient(operator(channel)).ok<Detail[]>('GET', keys);
  expect(new Set(holders.map(({ kind }) => kind))).toEqual(new Set(['API', 'REGISTRY']));
  const colleagues = await system()
    .createClient(operator(channel))
    .ok<{ userId: string; lastSeenOn: string | null }[]>('GET', users);
  expect(colleagues.find(({ userId }) => userId === user.userId)?.lastSeenOn).not.toBeNull();
});

test('a registry key works while its account holder is a registry', async () => {
  const [channel] = system().channels;
  expect((await system().registry.send('GET', '/Registry/api/account-holders')).status).toBe(200);
  const person = system().createClient(operator(channel));
  await system().administration.setKind(channel.accountHolderId, 'HOLDER');
  const make = { body: { expiresAt: new Date(Date.now() + 86_400_000).toISOString() } };
  await eventually(
    async () => (await system().registry.send('GET', '/Registry/api/account-holders')).status === 401,
    'the end of the key',
  );
  await eventually(
    async () => (await person.send('POST', '/account-portal/registry-keys', make)).status === 403,
    'the end of the right to make one',
  );
  expect(await person.ok<Me>('GET', me)).toMatchObject({ accountHolder: { kind: 'HOLDER', status: 'ACTIVE' } });
  await system().administration.setKind(channel.accountHolderId, 'REGISTRY');
  await eventually(
    async () => (await system().registry.send('GET', '/Registry/api/account-holders')).status === 200,
    'the key again',
  );
});

test('a suspended channel is readable, moves nothing, and keeps pending transfers', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const party = await onboard(system(), channel, { autoApproval: false });
  const bundle = await issue(system(), party);
  const terms = { buyerId: buyer(channel).id, currency: 'EUR' };
  const trade = (first: number) => ({
    headers: withIdempotencyKey(),
    body: { ...terms, assets: [{ ...bundle.range(first, first), unitPrice: 1 }] },
  });
  const path = inventoryPath(party.traderId, 'trade');
  const { taskId } = await client.ok<Task>('POST', path, trade(1));
  const transactionId = await waitForTransaction(client, `${path}/${taskId}`);
  const powers = await system().openOperatorClients();
  await powers.rbac.SuspendSalesChannel({ salesChannelId: channel.salesChannelId, reason: 'by order' });
  try {
    // From the middle of a bundle, so that a request sent before the suspension is known everywhere moves nothing
    // either.
    await eventually(async () => {
      const refused = await client.send<{ type: string }>('POST', path, trade(50));
      return refused.status === 403 && refused.body.type === '/problems/sales-channel-suspended';
    }, 'the refusal of a trade');
    expect(await client.ok<Me>('GET', me)).toMatchObject({ salesChannel: { status: 'SUSPENDED' } });
    await client.ok('GET', `${v1}/transactions/${transactionId}`);
    await client.ok('GET', `${v1}/traders/${seller(channel).id}/inventory`);
    const approval = `/Registry/api/transactions/${transactionId}/approve`;
    expect(await system().registry.send('POST', approval)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'sales-channel-suspended' }] },
    });
    await powers.rbac.ResumeSalesChannel({ salesChannelId: channel.salesChannelId });
    expect(await system().registry.ok('POST', approval)).toMatchObject({ status: 'SUCCESS' });
    await eventually(async () => (await client.send('POST', path, trade(2))).status === 201, 'a trade again');
  } finally {
    await powers.rbac.ResumeSalesChannel({ salesChannelId: channel.salesChannelId });
    powers.close();
  }
});

test("a disabled user's credentials are rejected, and an operator looks up any id", async () => {
  const [channel] = system().channels;
  const user = await system().newUser(channel, ['TRADER_VIEWER']);
  const actors = [system().createClient(user), await system().createBearerClient(user)];
  const powers = await system().openOperatorClients();
  const all = async (status: number): Promise<boolean> =>
    (await Promise.all(actors.map((actor) => actor.send('GET', me)))).every((answer) => answer.status === status);
  expect(await all(200)).toBe(true);
  await powers.identity.DisableUser({ userId: user.userId, reason: 'left' });
  await eventually(() => all(401), 'the end of all credentials');
  await powers.identity.EnableUser({ userId: user.userId });
  await eventually(() => all(200), 'all credentials again');
  powers.close();
});

testCoverage('people');
