import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asRegistry, asUser, collect } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { readStreamedPage } from './support/pages.ts';
import { createTrade, type Part } from './support/transfers.ts';

/** Lists of transactions with the maximum number of lines. */

const LINES = 1_000;
const TRANSACTIONS = 4;
/** A chunk, and one transaction with its lines. */
const MAX_CHUNK_BYTES = 64 * 1024 + LINES * 200;

let inventory: Inventory;
let channel: string;
const ids: string[] = [];
beforeAll(async () => {
  inventory = await startInventory();
  const scene = inventory.scene();
  channel = scene.channel;
  const issuance = await scene.issue('1', String(LINES * TRANSACTIONS));
  for (let count = 0; count < TRANSACTIONS; count++) {
    const parts = Array.from({ length: LINES }, (_, line): Part => {
      const serial = count * LINES + line + 1;
      return [issuance, serial, serial];
    });
    ids.push(await inventory.settleTransaction(createTrade(scene.seller, scene.buyer, parts)));
  }
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const administrator = () => asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
const page = { limit: 100, offset: 0 };

const lists: Record<string, () => Promise<AsyncIterable<{ data: Buffer }>>> = {
  'the whole list of a sales channel': async () => inventory.gateway.ListTransactions({}, await administrator()),
  'a page of a sales channel': async () => inventory.gateway.PageTransactions({ page }, await administrator()),
  'a page of the registry': async () =>
    inventory.registryGateway.ListRegistryTransactions({ page, type: 'TRADE' }, await asRegistry()),
};

test.each(Object.entries(lists))('%s comes complete, in small chunks', async (_name, list) => {
  const chunks = await collect(await list());
  expect(chunks.length).toBeGreaterThan(TRANSACTIONS);
  for (const { data } of chunks) expect(data.length).toBeLessThan(MAX_CHUNK_BYTES);
  const { rows } = await readStreamedPage(toStream(chunks));
  expect(rows.map(({ id, transactionId }) => id ?? transactionId)).toEqual(ids);
  for (const { assets } of rows) expect(assets).toHaveLength(LINES);
});

async function* toStream<T>(messages: readonly T[]): AsyncGenerator<T> {
  yield* messages;
}
