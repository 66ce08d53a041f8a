import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { toUnitPrice } from '@saleschannel/primitives';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { createAccountHolders, type AccountHolders } from '../src/neighbours/account-holders.ts';
import { createParties, type Parties } from '../src/neighbours/parties.ts';
import type { AdmittedTransfer } from '../src/operations/admit-transfer.ts';
import { checkTransfers } from '../src/operations/check-transfers.ts';
import { contract as inventoryContract } from './contracts/inventory.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';
import { contract as tradersContract } from './contracts/traders.ts';

/** What tasks makes of answers that say no more than its contracts do. */

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

/** Traders whose account holder is known already. */
const withHolder = (accountHolderId: string | undefined): Parties => ({
  find: () => Promise.resolve(() => ({ accountHolderId })),
});

type Range = { start: string; end: string };
const named: Range = { start: 'i1_1', end: 'i1_10' };

const tradeOf = (assets: Range[], isOfPreviousGeneration = false): AdmittedTransfer => ({
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

const check = async (transfer: AdmittedTransfer, parties = withHolder(undefined)) =>
  (await checkTransfers({ parties, inventory, accountHolders }, [transfer], providers.call))[0];

test('a trade between traders of the channel, of certificates that the seller has, goes on', async () => {
  expect(await check(tradeOf([named]), traders)).toMatchObject({
    named: { assets: [named] },
    accountHolderId: 'h1',
    autoApproval: true,
  });
});

test('a trader of another channel is none', async () => {
  const key = { salesChannelId: 'c1', traderId: 't3' };
  expect((await traders.find([key], providers.call))(key)).toBeUndefined();
});

test('faults of selections are told at their places', async () => {
  expect(await check(tradeOf([named, { start: 'i2_1', end: 'i2_10' }]))).toMatchObject({
    code: 'request-refused',
    violations: [{ pointer: '#/assets/1/start', code: 'bundle-start', detail: 'is not listed' }],
  });
});

test('certificates of the previous generation get the names of their issuances', async () => {
  expect(await check(tradeOf([{ start: '1', end: '10' }], true))).toMatchObject({ named: { assets: [named] } });
});

test('a suspended account holder gives nothing', async () => {
  expect(await check(tradeOf([named]), withHolder('h2'))).toMatchObject({
    violations: [{ parameter: 'traderId', code: 'account-holder-suspended' }],
  });
});

test('an account holder that is not known any more is asked to approve', async () => {
  expect(await check(tradeOf([named]), withHolder('h3'))).toMatchObject({ accountHolderId: 'h3', autoApproval: false });
});
