import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { asUser, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { holderOf, createOfframp, createRetirement, createTrade, type Part } from './support/transfers.ts';

/** Plans, which predict the ranges that a transfer takes, sums, and details of transactions. */

interface Range {
  readonly start: string;
  readonly end: string;
  readonly volume: number;
}
interface Plan {
  readonly type: string;
  readonly volume: number;
  readonly selections: readonly (Range & { vintage: number; bundle: Range; remainder: Range | null })[];
  readonly faults: readonly { pointer: string; code: string; detail: string }[];
}
interface Detail {
  readonly lineage: readonly { start: string; end: string; bundle: Range; before: Range | null; after: Range | null }[];
  readonly [member: string]: unknown;
}

let inventory: Inventory;

beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const parse = <T>({ data }: { data: Buffer }): T => JSON.parse(data.toString()) as T;
const allRoles = ['TRANSACTION_ADMINISTRATOR', 'ASSET_OFFRAMPER', 'ASSET_VIEWER'] as const;

async function plan(scene: Scene, fields: object, traderId = scene.seller): Promise<Plan> {
  const request = { traderId, type: 'RETIREMENT', ...fields };
  return parse(await inventory.gateway.PlanTransfer(request, await asUser(scene.channel, allRoles)));
}

const oldest = (volume: number, filter = {}) => ({ oldest: { volume: String(volume), filter } });
const serialOf = (certificate: string): string => certificate.slice(certificate.lastIndexOf('_') + 1);
const toPart = ({ start, end }: Range): Part => [
  start.slice(0, start.lastIndexOf('_')),
  serialOf(start),
  serialOf(end),
];
const readDetail = async (scene: Scene, transactionId: string): Promise<Detail> =>
  parse(await inventory.gateway.GetTransactionDetail({ transactionId }, await asUser(scene.channel, allRoles)));

/** Creates a listed issuance for the seller. */
async function issue(scene: Scene, issuingDate: string, volume: number, fields = {}): Promise<string> {
  const listed = { salesChannelId: scene.channel, traderId: scene.seller };
  const serials = { firstSerial: '1', lastSerial: String(volume) };
  const issuance = createIssuance(holderOf(scene.seller), { ...serials, ...listed, issuingDate, ...fields });
  const [result] = await inventory.applyIssuances(issuance);
  expect(result?.outcome).toBe('OUTCOME_CREATED');
  return issuance.issuanceId;
}

describe('a plan', () => {
  test('of a volume predicts the ranges that the transfer takes, after any earlier sales', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 40 }),
        async (volumes, sold, volume) => {
          const scene = inventory.scene();
          const issuances: string[] = [];
          for (const [index, size] of volumes.entries())
            issuances.push(await issue(scene, `2024-0${4 - index}-01T00:00:00.000Z`, size));
          for (const [index, count] of sold.entries()) {
            const size = volumes[index];
            if (size !== undefined && count < size)
              await inventory.settleTransaction(
                createTrade(scene.seller, scene.buyer, [[issuances[index] ?? '', 1, count]]),
              );
          }
          const left = (await inventory.list(scene.seller)).reduce((sum, bundle) => sum + bundle.volume, 0);
          const planned = await plan(scene, oldest(volume));
          if (volume > left) {
            expect(planned).toMatchObject({ volume: 0, selections: [], faults: [{ code: 'volume-unavailable' }] });
            return;
          }
          expect([planned.volume, planned.faults]).toEqual([volume, []]);
          const parts = planned.selections.map(toPart);
          // Oldest issuances first.
          const order = parts.map(([issuanceId]) => issuances.indexOf(issuanceId));
          expect(order).toEqual(order.toSorted((a, b) => b - a));
          const { lineage } = await readDetail(
            scene,
            await inventory.settleTransaction(createRetirement(scene.seller, parts)),
          );
          expect(lineage.map(({ start, end, bundle, after }) => ({ start, end, bundle, after }))).toEqual(
            planned.selections.map(({ start, end, bundle, remainder }) => ({ start, end, bundle, after: remainder })),
          );
        },
      ),
      { numRuns: 15 },
    );
  });

  test('of selections has their remainders, and changes nothing', async () => {
    const scene = inventory.scene();
    const issued = await scene.issue('1', '10');
    const assets = [
      { start: `${issued}_1`, end: `${issued}_4` },
      { start: `${issued}_5`, end: `${issued}_10` },
    ];
    const planned = await plan(scene, { type: 'TRADE', assets });
    expect(planned).toMatchObject({
      type: 'TRADE',
      volume: 10,
      selections: [
        {
          ...assets[0],
          volume: 4,
          bundle: { start: `${issued}_1`, end: `${issued}_10`, volume: 10 },
          remainder: { start: `${issued}_5`, end: `${issued}_10`, volume: 6 },
        },
        { ...assets[1], volume: 6, bundle: { start: `${issued}_5`, end: `${issued}_10` }, remainder: null },
      ],
    });
    expect(await inventory.listRanges(scene.seller)).toEqual(['1-10']);
  });

  test('has the faults of the transfer', async () => {
    const scene = inventory.scene();
    const issued = await scene.issue('1', '10');
    const assets = [
      { start: `${issued}_2`, end: `${issued}_4` },
      { start: `${issued}_1`, end: `${issued}_11` },
    ];
    const { faults, selections } = await plan(scene, { assets });
    expect(selections).toEqual([]);
    expect(faults.map(({ pointer, code }) => [pointer, code])).toEqual([['#/assets/0/start', 'selection-overlap']]);
    expect((await plan(scene, { assets: [assets[0]] })).faults).toMatchObject([
      { pointer: '#/assets/0/start', code: 'bundle-start' },
    ]);
  });

  test('takes only bundles of the filter and the trader', async () => {
    const scene = inventory.scene();
    await issue(scene, '2024-01-01T00:00:00.000Z', 5, { vintage: 2022 });
    const later = await issue(scene, '2024-02-01T00:00:00.000Z', 5, { vintage: 2023 });
    const { selections } = await plan(scene, oldest(3, { vintage: 2023 }));
    expect(selections.map(({ start, end }) => [start, end])).toEqual([[`${later}_1`, `${later}_3`]]);
    expect((await plan(scene, oldest(6, { vintage: 2023 }))).faults).toMatchObject([
      { pointer: '#/volume', code: 'volume-unavailable' },
    ]);
    expect((await plan(scene, oldest(1), scene.buyer)).faults).toMatchObject([{ code: 'volume-unavailable' }]);
  });

  test('of too many bundles reports how much they hold', async () => {
    const scene = inventory.scene();
    const issued = await scene.issue('1', '2100');
    // Selling every second certificate leaves as many bundles.
    const odd = Array.from({ length: 1_050 }, (_, index): Part => [issued, 2 * index + 1, 2 * index + 1]);
    const taken = odd.map(([id, first]): Part => [id, first, first]);
    await sellApart(scene, taken);
    expect((await plan(scene, oldest(1_000))).volume).toBe(1_000);
    const { faults } = await plan(scene, oldest(1_001));
    expect(faults).toMatchObject([{ pointer: '#/volume', code: 'too-many-bundles' }]);
    expect(faults[0]?.detail).toContain('1000 oldest bundles hold 1000');
  });

  test('finds bundles after the oldest 4,096 issuances of the registry, which belong to others', async () => {
    const [crowd, scene] = [inventory.scene(), inventory.scene()];
    const listed = { salesChannelId: crowd.channel, traderId: crowd.seller };
    for (let batch = 0; batch < 42; batch++) {
      const issuances = Array.from({ length: 100 }, () =>
        createIssuance(holderOf(crowd.seller), { ...listed, issuingDate: '2001-01-01T00:00:00.000Z' }),
      );
      const results = await inventory.applyIssuances(...issuances);
      expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['OUTCOME_CREATED']));
    }
    const later = await issue(scene, '2002-03-01T00:00:00.000Z', 5);
    const earlier = await issue(scene, '2002-02-01T00:00:00.000Z', 5);
    const { selections } = await plan(scene, oldest(7));
    expect(selections.map(({ start, end }) => [start, end])).toEqual([
      [`${earlier}_1`, `${earlier}_5`],
      [`${later}_1`, `${later}_2`],
    ]);
    expect((await plan(crowd, oldest(10_001))).faults).toMatchObject([{ code: 'too-many-bundles' }]);
  });

  test('needs the permission for the transfer', async () => {
    const scene = inventory.scene();
    await scene.issue();
    const { gateway } = inventory;
    const request = (type: string) => ({ traderId: scene.seller, type, ...oldest(1) });
    const offramper = await asUser(scene.channel, ['ASSET_OFFRAMPER']);
    const trader = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
    expect(await catchFailure(gateway.PlanTransfer(request('TRADE'), offramper))).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(gateway.PlanTransfer(request('OFFRAMP'), trader))).toMatchObject({ code: 'forbidden' });
    expect(parse<Plan>(await gateway.PlanTransfer(request('OFFRAMP'), offramper)).volume).toBe(1);
    const stranger = await asUser(inventory.scene().channel, allRoles);
    expect(await catchFailure(gateway.PlanTransfer(request('TRADE'), stranger))).toMatchObject({ code: 'not-found' });
  });
});

