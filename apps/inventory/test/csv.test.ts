import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SentTo } from '@saleschannel/grpc';
import { asUser, collect } from '@saleschannel/testing';
import { asHolder } from './support/holders.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { channelOf, holderOf, createRetirement, createTrade } from './support/transfers.ts';

/** Lists as CSV have the same rows as in JSON, with the same digits. */

let inventory: Inventory;
let scene: Scene;
beforeAll(async () => {
  inventory = await startInventory();
  scene = inventory.scene();
  const { seller, buyer } = scene;
  // The widest serials, with leading zeros.
  await scene.issue('00707057500123456789000000000000000101', '00707057500123456789000000000000000199');
  const recent = await scene.issue('1', '20');
  const selection = [recent, 1, 2] as const;
  await inventory.settleTransaction(createTrade(seller, buyer, [[...selection]]));
  await inventory.settleTransaction(createRetirement(seller, [[recent, 3, 3]]));
  await inventory.settleTransaction(createRetirement(seller, [[recent, 4, 5]]));
});
afterAll(() => inventory.stop());

const asViewer = () => asUser(channelOf(scene.seller), ['ASSET_VIEWER', 'TRANSACTION_ADMINISTRATOR']);
type Format = SentTo<'inventory.ListInventory'>['format'];
const csvFormat: Format = 'LIST_FORMAT_CSV';

interface ReadList {
  readonly text: string;
  readonly format: string;
  readonly version?: string;
  readonly next?: string;
}
interface Chunk {
  readonly data: Buffer;
  readonly format: string;
  readonly version?: string;
  readonly next?: string;
}
function readFrom(chunks: readonly Chunk[]): ReadList {
  const [first] = chunks;
  if (!first) throw new Error('the list has no chunk');
  return { ...first, text: Buffer.concat(chunks.map(({ data }) => data)).toString() };
}

const lists = {
  async assets(format?: Format): Promise<ReadList> {
    const request = { traderId: scene.seller, ...(format && { format }) };
    return readFrom(await collect(inventory.gateway.ListInventory(request, await asViewer())));
  },
  async assetPage(format?: Format, after?: string): Promise<ReadList> {
    const page = { limit: 1, offset: '0', ...(after && { after }) };
    const request = { traderId: scene.seller, page, ...(format && { format }) };
    return readFrom([await inventory.gateway.PageInventory(request, await asViewer())]);
  },
  transactions: async (format?: Format): Promise<ReadList> =>
    readFrom(await collect(inventory.gateway.ListTransactions({ ...(format && { format }) }, await asViewer()))),
  async transactionPage(format?: Format, after?: string): Promise<ReadList> {
    const page = { limit: 2, offset: '0', ...(after && { after }) };
    return readFrom(
      await collect(inventory.gateway.PageTransactions({ page, ...(format && { format }) }, await asViewer())),
    );
  },
};

/** Parses JSON with numbers as text, in their original digits. */
const parseExact = (text: string): Record<string, string | null>[] =>
  JSON.parse(text.replaceAll(/":(\d[\d.]*)/g, '":"$1"')) as Record<string, string | null>[];
/** Fields of these tests need no quotes. */
function parseCsv(text: string): Record<string, string | null>[] {
  expect(text.endsWith('\r\n')).toBe(true);
  const [header = '', ...records] = text.slice(0, -2).split('\r\n');
  const names = header.split(',');
  return records.map((record) => {
    const fields = record.split(',');
    expect(fields).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, index) => [name, fields[index] || null]));
  });
}

