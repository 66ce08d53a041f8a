import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { SentTo } from '@saleschannel/grpc';
import { computeTotalPrice } from '@saleschannel/primitives';
import { asRegistry, asUser, collect, catchFailure } from '@saleschannel/testing';
import { asHolder } from './support/holders.ts';
import { startInventory, readText, type Inventory, type Scene } from './support/inventory.ts';
import type { Document } from './support/pages.ts';
import { holderOf, nameOf, createRetirement, createTrade } from './support/transfers.ts';

/** `$expand` adds members as in the detail of a transaction, and none that the reader may not see. */

const everything = ['names', 'reference', 'metadata', 'retirement', 'totals'];

let inventory: Inventory;
let scene: Scene;
let trade: string;
let retirement: string;
const notes = { externalReference: '=1+1', metadata: { project: 'Fjörd, "north"', zone: '2' } };
beforeAll(async () => {
  inventory = await startInventory();
  scene = inventory.scene();
  const { seller, buyer } = scene;
  const id = await scene.issue('1', '3000000');
  const [first, second] = [createTrade(seller, buyer, [[id, 1, 3]]), createTrade(seller, buyer, [[id, 4, 2000000]])];
  const prices = ['0.1', '1000000000'];
  const assets = [...first.assets, ...second.assets].map((asset, index) => ({
    ...asset,
    unitPrice: prices[index] ?? null,
  }));
  trade = await inventory.settleTransaction({ ...first, ...notes, assets, accountHolderId: holderOf(seller) });
  retirement = await inventory.settleTransaction(createRetirement(seller, [[id, 2000001, 2000002]]));
});
afterAll(() => inventory.stop());

type Request = SentTo<'inventory.ListTransactions'>;
const user = () => asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
const page = { limit: 100, offset: '0' };

const readers = {
  channel: async (request: Request) => readText(inventory.gateway.ListTransactions(request, await user())),
  channelPage: async (request: Request) =>
    readText(inventory.gateway.PageTransactions({ ...request, page }, await user())),
  holder: async (request: Request) =>
    readText(inventory.holders.ListHolderTransactions(request as object, await asHolder(holderOf(scene.seller)))),
  holderPage: async (request: Request) =>
    readText(
      inventory.holders.PageHolderTransactions(
        { ...(request as object), page },
        await asHolder(holderOf(scene.seller)),
      ),
    ),
  registry: async ({ expand, format }: Request) => {
    const registryRequest = {
      ...(expand && { expand }),
      ...(format && { format }),
      accountHolderId: holderOf(scene.seller),
      page,
    };
    return readText(inventory.registryGateway.ListRegistryTransactions(registryRequest, await asRegistry()));
  },
};
const readRows = async (reader: keyof typeof readers, request: Request): Promise<Document[]> =>
  JSON.parse(await readers[reader](request)) as Document[];
const toId = (row: Document | undefined): unknown => row?.['id'] ?? row?.['transactionId'];
const findRow = (rows: readonly Document[], id: string): Document => {
  const row = rows.find((each) => toId(each) === id);
  if (!row) throw new Error(`${id} is not listed`);
  return row;
};
const readDetail = async (transactionId: string): Promise<Document> => {
  const { data } = await inventory.gateway.GetTransactionDetail({ transactionId }, await user());
  return JSON.parse(data.toString()) as Document;
};

