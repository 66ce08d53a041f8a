import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asRegistry, asUser, smallestPools, proveOwnConnections } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { readJson, startInventory, type Inventory } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { createTrade } from './support/transfers.ts';

/** Slow or many reads of one sales channel do not affect others. */

let inventory: Inventory;
const LARGE = 1_500;
const SLOW_READERS = 40;
const DEEP_PAGES = 60;
/** Creating these bundles can be slow on a busy machine. */
const SETUP_TIMEOUT_MS = 120_000;

beforeAll(async () => {
  inventory = await startInventory();
  const listed = { salesChannelId: 'slow', traderId: 'slow-a' };
  for (let at = 0; at < LARGE; at += 500) {
    await inventory.applyIssuances(...Array.from({ length: 500 }, () => createIssuance('h', listed)));
  }
}, SETUP_TIMEOUT_MS);
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const tradeBetween = async (seller: string, buyer: string, issuanceId: string, first = 1): Promise<void> => {
  for (const serial of [first, first + 1, first + 2]) {
    expect(await inventory.settle(createTrade(seller, buyer, [[issuanceId, serial, serial]]))).toMatchObject({
      outcome: 'SUCCESS',
    });
  }
};

/** Starts to read a list, then stalls. */
async function startStalledReader(): Promise<AsyncIterator<{ data: Buffer }> | undefined> {
  const chunks = inventory.gateway.ListInventory({ traderId: 'slow-a' }, await asUser('slow', ['ASSET_VIEWER']));
  const reader = chunks[Symbol.asyncIterator]();
  const first = await reader.next().catch(() => undefined);
  return first && reader;
}

test('stalled readers do not block lists and trades of another channel', async () => {
  const readers = await Promise.all(Array.from({ length: SLOW_READERS }, startStalledReader));
  const stalled = readers.filter((reader) => reader !== undefined);
  // The limit per channel. A list that fits into the buffers ends and makes room for another.
  expect(stalled.length).toBeGreaterThanOrEqual(32);
  const [now] = await inventory.service.sql<{ text: string }>('select clock_timestamp()::text as text');
  const { channel, seller, buyer, issue } = inventory.scene();
  const issuanceId = await issue();
  await tradeBetween(seller, buyer, issuanceId);
  const lists = await Promise.all(Array.from({ length: 20 }, () => inventory.list(seller)));
  for (const bundles of lists) expect(bundles).toMatchObject([{ start: `${issuanceId}_4` }]);
  const options = await asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
  expect(await readJson(inventory.gateway.ListTransactions({}, options))).toHaveLength(3);
  // Later transactions belong to jobs and trades, which end by themselves.
  const idle = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and xact_start < $1::timestamptz`;
  expect(await inventory.service.sql(idle, [now?.text])).toEqual([{ count: 0 }]);
  await Promise.all(stalled.map((reader) => reader.return?.()));
});

test('sixty concurrent deep pages of a registry key do not block reads and trades of another channel', async () => {
  const { channel, seller, buyer, issue } = inventory.scene();
  const issuanceId = await issue();
  const transactionId = await inventory.settleTransaction(createTrade(seller, buyer, [[issuanceId, 1, 1]]));
  const registry = await asRegistry();
  const deep = Array.from({ length: DEEP_PAGES }, () =>
    inventory.registryGateway.ListCertificates({ page: { limit: 100, offset: 1_200 } }, registry),
  );
  const options = await asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
  const reads = Array.from({ length: 15 }, () => inventory.gateway.GetTransaction({ transactionId }, options));
  for (const { data } of await Promise.all(reads))
    expect(JSON.parse(data.toString())).toMatchObject({ status: 'SUCCESS' });
  await tradeBetween(seller, buyer, issuanceId, 2);
  for (const { data } of await Promise.all(deep)) expect(JSON.parse(data.toString())).toHaveLength(100);
});

test('transfers settle while calls hold all of their connections', async () => {
  const small = await startInventory(smallestPools);
  try {
    const { seller, buyer, issue } = small.scene();
    const issuanceId = await issue();
    await proveOwnConnections({
      service: small.service,
      table: 'bundle',
      call: () => small.list(seller),
      work: () => small.settleTransaction(createTrade(seller, buyer, [[issuanceId, 1, 4]])),
    });
  } finally {
    await small.stop();
  }
});
