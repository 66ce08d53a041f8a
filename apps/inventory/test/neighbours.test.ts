import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { createStatusConsumer } from '../src/neighbours/consumers.ts';
import { createChannelNaming, createNaming, createRegistryNaming, createTradersOf } from '../src/neighbours/holders.ts';
import { createSuspensionCheck } from '../src/neighbours/suspension-check.ts';
import { createTraderCheck } from '../src/neighbours/trader-check.ts';
import { createTraderNames } from '../src/neighbours/trader-names.ts';
import { contract as eventsContract } from './contracts/events.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';
import { contract as tasksContract } from './contracts/tasks.ts';
import { contract as tradersContract } from './contracts/traders.ts';

/** What the ledger makes of answers that say no more than its contracts do. */

let providers: FakeProviders;
let traders: ServiceClient<'traderDirectory'>;
let rbac: ServiceClient<'bindingDirectory'>;
let accountHolders: ServiceClient<'accountHolderDirectory'>;

beforeAll(async () => {
  providers = await startFakeProviders(
    tradersContract,
    rbacContract,
    registryImportContract,
    tasksContract,
    eventsContract,
  );
  traders = await providers.client('traderDirectory');
  rbac = await providers.client('bindingDirectory');
  accountHolders = await providers.client('accountHolderDirectory');
});
afterAll(() => providers.stop());

test('traders of a channel are known from others', async () => {
  const isTrader = createTraderCheck(traders);
  expect(await isTrader('c1', 't2', providers.call)).toBe(true);
  expect(await isTrader('c1', 't3', providers.call)).toBe(false);
});

test('traders have names', async () => {
  const nameOf = await createTraderNames(traders)('c1', ['t1', 't2'], providers.call);
  expect([nameOf('t1'), nameOf('t2')]).toEqual([
    { id: 't1', name: 'One' },
    { id: 't2', name: 'Two' },
  ]);
});

test('a suspension is found, of the channel and of the account holder behind a trader', async () => {
  const find = createSuspensionCheck({ rbac, accountHolders, traders });
  const parties = { salesChannelId: 'c1', traderIds: ['t1', 't2'] };
  expect(await find(parties, providers.call)).toBeUndefined();
  // Of the others no more is needed than what they say of suspensions.
  const ofHolder = { GetParties: async () => ({ parties: [{ accountHolderId: 'h2' }] }) } as unknown as typeof traders;
  const findBehind = createSuspensionCheck({ rbac, accountHolders, traders: ofHolder });
  expect(await findBehind(parties, providers.call)).toBe('account holder');
  expect(await findBehind({ ...parties, salesChannelId: 'c2' }, providers.call)).toBe('sales channel');
});

test('an account holder sees the traders that it has become, and names', async () => {
  const tradersOf = createTradersOf(traders);
  expect(await tradersOf('h1', providers.call)).toMatchObject([{ salesChannelId: 'c1', traderId: 't1' }]);
  expect(await tradersOf('h2', providers.call)).toEqual([]);
  const transactions = [{ salesChannelId: 'c1', sellerId: 't1', buyerId: 't2' }];
  const names = await createNaming({ rbac, accountHolders, traders })('h1', transactions, providers.call);
  expect(Object.fromEntries(names)).toEqual({ h1: 'Havkalk', t1: 'One', t2: 'Two', c1: 'Nordic' });
});

test('a sales channel sees the names of its traders, the registry those of account holders alone', async () => {
  const transactions = [{ salesChannelId: 'c1', sellerId: 't1', buyerId: 't2' }];
  const ofChannel = await createChannelNaming(traders)(transactions, providers.call);
  expect(Object.fromEntries(ofChannel)).toEqual({ t1: 'One', t2: 'Two' });
  const ofRegistry = await createRegistryNaming({ accountHolders, traders })(transactions, providers.call);
  expect(Object.fromEntries(ofRegistry)).toEqual({ t1: 'Havkalk' });
});

test.each([
  ['tasks', 'c1'],
  ['events', 'c2'],
] as const)('%s tell how far they have come', async (name, channel) => {
  const consumer = createStatusConsumer(name, await providers.client('ledgerProgress', name));
  const progress = await consumer.progress(channel, providers.call.signal);
  expect(progress.get(channel)).toEqual({ upto: 1n, highest: 3n, gaps: [{ first: 2n, last: 2n }] });
});
