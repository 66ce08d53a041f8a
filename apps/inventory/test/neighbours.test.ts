import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import {
  createChannelNameLookUp,
  createHolderNameLookUp,
  createRegistryNameLookUp,
  createTraderCheck,
  createTraderNameLookUp,
  createHolderTraderLookUp,
  createSuspensionCheck,
} from '../src/neighbours/parties.ts';
import { createStatusConsumer } from '../src/operations/reconcile.ts';
import { contract as eventsContract } from './contracts/events.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';
import { contract as tasksContract } from './contracts/tasks.ts';
import { contract as tradersContract } from './contracts/traders.ts';

/** The code of the ledger that calls other services, against answers that its contracts promise. */

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

test('recognizes traders of a sales channel', async () => {
  const isTrader = createTraderCheck(traders);
  expect(await isTrader('c1', 't2', providers.call)).toBe(true);
  expect(await isTrader('c1', 't3', providers.call)).toBe(false);
});

test('looks up names of traders', async () => {
  const nameOf = await createTraderNameLookUp(traders)('c1', ['t1', 't2'], providers.call);
  expect([nameOf('t1'), nameOf('t2')]).toEqual([
    { id: 't1', name: 'One' },
    { id: 't2', name: 'Two' },
  ]);
});

test('finds suspensions of sales channels, and of account holders of traders', async () => {
  const find = createSuspensionCheck({ rbac, accountHolders, traders });
  const parties = { salesChannelId: 'c1', traderIds: ['t1', 't2'] };
  expect(await find(parties, providers.call)).toBeUndefined();
  const tradersOfSuspended = {
    GetParties: async () => ({ parties: [{ accountHolderId: 'h2' }] }),
  } as unknown as typeof traders;
  const findForSuspended = createSuspensionCheck({ rbac, accountHolders, traders: tradersOfSuspended });
  expect(await findForSuspended(parties, providers.call)).toBe('account holder');
  expect(await findForSuspended({ ...parties, salesChannelId: 'c2' }, providers.call)).toBe('sales channel');
});

test('finds the traders of an account holder, and the names that it sees', async () => {
  const tradersOf = createHolderTraderLookUp(traders);
  expect(await tradersOf('h1', providers.call)).toMatchObject([{ salesChannelId: 'c1', traderId: 't1' }]);
  expect(await tradersOf('h2', providers.call)).toEqual([]);
  const transactions = [{ salesChannelId: 'c1', sellerId: 't1', buyerId: 't2' }];
  const names = await createHolderNameLookUp({ rbac, accountHolders, traders })('h1', transactions, providers.call);
  expect(Object.fromEntries(names)).toEqual({ h1: 'Havkalk', t1: 'One', t2: 'Two', c1: 'Nordic' });
});

test('names traders for their sales channel, and only account holders for the registry', async () => {
  const transactions = [{ salesChannelId: 'c1', sellerId: 't1', buyerId: 't2' }];
  const channelNames = await createChannelNameLookUp(traders)(transactions, providers.call);
  expect(Object.fromEntries(channelNames)).toEqual({ t1: 'One', t2: 'Two' });
  const registryNames = await createRegistryNameLookUp({ accountHolders, traders })(transactions, providers.call);
  expect(Object.fromEntries(registryNames)).toEqual({ t1: 'Havkalk' });
});

test.each([
  ['tasks', 'c1'],
  ['events', 'c2'],
] as const)('reads the progress of %s', async (name, channel) => {
  const consumer = createStatusConsumer(name, await providers.client('ledgerProgress', name));
  const progress = await consumer.readProgress(channel, providers.call.signal);
  expect(progress.get(channel)).toEqual({ upto: 1n, highest: 3n, gaps: [{ first: 2n, last: 2n }] });
});
