import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../../src/client.ts';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import {
  accountHolderBody,
  buyer,
  waitForEnd,
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  waitForTransaction,
  seller,
  v1,
  type Task,
} from '../support/api.ts';

/**
 * An account holder that is not a registry applies to a channel, lists its certificates there, and decides on
 * transfers.
 */

const system = useSystem();
const portal = '/account-portal';

interface Holding {
  issuanceId: string;
  start: string;
  end: string;
  volume: number;
  state: string;
  salesChannelId: string | null;
  traderId: string | null;
}

interface HolderTransaction {
  transactionId: string;
  type: string;
  status: string;
  sellerName: string | null;
  buyerName: string | null;
  salesChannelName: string | null;
}

interface Proposal {
  id: string;
  salesChannelId: string;
  onboardedTraderId: string | null;
  status: string;
}

let accountHolderId: string;
let person: Client;

beforeAll(async () => {
  const body = accountHolderBody({ name: 'Havkalk Mineralisering AS' });
  const created = await system().registry.ok<{ accountHolderId: string }>('POST', '/Registry/api/account-holders', {
    body,
  });
  ({ accountHolderId } = created);
  const user = await system().newUser(undefined, []);
  const issuer = String(system().place.settings['OIDC_ISSUER']);
  await system().administration.setAccountHolder({ issuer, subject: user.clientId, accountHolderId });
  person = await system().createBearerClient(user);
  await eventually(
    async () => (await person.send('GET', `${portal}/account-holder`)).status === 200,
    'the user of the account holder',
  );
});

const holdings = (query: Record<string, string> = {}) => person.ok<Holding[]>('GET', `${portal}/holdings`, { query });
const transactions = (query: Record<string, string> = {}) =>
  person.ok<HolderTransaction[]>('GET', `${portal}/transactions`, { query });

test('an account holder reads itself, and changes its address and approval setting', async () => {
  const own = await person.ok('GET', `${portal}/account-holder`);
  expect(own).toMatchObject({ accountHolderId, autoApproval: true, kind: 'HOLDER', status: 'ACTIVE' });
  const body = { autoApproval: false, address: { street1: 'Ranvikveien 11', street2: null } };
  for (const type of ['application/merge-patch+json', 'application/json'])
    expect(
      await person.ok('PATCH', `${portal}/account-holder`, { body, headers: { 'content-type': type } }),
    ).toMatchObject({ autoApproval: false, address: { street1: 'Ranvikveien 11', city: 'Reykjavík' } });
  expect(await system().registry.ok('GET', `/Registry/api/account-holders/${accountHolderId}`)).toEqual(
    await person.ok('GET', `${portal}/account-holder`),
  );
  const renamed = await person.send('PATCH', `${portal}/account-holder`, { body: { name: 'Another' } });
  expect(renamed).toMatchObject({ status: 400, body: { type: '/problems/invalid-request' } });
});

test('it finds a channel, applies again after a rejection, and is accepted', async () => {
  const [channel] = system().channels;
  const { salesChannelId } = channel;
  const proposals = `${portal}/trader-onboarding-proposals`;
  const open = await person.ok<{ id: string; name: string }[]>('GET', `${portal}/sales-channels`);
  expect(open.map(({ id }) => id)).toEqual(
    expect.arrayContaining(system().channels.map((each) => each.salesChannelId)),
  );
  const names = open.map(({ name }) => name.toLowerCase());
  expect(names).toEqual(names.toSorted());
  const proposal = await person.ok<Proposal>('POST', proposals, { body: { salesChannelId } });
  expect(proposal).toMatchObject({ salesChannelId, status: 'PENDING', onboardedTraderId: null });
  const search = async (client: Client, q: string, kind: string) => {
    const { results } = await client.ok<{ results: { kind: string }[] }>('GET', `${portal}/search`, { query: { q } });
    return results.filter((hit) => hit.kind === kind);
  };
  const { name } = open.find(({ id }) => id === salesChannelId) ?? { name: 'none' };
  const found = { kind: 'SALES_CHANNEL', id: salesChannelId, name };
  for (const q of [salesChannelId, name.slice(1).toUpperCase()])
    expect(await search(person, q, 'SALES_CHANNEL')).toContainEqual(found);
  const hit = { kind: 'PROPOSAL', id: proposal.id, name: 'Havkalk Mineralisering AS' };
  const [mine, stranger] = system().channels.map((each) => system().createClient(operator(each)));
  for (const q of [proposal.id, 'kalk MINÉRAL']) {
    expect(await search(mine as Client, q, 'PROPOSAL')).toContainEqual(hit);
    expect(await search(stranger as Client, q, 'PROPOSAL')).toEqual([]);
  }
  const decide = (decision: string) =>
    system().createClient(operator(channel)).ok('POST', `${v1}/trader-onboarding-proposals/${proposal.id}/${decision}`);
  await decide('reject');
  expect(await person.ok('GET', proposals, { query: { '$filter[status][eq]': 'REJECTED' } })).toMatchObject([
    { id: proposal.id, onboardedTraderId: 'NOT_ONBOARDED' },
  ]);
  expect(await person.ok('POST', proposals, { body: { salesChannelId } })).toEqual(proposal);
  await decide('accept');
  expect(await person.ok('GET', proposals)).toMatchObject([{ id: proposal.id, status: 'ACCEPTED' }]);
  const unknown = await person.send('POST', proposals, { body: { salesChannelId: 'unknown' } });
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/salesChannelId' }] } });
});