describe.each(['channel', 'channelPage'] as const)('%s', (reader) => {
  test('adds the members of the detail', async () => {
    const rows = await readRows(reader, { expand: everything });
    for (const id of [trade, retirement]) {
      const { sellerName, buyerName, ...row } = findRow(rows, id);
      const detail = await readDetail(id);
      expect(row).toEqual(Object.fromEntries(Object.keys(row).map((name) => [name, detail[name]])));
      const [seller, buyer] = [detail['seller'], detail['buyer']] as ({ name: string } | null)[];
      expect([sellerName, buyerName]).toEqual([seller?.name, buyer?.name ?? null]);
    }
    expect(findRow(rows, trade)).toMatchObject({ ...notes, sellerName: nameOf(scene.seller), retirement: null });
    expect(findRow(rows, retirement)).toMatchObject({
      externalReference: null,
      metadata: {},
      retirement: { beneficiaryName: 'Ada', retirementPurpose: 'Travel' },
      totals: { volume: 2, price: null, currency: null },
    });
  });

  test.each(everything)(
    'adds only the members of %s, and leaves the others identical byte for byte',
    async (expansion) => {
      const plain = await readRows(reader, {});
      const rows = await readRows(reader, { expand: [expansion] });
      const added = new Set(rows.flatMap((row) => Object.keys(row)).filter((name) => !(name in (plain[0] ?? {}))));
      expect([...added]).toEqual(
        {
          names: ['sellerName', 'buyerName'],
          reference: ['externalReference'],
          metadata: ['metadata'],
          retirement: ['retirement'],
          totals: ['totals'],
        }[expansion],
      );
      const without = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !added.has(name))));
      expect(without).toEqual(plain);
      expect(await readers[reader]({ expand: [] })).toBe(await readers[reader]({}));
    },
  );
});

test('totals are exact, beyond the precision of a double', async () => {
  const { totals } = findRow(await readRows('channel', { expand: ['totals'] }), trade);
  // 3 × 0.1 + 1,999,997 × 1,000,000,000
  expect(totals).toEqual({ volume: 2000000, price: '1999997000000000.3', currency: 'EUR' });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.bigInt(0n, 10n ** 15n), fc.bigInt(1n, 10n ** 12n)), { minLength: 1, maxLength: 20 }),
      (lines) => {
        const text = (micros: bigint): string => {
          const fraction = String(micros % 1_000_000n).padStart(6, '0');
          const whole = String(micros / 1_000_000n);
          return fraction === '000000' ? whole : `${whole}.${fraction}`.replace(/0{1,5}$/, '');
        };
        const sum = lines.reduce((total, [micros, volume]) => total + micros * volume, 0n);
        expect(computeTotalPrice(lines.map(([micros, volume]) => ({ unitPrice: text(micros), volume })))).toBe(
          text(sum),
        );
      },
    ),
  );
  expect(
    computeTotalPrice([
      { unitPrice: '1', volume: 1n },
      { unitPrice: null, volume: 1n },
    ]),
  ).toBeUndefined();
});

test('the registry sees names of account holders, and neither registry nor holders see notes', async () => {
  const shared = ['names', 'retirement', 'totals'];
  const registry = findRow(await readRows('registry', { expand: shared }), trade);
  expect(registry).toMatchObject({
    sellerName: `Holder ${holderOf(scene.seller)}`,
    buyerName: `Holder ${holderOf(scene.buyer)}`,
    totals: { volume: 2000000 },
  });
  expect(registry).not.toHaveProperty('externalReference');
  expect(await readers.registry({ expand: [] })).not.toContain('Name":"Holder');
  for (const reader of ['holder', 'holderPage'] as const) {
    const rows = await readRows(reader, { expand: shared });
    const plain = findRow(await readRows(reader, {}), trade);
    expect(findRow(rows, trade)).toEqual({ ...plain, totals: expect.objectContaining({ volume: 2000000 }) });
  }
  for (const reader of ['holder', 'holderPage', 'registry'] as const) {
    for (const own of ['reference', 'metadata', 'price']) {
      const refused = await catchFailure(readers[reader]({ expand: [own] }));
      expect(refused).toMatchObject({ violations: [{ parameter: '$expand' }] });
    }
  }
  const unknown = await catchFailure(readers.channel({ expand: ['names', 'price'] }));
  expect(unknown).toMatchObject({ violations: [{ parameter: '$expand', code: 'enum' }] });
});

test('another sales channel sees neither the transactions nor the names', async () => {
  const other = await asUser(inventory.scene().channel, ['TRANSACTION_ADMINISTRATOR']);
  expect(await readText(inventory.gateway.ListTransactions({ expand: everything }, other))).toBe('[]');
});