describe('an inventory', () => {
  test('has one record per bundle, with the members and digits of JSON', async () => {
    const [asJson, asCsv] = [await lists.assets(), await lists.assets(csvFormat)];
    const expected = parseExact(asJson.text);
    expect(expected.some(({ start }) => start?.includes('_00707057500123456789'))).toBe(true);
    expect(parseCsv(asCsv.text)).toEqual(expected);
    expect(asCsv.text.split('\r\n')[0]).toBe(Object.keys(expected[0] ?? {}).join(','));
    expect([asJson.format, asCsv.format]).toEqual(['LIST_FORMAT_UNSPECIFIED', csvFormat]);
  });

  test('has another version than JSON', async () => {
    const [asJson, asCsv] = [await lists.assets(), await lists.assets(csvFormat)];
    expect(asCsv.version).toBeDefined();
    expect(asCsv.version).not.toBe(asJson.version);
    expect((await lists.assets(csvFormat)).version).toBe(asCsv.version);
    for (const [version, unchanged] of [
      [asCsv.version, true],
      [asJson.version, false],
    ] as const) {
      const known = { versions: [String(version)], any: false };
      const request = { traderId: scene.seller, format: csvFormat, known };
      const [chunk] = await collect(inventory.gateway.ListInventory(request, await asViewer()));
      expect(chunk?.unchanged).toBe(unchanged);
    }
    const [one, other] = [await lists.assetPage(), await lists.assetPage(csvFormat)];
    expect(one.version).not.toBe(other.version);
  });

  test('has pages with header records, and cursors that work in both formats', async () => {
    const first = await lists.assetPage(csvFormat);
    const second = await lists.assetPage(csvFormat, first.next);
    expect([...parseCsv(first.text), ...parseCsv(second.text)]).toEqual(
      parseCsv((await lists.assets(csvFormat)).text).slice(0, 2),
    );
    expect(parseExact((await lists.assetPage(undefined, first.next)).text)).toEqual(parseCsv(second.text));
  });

  test('is only a header record if it is empty', async () => {
    const other = inventory.scene();
    const request = { traderId: other.buyer, format: csvFormat };
    const options = await asUser(channelOf(other.buyer), ['ASSET_VIEWER']);
    const { text } = readFrom(await collect(inventory.gateway.ListInventory(request, options)));
    expect(text).toMatch(/^volume,[\w,]+,end\r\n$/);
  });
});

const flatten = (text: string) =>
  (parseExact(text) as unknown as ({ assets: Record<string, string | null>[] } & Record<string, string>)[]).flatMap(
    ({ assets, ...transaction }) => assets.map((asset) => ({ ...transaction, ...asset })),
  );

describe('transactions', () => {
  test('have one record per asset', async () => {
    const expected = flatten((await lists.transactions()).text);
    expect(expected.length).toBeGreaterThan(2);
    expect(expected.some(({ unitPrice }) => unitPrice?.includes('.'))).toBe(true);
    expect(parseCsv((await lists.transactions(csvFormat)).text)).toEqual(expected);
  });

  test('have pages', async () => {
    const first = await lists.transactionPage(csvFormat);
    expect(first.format).toBe(csvFormat);
    const second = await lists.transactionPage(csvFormat, first.next);
    expect([...parseCsv(first.text), ...parseCsv(second.text)]).toEqual(flatten((await lists.transactions()).text));
  });
});

describe('an account holder', () => {
  const holder = () => asHolder(holderOf(scene.seller));
  const format = { format: csvFormat };
  const [limit, offset] = [1, '0'];

  test('has one record per bundle, with the members and digits of JSON, whole and in pages', async () => {
    const { holders } = inventory;
    const expected = parseExact(readFrom(await collect(holders.ListHoldings({}, await holder()))).text);
    expect(new Set(expected.map(({ state }) => state))).toEqual(new Set(['LISTED', 'RETIRED']));
    const whole = readFrom(await collect(holders.ListHoldings(format, await holder())));
    expect(parseCsv(whole.text)).toEqual(expected);
    expect(whole.text.split('\r\n')[0]).toBe(Object.keys(expected[0] ?? {}).join(','));
    const first = readFrom([await holders.PageHoldings({ ...format, page: { limit, offset } }, await holder())]);
    expect([first.format, parseCsv(first.text)]).toEqual([csvFormat, expected.slice(0, limit)]);
  });

  test('has one record per asset of its transactions, whole and in pages', async () => {
    const { holders } = inventory;
    const asJson = JSON.parse(
      readFrom(await collect(holders.ListHolderTransactions({}, await holder()))).text,
    ) as object[];
    const expected = flatten(JSON.stringify(asJson.map((transaction) => ({ ...transaction, retirement: undefined }))));
    const whole = readFrom(await collect(holders.ListHolderTransactions(format, await holder())));
    expect(parseCsv(whole.text)).toEqual(expected);
    const page = { page: { limit, offset } };
    const first = readFrom(await collect(holders.PageHolderTransactions({ ...format, ...page }, await holder())));
    expect([first.format, first.next]).toEqual([csvFormat, expect.any(String)]);
    expect(whole.text.startsWith(first.text)).toBe(true);
  });
});