/** Sells single certificates, up to a thousand per transaction. */
async function sellApart(scene: Scene, parts: readonly Part[]): Promise<void> {
  for (let start = 0; start < parts.length; start += 1_000) {
    const some = parts.slice(start, start + 1_000);
    await inventory.settleTransaction(createTrade(scene.seller, scene.buyer, some, { selectsAnywhere: true }));
  }
}

describe('sums', () => {
  test('of an inventory match its list', async () => {
    const scene = inventory.scene();
    await issue(scene, '2024-01-01T00:00:00.000Z', 5, { vintage: 2022 });
    const second = await issue(scene, '2024-02-01T00:00:00.000Z', 7, { vintage: 2023 });
    await inventory.settleTransaction(createTrade(scene.seller, scene.buyer, [[second, 1, 2]]));
    const viewer = await asUser(scene.channel, ['ASSET_VIEWER']);
    const sum = async (filter = {}) =>
      parse(await inventory.gateway.SummarizeInventory({ traderId: scene.seller, filter }, viewer));
    expect(await sum()).toMatchObject({
      bundles: 2,
      volume: 10,
      facets: {
        vintage: [
          { value: '2022', bundles: 1, volume: 5 },
          { value: '2023', bundles: 1, volume: 5 },
        ],
        methodologyCode: [{ bundles: 2, volume: 10 }],
        productionFacilityId: [{ bundles: 2, volume: 10 }],
      },
    });
    expect(await sum({ vintage: 2022 })).toMatchObject({ bundles: 1, volume: 5 });
    expect(await sum({ vintage: 1999 })).toMatchObject({ bundles: 0, volume: 0, facets: { vintage: [] } });
  });

  test('of transactions count each group once, by months of a time zone', async () => {
    const scene = inventory.scene();
    const first = await issue(scene, '2024-01-01T00:00:00.000Z', 9, { vintage: 2022 });
    const second = await issue(scene, '2024-02-01T00:00:00.000Z', 9, { vintage: 2023 });
    const { seller, buyer } = scene;
    await inventory.settleTransaction(
      createTrade(seller, buyer, [
        [first, 1, 2],
        [second, 1, 3],
      ]),
    );
    await inventory.settleTransaction(createRetirement(seller, [[second, 4, 4]]));
    await inventory.settleTransaction(createOfframp(buyer, [[first, 1, 1]], { autoApproval: false }));
    const administrator = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
    const sum = async (groupBy: string, fields = {}) =>
      parse(await inventory.gateway.SummarizeTransactions({ groupBy, ...fields }, administrator));
    expect(await sum('vintage')).toEqual([
      { key: '2022', type: 'TRADE', transactions: 1, volume: 2 },
      { key: '2023', type: 'RETIREMENT', transactions: 1, volume: 1 },
      { key: '2023', type: 'TRADE', transactions: 1, volume: 3 },
    ]);
    const month = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'Pacific/Kiritimati',
      year: 'numeric',
      month: '2-digit',
    });
    expect(await sum('month', { timeZone: 'Pacific/Kiritimati', filter: { type: 'TRADE' } })).toEqual([
      { key: month.format(new Date()), type: 'TRADE', transactions: 1, volume: 5 },
    ]);
    expect(await sum('methodologyCode', { filter: { status: 'PENDING' } })).toMatchObject([
      { type: 'OFFRAMP', transactions: 1, volume: 1 },
    ]);
    const findFailure = (fields: object) =>
      catchFailure(inventory.gateway.SummarizeTransactions({ groupBy: 'month', ...fields }, administrator));
    expect(await findFailure({ timeZone: 'Nowhere/City' })).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'timeZone' }],
    });
    expect(await findFailure({ timeZone: '+02:00' })).toMatchObject({ violations: [{ parameter: 'timeZone' }] });
    const long = { createdAt: { gte: '2020-01-01T00:00:00Z', lte: '2024-01-01T00:00:00Z' } };
    expect(await findFailure({ filter: long })).toMatchObject({ violations: [{ parameter: '$filter' }] });
  });
});

test('a detail has requester, parties and source bundles', async () => {
  const scene = inventory.scene();
  const issued = await scene.issue('1', '10');
  const actor = { kind: 'user', id: 'u1', keyId: 'k1' } as const;
  const transactionId = await inventory.settleTransaction(
    createTrade(scene.seller, scene.buyer, [[issued, 1, 4]], { actor }),
  );
  expect(await readDetail(scene, transactionId)).toMatchObject({
    seller: { id: scene.seller, name: `Trader ${scene.seller}` },
    buyer: { id: scene.buyer, name: `Trader ${scene.buyer}` },
    requestedBy: { userId: 'u1', keyId: 'k1' },
    lineage: [
      {
        start: `${issued}_1`,
        bundle: { start: `${issued}_1`, end: `${issued}_10`, volume: 10 },
        before: null,
        after: { start: `${issued}_5`, end: `${issued}_10`, volume: 6 },
      },
    ],
    statement: null,
  });
  const anonymous = await inventory.settleTransaction(createTrade(scene.seller, scene.buyer, [[issued, 5, 5]]));
  expect((await readDetail(scene, anonymous))['requestedBy']).toBeNull();
});
