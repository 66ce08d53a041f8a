import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@saleschannel/database';
import { newId, systemClock } from '@saleschannel/primitives';
import { asUser, catchFailure, openTestDatabase } from '@saleschannel/testing';
import { settleTransfers } from '../src/operations/settle-transfers.ts';
import { schema } from '../src/store/schema.ts';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { readAllRows, createPageReads, type ChannelListRequest } from './support/pages.ts';
import { holderOf, createOfframp, createRetirement, createTrade } from './support/transfers.ts';

/** References and metadata of sales channels. */

type Filter = NonNullable<ChannelListRequest['filter']>;

let inventory: Inventory;
let pages: ReturnType<typeof createPageReads>;
beforeAll(async () => {
  inventory = await startInventory();
  pages = createPageReads(inventory);
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const administrator = (channel: string) => asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
const readDetail = async ({ channel }: Scene, transactionId: string): Promise<Record<string, unknown>> => {
  const { data } = await inventory.gateway.GetTransactionDetail({ transactionId }, await administrator(channel));
  return JSON.parse(data.toString()) as Record<string, unknown>;
};
const findIds = async ({ channel }: Scene, filter: Filter, descending = false, limit = 100): Promise<unknown[]> =>
  (await readAllRows((after) => pages.channel(channel, { filter, descending }, { limit, after }))).map(({ id }) => id);

test('are shown unchanged with their transaction', async () => {
  const scene = inventory.scene();
  const { seller, buyer, issue } = scene;
  const id = await issue('1', '20');
  const notes = {
    externalReference: 'PO "4711" \\ Ω🌲',
    metadata: { project: 'Fjörd', constructor: '', 'a.b:c-d_e': '{}' },
  };
  const annotated = await inventory.settleTransaction(createTrade(seller, buyer, [[id, 1, 2]], notes));
  expect(await readDetail(scene, annotated)).toMatchObject(notes);
  const alone = await inventory.settleTransaction(createRetirement(seller, [[id, 3, 3]], { metadata: { a: 'b' } }));
  expect(await readDetail(scene, alone)).toMatchObject({ externalReference: null, metadata: { a: 'b' } });
  const withReference = await inventory.settleTransaction(
    createOfframp(seller, [[id, 4, 4]], { externalReference: 'R' }),
  );
  expect(await readDetail(scene, withReference)).toMatchObject({ externalReference: 'R', metadata: {} });
  const plain = await inventory.settleTransaction(createTrade(seller, buyer, [[id, 5, 5]]));
  expect(await readDetail(scene, plain)).toMatchObject({ externalReference: null, metadata: {} });
  const rows = await inventory.service.sql(
    'select transaction_id from transaction_reference where sales_channel_id = $1',
    [scene.channel],
  );
  expect(rows).toHaveLength(3);
});

test('find transactions in any status, order and page size', async () => {
  const scene = inventory.scene();
  const { seller, buyer, issue } = scene;
  const id = await issue('1', '20');
  const metadata = { project: 'Fjord' };
  const needsApproval = { autoApproval: false, accountHolderId: holderOf(seller) };
  const externalReference = newId();
  const sold = await inventory.settleTransaction(
    createTrade(seller, buyer, [[id, 1, 1]], { externalReference, metadata }),
  );
  const back = await inventory.settleTransaction(createTrade(buyer, seller, [[id, 1, 1]], { metadata }));
  const retired = await inventory.settleTransaction(
    createRetirement(seller, [[id, 2, 2]], { metadata: { ...metadata, other: 'x' } }),
  );
  const waiting = await inventory.settleTransaction(
    createTrade(seller, buyer, [[id, 3, 3]], { ...needsApproval, metadata }),
  );
  const rejected = await inventory.settleTransaction(
    createTrade(seller, buyer, [[id, 4, 4]], { ...needsApproval, metadata }),
  );
  await inventory.settleTransaction(createTrade(seller, buyer, [[id, 5, 5]], { metadata: { project: 'Fjord 2' } }));
  await inventory.settleTransaction(createTrade(seller, buyer, [[id, 6, 6]]));
  const all = [sold, back, retired, waiting, rejected];
  const expectAll = async (): Promise<void> => {
    for (const limit of [1, 2, 100]) {
      expect(await findIds(scene, { metadata }, false, limit)).toEqual(all);
      expect(await findIds(scene, { metadata }, true, limit)).toEqual(all.toReversed());
    }
  };
  await expectAll();
  await inventory.reject(rejected);
  await expectAll();
  expect(await findIds(scene, { metadata: { other: 'x' } })).toEqual([retired]);
  expect(await findIds(scene, { metadata, type: 'RETIREMENT' })).toEqual([retired]);
  expect(await findIds(scene, { metadata, type: 'OFFRAMP' })).toEqual([]);
  expect(await findIds(scene, { metadata, status: 'SUCCESS' })).toEqual([sold, back, retired]);
  expect(await findIds(scene, { metadata, status: 'PENDING' })).toEqual([waiting]);
  expect(await findIds(scene, { metadata, status: 'REJECTED', type: 'TRADE' })).toEqual([rejected]);
  expect(await findIds(scene, { metadata, traderId: buyer })).toEqual([sold, back, waiting, rejected]);
  expect(await findIds(scene, { metadata, traderId: buyer, status: 'PENDING' })).toEqual([waiting]);
  expect(await findIds(scene, { metadata: { project: 'fjord' } })).toEqual([]);
  expect(await findIds(scene, { externalReference })).toEqual([sold]);
  expect(
    await findIds(scene, { externalReference, metadata, status: 'SUCCESS', type: 'TRADE', traderId: buyer }),
  ).toEqual([sold]);
  for (const filter of [
    { externalReference, status: 'PENDING' },
    { externalReference, type: 'OFFRAMP' },
    { externalReference, traderId: 'nobody' },
    { externalReference, metadata: { project: 'Fjord 2' } },
    { externalReference, createdAt: { gte: '2999-01-01T00:00:00Z' } },
    { externalReference: 'none' },
    { metadata, createdAt: { gte: '2999-01-01T00:00:00Z' } },
  ])
    expect(await findIds(scene, filter)).toEqual([]);
  const other = inventory.scene();
  expect(await findIds(other, { externalReference })).toEqual([]);
  expect(await findIds(other, { metadata })).toEqual([]);
  const sum = async (filter: Filter): Promise<unknown> => {
    const request = { groupBy: 'vintage', timeZone: 'UTC', filter };
    const { data } = await inventory.gateway.SummarizeTransactions(request, await administrator(scene.channel));
    return JSON.parse(data.toString());
  };
  expect(await sum({ metadata })).toMatchObject([
    { type: 'RETIREMENT', transactions: 1 },
    { type: 'TRADE', transactions: 2 },
  ]);
  expect(await sum({ externalReference })).toMatchObject([{ type: 'TRADE', transactions: 1 }]);
});

test('filter whole lists, whose rows stay the same', async () => {
  const scene = inventory.scene();
  const { seller, buyer, issue } = scene;
  const id = await issue('1', '20');
  const notes = { externalReference: newId(), metadata: { a: 'b' } };
  const annotated = await inventory.settleTransaction(createTrade(seller, buyer, [[id, 1, 1]], notes));
  await inventory.settleTransaction(createTrade(seller, buyer, [[id, 2, 2]]));
  const [row] = (await pages.channel(scene.channel, { filter: { externalReference: notes.externalReference } })).rows;
  expect(row).toMatchObject({ id: annotated });
  expect(Object.keys(row ?? {}).toSorted()).toEqual(
    ['assets', 'buyerId', 'completedAt', 'createdAt', 'currency', 'id', 'sellerId', 'status', 'type'].toSorted(),
  );
});

test.each([
  [{ externalReference: '' }],
  [{ externalReference: 'x'.repeat(101) }],
  [{ externalReference: 'a\u202Eb' }],
  [{ metadata: { a: 'b', c: 'd' } }],
  [{ metadata: { _a: 'b' } }],
  [{ metadata: { a: 'x'.repeat(501) } }],
])('refuses the filter %j', async (filter) => {
  expect(await catchFailure(pages.channel('any', { filter }))).toMatchObject({
    code: 'invalid-request',
    violations: [{ parameter: '$filter' }],
  });
});

test('two replicas with the same transfer store its reference once', async () => {
  const open = (): Promise<Database> => openTestDatabase({ url: inventory.service.databaseUrl, poolMax: 4, ...schema });
  const replicas = [await open(), await open()];
  const scene = inventory.scene();
  const { seller, buyer, issue } = scene;
  const metadata = { a: 'b' };
  for (let round = 0; round < 10; round++) {
    const request = createTrade(seller, buyer, [[await issue(), 1, 10]], { externalReference: newId(), metadata });
    await Promise.all(replicas.map((database) => settleTransfers(database, systemClock, [request])));
    expect(await findIds(scene, { externalReference: request.externalReference })).toHaveLength(1);
  }
  expect(await findIds(scene, { metadata })).toHaveLength(10);
  // References are unique in tasks. After a restore of its database, one may recur for another task.
  const externalReference = newId();
  for (const last of [1, 2])
    await inventory.settleTransaction(
      createTrade(seller, buyer, [[await issue('1', '20'), 1, last]], { externalReference }),
    );
  expect(await findIds(scene, { externalReference })).toHaveLength(2);
  const refused = createTrade(seller, buyer, [[await issue(), 9, 9]], { externalReference: newId(), metadata });
  expect(await inventory.settle(refused)).toMatchObject({ outcome: 'REFUSED' });
  expect(await findIds(scene, { externalReference: refused.externalReference })).toEqual([]);
  for (const database of replicas) await database.stop();
});

test('the largest reference and metadata are stored and found', async () => {
  const scene = inventory.scene();
  const { seller, buyer, issue } = scene;
  const names = Array.from({ length: 20 }, (_, index) => `k${'.'.repeat(37)}${String(index).padStart(2, '0')}`);
  const notes = {
    externalReference: '🌲'.repeat(100),
    metadata: Object.fromEntries(names.map((name) => [name, '🌲'.repeat(500)])),
  };
  const id = await inventory.settleTransaction(createTrade(seller, buyer, [[await issue(), 1, 1]], notes));
  expect(await readDetail(scene, id)).toMatchObject(notes);
  expect(await findIds(scene, { metadata: { [String(names[7])]: '🌲'.repeat(500) } })).toEqual([id]);
});