test('it lists certificates, approves one sale and rejects another, and reads all holdings', async () => {
  const [channel] = system().channels;
  const { salesChannelId } = channel;
  const client = system().createClient(operator(channel));
  const bundle = await issue(system(), { accountHolderId, salesChannelId }, { salesChannelId: null });
  expect(await holdings()).toMatchObject([{ ...bundle.range(1, 100), volume: 100, state: 'UNLISTED', traderId: null }]);

  const ramp = { body: { salesChannelId, assets: [bundle.range(1, 60)] }, headers: withIdempotencyKey() };
  const first = await person.send<HolderTransaction>('POST', `${portal}/onramps`, ramp);
  const { transactionId } = first.body;
  expect(first).toMatchObject({ status: 201, body: { type: 'ONRAMP', buyerName: 'Havkalk Mineralisering AS' } });
  expect(first.headers['location']).toBe(`${portal}/transactions/${transactionId}`);
  const again = await person.send('POST', `${portal}/onramps`, ramp);
  expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } });
  const wrong = { body: { salesChannelId, assets: [bundle.range(70, 80)] }, headers: withIdempotencyKey() };
  expect(await person.send('POST', `${portal}/onramps`, wrong)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '#/assets/0/start' }] },
  });
  const [listed] = await holdings({ '$filter[state][eq]': 'LISTED' });
  const traderId = String(listed?.traderId);
  expect(listed).toMatchObject({ ...bundle.range(1, 60), salesChannelId });

  const path = inventoryPath(traderId, 'trade');
  const reserve = async (from: number, to: number) => {
    const assets = [{ ...bundle.range(from, to), unitPrice: 148.5 }];
    const body = { buyerId: buyer(channel).id, currency: 'EUR', assets };
    const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
    return { taskPath: `${path}/${taskId}`, id: await waitForTransaction(client, `${path}/${taskId}`) };
  };
  const [one, other] = [await reserve(1, 10), await reserve(11, 20)];
  const waiting = await transactions({ '$filter[status][eq]': 'PENDING', '$orderBy[createdAt]': 'desc' });
  expect(waiting.map((each) => each.transactionId)).toEqual([other.id, one.id]);
  expect(waiting[0]).toMatchObject({ sellerName: 'Havkalk Mineralisering AS', buyerName: buyer(channel).name });
  expect(waiting[0]?.salesChannelName).toEqual(expect.any(String));
  expect(await holdings({ '$filter[state][eq]': 'RESERVED' })).toHaveLength(2);

  const decide = (id: string, decision: string, by = person) =>
    by.send<HolderTransaction>('POST', `${portal}/transactions/${id}/${decision}`);
  expect(await decide(one.id, 'approve')).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
  expect(await decide(other.id, 'reject')).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
  expect(await decide(other.id, 'approve')).toMatchObject({ status: 400, body: { type: '/problems/request-refused' } });
  expect(await waitForEnd(client, one.taskPath)).toMatchObject({ status: 'SUCCESS' });
  expect(await waitForEnd(client, other.taskPath)).toMatchObject({ status: 'REJECTED' });
  expect(await person.ok('GET', `${portal}/transactions/${one.id}`)).toMatchObject({ status: 'SUCCESS' });
  expect((await holdings()).map(({ start, state }) => [start, state])).toEqual([
    [bundle.at(11), 'LISTED'],
    [bundle.at(61), 'UNLISTED'],
  ]);
  expect(await person.ok('GET', `${portal}/holdings/summary`)).toMatchObject({
    bundles: 2,
    volume: 90,
    facets: {
      state: [
        { value: 'LISTED', bundles: 1, volume: 50 },
        { value: 'UNLISTED', bundles: 1, volume: 40 },
      ],
      salesChannelId: [{ value: salesChannelId, bundles: 1, volume: 50 }],
    },
  });
  expect((await transactions()).map(({ type }) => type)).toEqual(['ISSUANCE', 'ONRAMP', 'TRADE', 'TRADE']);
});

test('objects of others are not found, and pages list its own', async () => {
  const [, theirs] = system().channels;
  const bundle = await issue(system(), theirs);
  const registryView = await system().registry.ok<{ data: { transactionId: string }[] }>(
    'GET',
    '/Registry/api/transactions',
    { query: { accountHolderId: theirs.accountHolderId } },
  );
  const foreign = registryView.data.at(-1)?.transactionId ?? '';
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/approve'],
    ['POST', '/reject'],
  ] as const)
    expect(await person.send(method, `${portal}/transactions/${foreign}${path}`)).toMatchObject({ status: 404 });
  const all = await holdings();
  expect(all.map(({ issuanceId }) => issuanceId)).not.toContain(bundle.issuanceId);
  const found: Holding[] = [];
  for (let path: string | undefined = `${portal}/holdings?$limit=1`; path !== undefined;) {
    const page: { body: Holding[]; headers: Record<string, unknown> } = await person.send('GET', path);
    found.push(...page.body);
    path = /^<([^>]+)>; rel="next"$/.exec(String(page.headers['link']))?.[1];
  }
  expect(found).toEqual(all);
  expect(
    (
      await system()
        .createClient(await system().newUser(theirs, []))
        .send('GET', `${portal}/holdings/summary`)
    ).status,
  ).toBe(403);
  expect(seller(theirs).id).not.toBe(all[0]?.traderId);
});

testCoverage('holders');
