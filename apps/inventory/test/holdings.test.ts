import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, catchFailure, catchFailures } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { asHolder, createHolderCalls } from './support/holders.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { FACILITY, facility, createIssuance } from './support/issuances.ts';
import { readAllRows, type Document } from './support/pages.ts';
import {
  channelOf,
  holderOf,
  createOfframp,
  createRetirement,
  toSelection,
  createTrade,
  type Part,
} from './support/transfers.ts';

/** Holdings and onramps of account holders. */

let inventory: Inventory;
let holders: ReturnType<typeof createHolderCalls>;
let scene: Scene;
let holder: string;

beforeAll(async () => {
  inventory = await startInventory();
  holders = createHolderCalls(inventory);
});
beforeEach(() => {
  scene = inventory.scene();
  holder = holderOf(scene.seller);
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const serialOf = (certificate: unknown): string => String(certificate).replace(/^.*_/, '');
const toHoldingColumns = (row: Document) => [
  `${serialOf(row['start'])}-${serialOf(row['end'])}`,
  row['state'],
  row['salesChannelId'],
  row['traderId'],
];

const needsApproval = { autoApproval: false } as const;

/** Creates an issuance with bundles in every state. Returns its id. */
async function issueInEveryState(): Promise<string> {
  const { seller, buyer, channel } = scene;
  const issuance = createIssuance(holder, { lastSerial: '60' });
  await inventory.applyIssuances(issuance);
  const { issuanceId } = issuance;
  await onramp([[issuanceId, 1, 50]]);
  const accountHolderId = holder;
  await inventory.settleTransaction(createRetirement(seller, [[issuanceId, 1, 10]], { accountHolderId }));
  await inventory.settleTransaction(createOfframp(seller, [[issuanceId, 11, 20]], { accountHolderId }));
  await inventory.settleTransaction(
    createTrade(seller, buyer, [[issuanceId, 21, 30]], { accountHolderId, ...needsApproval }),
  );
  await inventory.settleTransaction(createTrade(seller, buyer, [[issuanceId, 31, 40]], { accountHolderId }));
  expect(channelOf(seller)).toBe(channel);
  return issuanceId;
}

async function onramp(parts: Part[], { key = newId(), by = holder, of = holder, traderId = scene.seller } = {}) {
  const { transactionId, transaction, replayed } = await inventory.holdersImport.OnrampHoldings(
    {
      accountHolderId: of,
      salesChannelId: scene.channel,
      traderId,
      assets: parts.map(toSelection),
      idempotencyKey: key,
    },
    await asHolder(by),
  );
  return { transactionId, replayed, transaction: JSON.parse(String(transaction?.data)) as Document };
}

test('all bundles of the account holder are listed with state and trader, and none of others', async () => {
  await issueInEveryState();
  const { channel, seller } = scene;
  const rows = await holders.holdings(holder);
  expect(rows.map(toHoldingColumns)).toEqual([
    ['1-10', 'RETIRED', channel, seller],
    ['11-20', 'OFFRAMPED', null, null],
    ['21-30', 'RESERVED', channel, seller],
    ['41-50', 'LISTED', channel, seller],
    ['51-60', 'UNLISTED', null, null],
  ]);
  expect((await holders.holdings(holderOf(scene.buyer))).map(toHoldingColumns)).toEqual([
    ['31-40', 'LISTED', channel, scene.buyer],
  ]);
  expect(await holders.holdings(newId())).toEqual([]);
});

test('a bundle has the facts of its issuance, and an exact volume', async () => {
  const [firstSerial, lastSerial] = [
    '10000000000000000000000000000000000001',
    '10000000000000000000000000000000000007',
  ];
  const issuance = createIssuance(holder, { firstSerial, lastSerial, expirationDate: '2126-01-01T00:00:00.000Z' });
  await inventory.applyIssuances(issuance);
  const { issuanceId: id } = issuance;
  expect(await holders.holdings(holder)).toEqual([
    {
      issuanceId: id,
      vintage: 2024,
      productionFacilityId: expect.any(String),
      productionFacilityCode: FACILITY,
      productionFacilityName: facility.name,
      methodologyCode: 'C03000000',
      countryCode: 'NA',
      issuingDate: '2025-02-01T00:00:00.000Z',
      expirationDate: '2126-01-01T00:00:00.000Z',
      volume: 7,
      certificates: `PURO_PR_CORC_100+_NA_${FACILITY}_2024_${id}_${firstSerial}-${lastSerial}`,
      start: `${id}_${firstSerial}`,
      end: `${id}_${lastSerial}`,
      state: 'UNLISTED',
      salesChannelId: null,
      traderId: null,
    },
  ]);
});

test('expired bundles are listed too', async () => {
  await inventory.expire(await scene.issue());
  expect(await holders.holdings(holder)).toMatchObject([{ volume: 10, state: 'LISTED' }]);
  expect(await inventory.listRanges(scene.seller)).toEqual([]);
});

/** Sums bundles. Bundles outside of sales channels are in no sum by channel. */
function sumRows(rows: readonly Document[]): Document {
  const toSize = (some: readonly Document[]) => ({
    bundles: some.length,
    volume: some.reduce((sum, { volume }) => sum + Number(volume), 0),
  });
  const by = (member: string) => {
    const groups = Object.entries(Object.groupBy(rows, (row) => String(row[member])));
    const found = groups
      .filter(([value]) => value !== 'null')
      .map(([value, some = []]) => ({ value, ...toSize(some) }));
    return found.toSorted((a, b) => (a.value < b.value ? -1 : 1));
  };
  const facets = ['state', 'salesChannelId', 'vintage', 'productionFacilityId'];
  return { ...toSize(rows), facets: Object.fromEntries(facets.map((facet) => [facet, by(facet)])) };
}

describe('filters', () => {
  test('by state, channel, vintage and facility, alone and combined, match the whole list', async () => {
    await issueInEveryState();
    await inventory.applyIssuances(createIssuance(holder, { vintage: 2021 }));
    const all = await holders.holdings(holder);
    const facilityId = String(all[0]?.['productionFacilityId']);
    const filters = [
      ...['UNLISTED', 'LISTED', 'RESERVED', 'RETIRED', 'OFFRAMPED'].map((state) => ({ state })),
      { salesChannelId: scene.channel },
      { salesChannelId: scene.channel, state: 'RETIRED' },
      { salesChannelId: scene.channel, state: 'UNLISTED' },
      { salesChannelId: 'another' },
      { vintage: 2021 },
      { vintage: 2024, state: 'UNLISTED' },
      { productionFacilityId: facilityId, vintage: 2021 },
      { productionFacilityId: 'another' },
    ];
    for (const filter of filters) {
      const expected = all.filter((row) => Object.entries(filter).every(([name, value]) => row[name] === value));
      expect({ filter, rows: await holders.holdings(holder, filter) }).toEqual({ filter, rows: expected });
      expect(await readAllRows((after) => holders.pageOfHoldings(holder, { limit: 1, after }, filter))).toEqual(
        expected,
      );
      expect({ filter, sums: await holders.sumOfHoldings(holder, filter) }).toEqual({
        filter,
        sums: sumRows(expected),
      });
    }
  });

  test('are refused with the name of the parameter if they are invalid', async () => {
    for (const filter of [{ state: 'HELD' }, { salesChannelId: '' }])
      for (const call of [holders.holdings(holder, filter), holders.sumOfHoldings(holder, filter)])
        expect(await catchFailure(call)).toMatchObject({
          code: 'invalid-request',
          violations: [{ parameter: '$filter' }],
        });
  });
});

describe('pages', () => {
  test('of any size cover the whole list, across several channels', async () => {
    await issueInEveryState();
    const other = inventory.scene();
    inventory.onboarded.set(other.trader('ours'), holder);
    for (let n = 0; n < 3; n++) {
      const listed = { salesChannelId: other.channel, traderId: other.trader('ours') };
      await inventory.applyIssuances(createIssuance(holder, listed));
    }
    const all = await holders.holdings(holder);
    expect(new Set(all.map((row) => row['salesChannelId']))).toEqual(new Set([scene.channel, other.channel, null]));
    for (const limit of [1, 2, 3, 100])
      expect(await readAllRows((after) => holders.pageOfHoldings(holder, { limit, after }))).toEqual(all);
  });

  test('show a certificate once, even if it changes between two pages', async () => {
    const issuance = await issueInEveryState();
    const first = await holders.pageOfHoldings(holder, { limit: 3 });
    const accountHolderId = holder;
    await inventory.settleTransaction(createRetirement(scene.seller, [[issuance, 41, 45]], { accountHolderId }));
    await onramp([[issuance, 51, 60]]);
    const rest = await readAllRows((after) => holders.pageOfHoldings(holder, { limit: 1, after: after ?? first.next }));
    expect([...first.rows, ...rest].map((row) => toHoldingColumns(row)[0])).toEqual([
      '1-10',
      '11-20',
      '21-30',
      '41-45',
      '46-50',
      '51-60',
    ]);
  });

  test('refuse cursors of another account holder or filter', async () => {
    await issueInEveryState();
    const { next } = await holders.pageOfHoldings(holder, { limit: 1 });
    const refused = { code: 'invalid-request', violations: [{ parameter: '$after', code: 'cursor' }] };
    const elsewhere = holders.pageOfHoldings(holderOf(scene.buyer), { limit: 1, after: next });
    expect(await catchFailure(elsewhere)).toMatchObject(refused);
    const filtered = holders.pageOfHoldings(holder, { limit: 1, after: next }, { state: 'LISTED' });
    expect(await catchFailure(filtered)).toMatchObject(refused);
  });
});

describe('in a requested order', () => {
  const orders = ['issuingDate', 'vintage', 'volume'].flatMap((by) => [
    { by, descending: false },
    { by, descending: true },
  ]);
  const byVintage = { vintage: 2024 };

  test.each(orders)('$by, descending: $descending: pages of any size cover the whole list', async (order) => {
    await issueInEveryState();
    for (const [vintage, day, lastSerial] of [
      [2021, 3, '3'],
      [2022, 1, '12'],
      [2021, 2, '3'],
      [2024, 2, '3'],
    ] as const)
      await inventory.applyIssuances(
        createIssuance(holder, { vintage, issuingDate: `2024-05-0${day}T00:00:00.000Z`, lastSerial }),
      );
    for (const filter of [null, byVintage]) {
      const all = await holders.holdings(holder, filter);
      const { by, descending } = order;
      const [before, after] = descending ? [1, -1] : [-1, 1];
      // A stable sort keeps equal rows in the order of issuance and serial.
      const sorted = all.toSorted((a, b) => {
        const [one, other] = [a[by] as number | string, b[by] as number | string];
        return one < other ? before : one > other ? after : 0;
      });
      for (const limit of [1, 3, 100])
        expect(
          await readAllRows((cursor) => holders.pageOfHoldings(holder, { limit, after: cursor }, filter, order)),
        ).toEqual(sorted);
    }
  });

  test('the reply is marked as ordered, and refuses cursors of other orders', async () => {
    await issueInEveryState();
    const [order] = orders;
    const first = await holders.pageOfHoldings(holder, { limit: 1 }, null, order);
    expect([first.ordered, (await holders.pageOfHoldings(holder, { limit: 1 })).ordered]).toEqual([true, false]);
    for (const other of [null, ...orders.slice(1)])
      expect(
        await catchFailure(holders.pageOfHoldings(holder, { limit: 1, after: first.next }, null, other)),
      ).toMatchObject({ violations: [{ parameter: '$after', code: 'cursor' }] });
    expect(
      await catchFailure(holders.pageOfHoldings(holder, {}, null, { by: 'state', descending: false })),
    ).toMatchObject({ code: 'invalid-request', violations: [{ parameter: '$orderBy' }] });
  });

  test('by vintage, a certificate is shown once, even if it changes between two pages', async () => {
    const issuance = await issueInEveryState();
    const order = { by: 'vintage', descending: true };
    const first = await holders.pageOfHoldings(holder, { limit: 3 }, null, order);
    const accountHolderId = holder;
    await inventory.settleTransaction(createRetirement(scene.seller, [[issuance, 41, 45]], { accountHolderId }));
    await onramp([[issuance, 51, 60]]);
    const rest = await readAllRows((after) =>
      holders.pageOfHoldings(holder, { limit: 1, after: after ?? first.next }, null, order),
    );
    expect([...first.rows, ...rest].map((row) => toHoldingColumns(row)[0])).toEqual([
      '1-10',
      '11-20',
      '21-30',
      '41-45',
      '46-50',
      '51-60',
    ]);
  });
});

describe('an onramp by the account holder', () => {
  const issueHeld = async (): Promise<string> => {
    const issuance = createIssuance(holder);
    await inventory.applyIssuances(issuance);
    return issuance.issuanceId;
  };

  test('moves its certificates once per key, and returns the names of both parties', async () => {
    const issuance = await issueHeld();
    const key = newId();
    const made = await onramp([[issuance, 1, 4]], { key });
    expect(made).toMatchObject({
      replayed: false,
      transaction: {
        type: 'ONRAMP',
        status: 'SUCCESS',
        sellerId: holder,
        sellerName: `Holder ${holder}`,
        buyerName: `Trader ${scene.seller}`,
        salesChannelName: `Channel ${scene.channel}`,
      },
    });
    expect(await onramp([[issuance, 1, 4]], { key })).toEqual({ ...made, replayed: true });
    expect(await catchFailure(onramp([[issuance, 5, 6]], { key }))).toMatchObject({ code: 'idempotency-key-reused' });
    expect(await inventory.listRanges(scene.seller)).toEqual(['1-4']);
  });

  test('shares its keys with the registry', async () => {
    const issuance = await issueHeld();
    const [assets, idempotencyKey] = [[toSelection([issuance, 1, 4])], newId()];
    const { channel: salesChannelId, seller: traderId } = scene;
    const request = { accountHolderId: holder, salesChannelId, traderId, assets, idempotencyKey };
    const { transactionId } = await inventory.registryImport.Onramp(request, await asRegistry());
    expect(await onramp([[issuance, 1, 4]], { key: idempotencyKey })).toMatchObject({ transactionId, replayed: true });
  });

  test('refuses certificates of others, and reports faults of selections', async () => {
    const issuance = await issueHeld();
    expect(await catchFailure(onramp([[issuance, 1, 4]], { by: 'another' }))).toMatchObject({ code: 'not-found' });
    expect(await catchFailure(onramp([[issuance, 1, 4]], { by: 'another', of: 'another' }))).toMatchObject({
      violations: [{ pointer: '#/assets/0/start' }],
    });
    expect(
      await catchFailure(
        onramp([
          [issuance, 1, 4],
          [issuance, 6, 7],
        ]),
      ),
    ).toMatchObject({ violations: [{ pointer: '#/assets/1/start', code: 'bundle-start' }] });
    expect((await holders.holdings(holder)).map((row) => toHoldingColumns(row)[0])).toEqual(['1-10']);
  });

  test('is in the audit trails of the registry and the channel, with its user', async () => {
    const issuance = await issueHeld();
    const { transactionId } = await onramp([[issuance, 1, 4]]);
    const events = await inventory.service.sql<{ scope: string; event: string }>(
      'select scope, event from audit_event where event like $1',
      [`%${transactionId}%`],
    );
    const actors = events.map(({ scope, event }) => [scope, (JSON.parse(event) as { actor: object }).actor] as const);
    expect(Object.fromEntries(actors)).toEqual({
      registry: { kind: 'user', id: expect.any(String), accountHolderId: holder },
      [scene.channel]: { kind: 'user' },
    });
  });

  test('is only for calls of the import service', async () => {
    const request = { accountHolderId: holder, salesChannelId: scene.channel, assets: [], idempotencyKey: newId() };
    expect(await catchFailure(inventory.holders.OnrampHoldings(request, await asHolder(holder)))).toMatchObject({
      code: 'forbidden',
    });
  });
});

test('a user without an account holder, and a registry key, have no holdings', async () => {
  const user = await asUser(scene.channel, ['ASSET_VIEWER', 'TRANSACTION_ADMINISTRATOR']);
  const page = { limit: 1, offset: 0 };
  for (const options of [user, await asRegistry(holder)]) {
    const rpcs: Promise<unknown>[] = [
      inventory.holders.PageHoldings({ page }, options),
      inventory.holders.GetHolderTransaction({ transactionId: 'x' }, options),
      inventory.holders.ApproveHolderTransaction({ transactionId: 'x' }, options),
      inventory.holders.RejectHolderTransaction({ transactionId: 'x' }, options),
    ];
    for (const failure of await catchFailures(rpcs)) expect(failure).toMatchObject({ code: 'forbidden' });
  }
});
