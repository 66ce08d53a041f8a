import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asRegistry, asUser } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { jsonOf, startInventory, type Inventory } from './support/inventory.ts';
import { issuanceOf } from './support/issuances.ts';
import { tradeOf } from './support/transfers.ts';

/** One channel's slow or many reads do not touch another's. */

let inventory: Inventory;
const LARGE = 1_500;
const SLOW_READERS = 40;
const DEEP_PAGES = 60;
/** Making that many bundles may take long on a busy machine. */
const PREPARING_AT_MOST_MS = 120_000;

beforeAll(async () => {
  inventory = await startInventory();
  const listed = { salesChannelId: 'slow', traderId: 'slow-a' };
  for (let at = 0; at < LARGE; at += 500) {
    await inventory.applyIssuances(...Array.from({ length: 500 }, () => issuanceOf('h', listed)));
  }
}, PREPARING_AT_MOST_MS);
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const tradesBetween = async (seller: string, buyer: string, issuanceId: string, first = 1): Promise<void> => {
  for (const serial of [first, first + 1, first + 2]) {
    expect(await inventory.settle(tradeOf(seller, buyer, [[issuanceId, serial, serial]]))).toMatchObject({
      said: 'SUCCESS',
    });
  }
};

/** Begins to read a list and stops. */
async function slowReader(): Promise<AsyncIterator<{ data: Buffer }> | undefined> {
  const pieces = inventory.gateway.ListInventory({ traderId: 'slow-a' }, await asUser('slow', ['ASSET_VIEWER']));
  const reader = pieces[Symbol.asyncIterator]();
  const first = await reader.next().catch(() => undefined);
  return first && reader;
}

test('readers that stand still hold nothing that another channel needs to list and to trade', async () => {
  const readers = await Promise.all(Array.from({ length: SLOW_READERS }, slowReader));
  const standing = readers.filter((reader) => reader !== undefined);
  // So many of one channel are let in at once. One whose list went out whole, into what lies between, makes room.
  expect(standing.length).toBeGreaterThanOrEqual(32);
  const [now] = await inventory.service.sql<{ text: string }>('select clock_timestamp()::text as text');
  const { channel, seller, buyer, issue } = inventory.scene();
  const issuanceId = await issue();
  await tradesBetween(seller, buyer, issuanceId);
  const lists = await Promise.all(Array.from({ length: 20 }, () => inventory.list(seller)));
  for (const bundles of lists) expect(bundles).toMatchObject([{ start: `${issuanceId}_4` }]);
  const options = await asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
  expect(await jsonOf(inventory.gateway.ListTransactions({}, options))).toHaveLength(3);
  // Those that began since are of a job or a trade, which end by themselves.
  const idle = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and xact_start < $1::timestamptz`;
  expect(await inventory.service.sql(idle, [now?.text])).toEqual([{ count: 0 }]);
  await Promise.all(standing.map((reader) => reader.return?.()));
});

test('sixty deep pages of one registry key at once leave another channel its point reads and its trades', async () => {
  const { channel, seller, buyer, issue } = inventory.scene();
  const issuanceId = await issue();
  const transactionId = await inventory.transact(tradeOf(seller, buyer, [[issuanceId, 1, 1]]));
  const registry = await asRegistry();
  const deep = Array.from({ length: DEEP_PAGES }, () =>
    inventory.registryGateway.ListCertificates({ page: { limit: 100, offset: 1_200 } }, registry),
  );
  const options = await asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
  const reads = Array.from({ length: 15 }, () => inventory.gateway.GetTransaction({ transactionId }, options));
  for (const { data } of await Promise.all(reads))
    expect(JSON.parse(data.toString())).toMatchObject({ status: 'SUCCESS' });
  await tradesBetween(seller, buyer, issuanceId, 2);
  for (const { data } of await Promise.all(deep)) expect(JSON.parse(data.toString())).toHaveLength(100);
});