test('names are looked up once per page', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const id = await issue('1', '10');
  for (let serial = 1; serial <= 5; serial++)
    await inventory.settleTransaction(createTrade(seller, buyer, [[id, serial, serial]]));
  const [options, before] = [
    await asUser(seller.split('-')[0] ?? '', ['TRANSACTION_ADMINISTRATOR']),
    inventory.nameLookUps.length,
  ];
  await collect(inventory.gateway.PageTransactions({ expand: ['names'], page }, options));
  expect(inventory.nameLookUps.slice(before).map((keys) => keys.toSorted())).toEqual([[buyer, seller].toSorted()]);
  await collect(inventory.gateway.PageTransactions({ expand: ['totals'], page }, options));
  expect(inventory.nameLookUps).toHaveLength(before + 1);
});

describe('CSV', () => {
  const format = 'LIST_FORMAT_CSV' as const;

  test('has one record per line, with separate columns for names, notes, beneficiary and totals', async () => {
    const [plain, expanded] = [
      await readers.channel({ format }),
      await readers.channel({ format, expand: everything }),
    ];
    const [header, ...records] = expanded.split('\r\n');
    const added =
      'sellerName,buyerName,externalReference,metadata,beneficiaryName,beneficiaryLocation,beneficiaryType,' +
      'consumptionCountryCode,usageType,consumptionPeriodStart,consumptionPeriodEnd,retirementPurpose,totalVolume,' +
      'totalPrice';
    expect(header).toBe(`${plain.split('\r\n')[0]},${added}`);
    const { project, zone } = notes.metadata;
    const metadata = `"${JSON.stringify({ zone, project }).replaceAll('"', '""')}"`;
    const names = [scene.seller, scene.buyer].map(nameOf).join(',');
    const written = `,${names},'=1+1,${metadata},,,,,,,,,2000000,1999997000000000.3`;
    expect(records.filter((record) => record.startsWith(trade)).map((record) => record.endsWith(written))).toEqual([
      true,
      true,
    ]);
    expect(records.find((record) => record.startsWith(retirement))).toMatch(
      /,,,,Ada,London,END_CONSUMER,GB,DISCLOSURE,2024-01-01T00:00:00.000Z,2024-12-31T00:00:00.000Z,Travel,2,$/,
    );
  });

  test('of account holders and the registry has totals too, and the same rows as JSON', async () => {
    const holder = await readers.holder({ format, expand: ['retirement', 'totals'] });
    expect(holder.split('\r\n')[0]).toMatch(/,volume,beneficiaryName,.*,retirementPurpose,totalVolume,totalPrice$/);
    const [header, ...records] = (await readers.registry({ format })).split('\r\n');
    expect(header).toBe(
      'transactionId,type,status,salesChannelId,sellerId,buyerId,createdAt,completedAt,currency,' +
        'start,end,unitPrice,volume',
    );
    const rows = await readRows('registry', {});
    const lines = rows.flatMap((row) => (row['assets'] as object[]).map(() => String(toId(row))));
    expect(records.slice(0, -1).map((record) => record.split(',')[0])).toEqual(lines);
    const named = await readers.registry({ format, expand: ['names', 'totals'] });
    expect(named.split('\r\n')[0]).toMatch(/,volume,sellerName,buyerName,totalVolume,totalPrice$/);
  });

  test('of the registry lists its bundles', async () => {
    const ownerId = scene.buyer;
    const [asJson, asCsv] = await Promise.all(
      [{}, { format }].map(async (form) =>
        inventory.registryGateway.ListCertificates({ ownerId, page, ...form }, await asRegistry()),
      ),
    );
    const rows = JSON.parse(asJson?.data.toString() ?? '[]') as Record<string, unknown>[];
    const [header, ...records] = (asCsv?.data.toString() ?? '').split('\r\n');
    expect([asCsv?.format, asCsv?.total, rows.length]).toEqual([format, asJson?.total, 2]);
    expect(header).toBe(Object.keys(rows[0] ?? {}).join(','));
    expect(records.slice(0, -1)).toEqual(
      rows.map((row) =>
        Object.values(row)
          .map((value) => value ?? '')
          .join(','),
      ),
    );
  });
});
