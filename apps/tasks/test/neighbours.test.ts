import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { toUnitPrice } from '@saleschannel/primitives';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { createAccountHolders, type AccountHolders } from '../src/neighbours/account-holders.ts';
import { createParties, type Parties } from '../src/neighbours/parties.ts';
import { type AuthorizedTransfer, checkTransfers } from '../src/operations/check-transfers.ts';
import { contract as inventoryContract } from './contracts/inventory.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';
import { contract as tradersContract } from './contracts/traders.ts';

/** Checks that tasks can work with the minimal answers of its contracts. */

let providers: FakeProviders;
let traders: Parties;
let inventory: ServiceClient<'selectionCheck'>;
let accountHolders: AccountHolders;

beforeAll(async () => {
  providers = await startFakeProviders(tradersContract, inventoryContract, registryImportContract);
  traders = createParties(await providers.client('traderDirectory'));
  inventory = await providers.client('selectionCheck');
  accountHolders = createAccountHolders(await providers.client('accountHolderDirectory'));
});
afterAll(() => providers.stop());

/** Traders with this account holder. */
const withHolder = (accountHolderId: string | undefined): Parties => ({
  find: () => Promise.resolve(() => ({ accountHolderId })),
});

type Range = { start: string; end: string };
const range: Range = { start: 'i1_1', end: 'i1_10' };

const createTrade = (assets: Range[], isOfPreviousGeneration = false): AuthorizedTransfer => ({
  salesChannelId: 'c1',
  isOfPreviousGeneration,
  actor: { kind: 'user', id: 'u1' },
  traceparent: '',
  transfer: {
    type: 'TRADE',
    traderId: 't1',
    buyerId: 't2',
    currency: 'EUR',
    idempotencyKey: 'k',
    externalReference: undefined,
    metadata: {},
    assets: assets.map((range) => ({ ...range, unitPrice: toUnitPrice(1) })),
  },
});

const check = async (transfer: AuthorizedTransfer, parties = withHolder(undefined)) =>
  (await checkTransfers({ parties, inventory, accountHolders }, [transfer], providers.call))[0];

test("a trade of the seller's certificates between traders of the channel is accepted", async () => {
  expect(await check(createTrade([range]), traders)).toMatchObject({
    resolved: { assets: [range] },
    accountHolderId: 'h1',
    autoApproval: true,
  });
});

test('a trader of another channel is not found', async () => {
  const key = { salesChannelId: 'c1', traderId: 't3' };
  expect((await traders.find([key], providers.call))(key)).toBeUndefined();
});

test('faults of selections are reported with their locations', async () => {
  expect(await check(createTrade([range, { start: 'i2_1', end: 'i2_10' }]))).toMatchObject({
    code: 'request-refused',
    violations: [{ pointer: '#/assets/1/start', code: 'bundle-start', detail: 'is not listed' }],
  });
});

test('certificates of the previous generation get their issuances', async () => {
  expect(await check(createTrade([{ start: '1', end: '10' }], true))).toMatchObject({ resolved: { assets: [range] } });
});

test('a suspended account holder cannot sell', async () => {
  expect(await check(createTrade([range]), withHolder('h2'))).toMatchObject({
    violations: [{ parameter: 'traderId', code: 'account-holder-suspended' }],
  });
});

test('an unknown account holder must approve', async () => {
  expect(await check(createTrade([range]), withHolder('h3'))).toMatchObject({
    accountHolderId: 'h3',
    autoApproval: false,
  });
});
