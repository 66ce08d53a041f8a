import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyHolders, roles, type Role } from '@saleschannel/auth';
import type { CallOptions } from '@saleschannel/grpc';
import { asRegistry, asUser, removeMarkers, callAs, collect, catchFailure } from '@saleschannel/testing';
import { readJson, startInventory, readText, type Inventory } from './support/inventory.ts';
import { FACILITY, createIssuance } from './support/issuances.ts';
import {
  channelOf,
  createOfframp,
  createRetirement,
  toSelection,
  createTrade,
  type Part,
} from './support/transfers.ts';

/** Reads of sales channels, and checks of selections for tasks. */

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const viewer = (channel: string) => asUser(channel, ['ASSET_VIEWER']);
const administrator = (channel: string) => asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
const listTransactions = async (channel: string): Promise<Record<string, unknown>[]> =>
  readJson(inventory.gateway.ListTransactions({}, await administrator(channel)));
const transaction = async (channel: string, transactionId: string): Promise<unknown> =>
  JSON.parse((await inventory.gateway.GetTransaction({ transactionId }, await administrator(channel))).data.toString());

/** Ids of the facility and its supplier. */
async function findFacility(): Promise<{ id: string; supplierId: string }> {
  const [facility] = await inventory.service.sql<{ id: string; supplierId: string }>(
    'select id, supplier_id as "supplierId" from production_facility where code = $1',
    [FACILITY],
  );
  if (!facility) throw new Error('there is no facility');
  return facility;
}

describe('ListInventory', () => {
  test('shows every field of a bundle', async () => {
    const issuance = await inventory.issue('list', 'list-a', '1', '10');
    const facility = await findFacility();
    expect(await inventory.list('list-a')).toEqual([
      {
        volume: 10,
        productionFacilityId: facility.id,
        supplierId: facility.supplierId,
        methodologyCode: 'C03000000',
        issuingDate: '2025-02-01T00:00:00.000Z',
        expirationDate: null,
        creditTypeId: 'CORC_100_PLUS',
        standard: 'PURO',
        countryCode: 'NA',
        productionStartDate: '2024-01-01T00:00:00.000Z',
        productionEndDate: '2024-12-31T00:00:00.000Z',
        vintage: 2024,
        issuanceId: issuance,
        certificates: `PURO_PR_CORC_100+_NA_FAC001_2024_${issuance}_1-10`,
        start: `${issuance}_1`,
        end: `${issuance}_10`,
      },
    ]);
  });

  test('writes exact volumes, up to the largest exact JSON number', async () => {
    const issuance = await inventory.issue('large', 'large-a', '3', '9007199254740993');
    const tooLarge = createIssuance('holder-of-large-a', {
      firstSerial: '3',
      lastSerial: '9007199254740994',
      salesChannelId: 'large',
      traderId: 'large-a',
    });
    expect(await inventory.applyIssuances(tooLarge)).toMatchObject([{ outcome: 'OUTCOME_REFUSED' }]);
    const text = await readText(inventory.gateway.ListInventory({ traderId: 'large-a' }, await viewer('large')));
    expect(text).toContain(`"volume":9007199254740991,`);
    expect(text).toContain(`"end":"${issuance}_9007199254740993"`);
  });

  test('leaves out expired, reserved, retired, offramped and unlisted certificates', async () => {
    const expiring = createIssuance('h', {
      salesChannelId: 'states',
      traderId: 'states-a',
      expirationDate: '2999-01-01T00:00:00.000Z',
    });
    await inventory.applyIssuances(expiring, createIssuance('states-a'));
    expect(await inventory.list('states-a')).toMatchObject([{ expirationDate: '2999-01-01T00:00:00.000Z' }]);
    await inventory.expire(expiring.issuanceId);
    const issuance = await inventory.issue('states', 'states-a');
    await inventory.settle(createTrade('states-a', 'states-b', [[issuance, 1, 1]], { autoApproval: false }));
    await inventory.settle(createRetirement('states-a', [[issuance, 2, 2]]));
    await inventory.settle(createOfframp('states-a', [[issuance, 3, 3]]));
    expect((await inventory.list('states-a')).map(({ start }) => start)).toEqual([`${issuance}_4`]);
    expect(await inventory.list('states-b')).toEqual([]);
  });

  test('streams 2,000 bundles in a stable order', async () => {
    const issuances = Array.from({ length: 2_000 }, () =>
      createIssuance('h', { salesChannelId: 'many', traderId: 'many-a' }),
    );
    for (let start = 0; start < issuances.length; start += 500)
      await inventory.applyIssuances(...issuances.slice(start, start + 500));
    let chunks = 0;
    for await (const { data } of inventory.gateway.ListInventory({ traderId: 'many-a' }, await viewer('many')))
      chunks += data.length > 0 ? 1 : 0;
    expect(chunks).toBeGreaterThan(2);
    expect((await inventory.list('many-a')).map(({ issuanceId }) => issuanceId)).toEqual(
      issuances.map(({ issuanceId }) => issuanceId).toSorted(),
    );
  });

  test('more concurrent readers than allowed, some of which disconnect, all succeed', async () => {
    await inventory.issue('readers', 'readers-a');
    const options = await viewer('many');
    const leaving = Array.from({ length: 6 }, async () => {
      for await (const chunk of inventory.gateway.ListInventory({ traderId: 'many-a' }, options)) if (chunk) break;
    });
    const staying = Array.from({ length: 20 }, () => inventory.list('readers-a'));
    await Promise.all(leaving);
    for (const bundles of await Promise.all(staying)) expect(bundles).toHaveLength(1);
  });

  test('not-found: a trader of another channel, and an unknown one', async () => {
    await inventory.issue('mine', 'mine-a');
    const message = 'The resource does not exist or is not visible to you.';
    for (const traderId of ['mine-a', 'nobody', '', 'a\0b'])
      expect(await catchFailure(inventory.list(traderId, 'yours'))).toMatchObject({ code: 'not-found', message });
  });
});

describe('transactions', () => {
  test('of every type and status, oldest first', async () => {
    const issuance = await inventory.issue('tx', 'tx-a', '1', '100');
    const assets = [
      { ...toSelection([issuance, 1, 5]), unitPrice: '0.100000' },
      { ...toSelection([issuance, 6, 6]), unitPrice: '999999999.999999' },
    ];
    const needsApproval = { autoApproval: false };
    const first = await inventory.settleTransaction(createTrade('tx-a', 'tx-b', [], { assets }));
    const second = await inventory.settleTransaction(createRetirement('tx-a', [[issuance, 7, 9]]));
    const third = await inventory.settleTransaction(createOfframp('tx-a', [[issuance, 10, 10]], needsApproval));
    const fourth = await inventory.settleTransaction(
      createTrade('tx-a', 'tx-b', [[issuance, 11, 12]], { ...needsApproval, currency: 'USD' }),
    );
    await inventory.reject(fourth);
    const list = await listTransactions('tx');
    expect(list).toMatchObject([
      {
        id: first,
        type: 'TRADE',
        status: 'SUCCESS',
        sellerId: 'tx-a',
        buyerId: 'tx-b',
        currency: 'EUR',
        assets: [
          { ...toSelection([issuance, 1, 5]), unitPrice: 0.1, volume: 5 },
          { unitPrice: 999999999.999999, volume: 1 },
        ],
      },
      {
        id: second,
        type: 'RETIREMENT',
        status: 'SUCCESS',
        buyerId: null,
        currency: null,
        assets: [{ unitPrice: null, volume: 3 }],
      },
      { id: third, type: 'OFFRAMP', status: 'PENDING', buyerId: null, completedAt: null },
      {
        id: fourth,
        type: 'TRADE',
        status: 'REJECTED',
        currency: 'USD',
        completedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      },
    ]);
    for (const each of list) expect(await transaction('tx', String(each['id']))).toEqual(each);
  });

  test('a price is written with exactly its digits', async () => {
    const issuance = await inventory.issue('price', 'price-a');
    const assets = [{ ...toSelection([issuance, 1, 1]), unitPrice: '999999999.100001' }];
    const transactionId = await inventory.settleTransaction(createTrade('price-a', 'price-b', [], { assets }));
    const { data } = await inventory.gateway.GetTransaction({ transactionId }, await administrator('price'));
    expect(data.toString()).toContain('"unitPrice":999999999.100001,');
  });

  test('of another channel, of an issuance and unknown ones are not-found', async () => {
    const issuance = await inventory.issue('hidden', 'hidden-a');
    const transactionId = await inventory.settleTransaction(createTrade('hidden-a', 'hidden-b', [[issuance, 1, 5]]));
    expect(await transaction('hidden', transactionId)).toMatchObject({ id: transactionId });
    for (const [channel, id] of [
      ['spy', transactionId],
      ['hidden', issuance],
      ['hidden', 'nothing'],
      ['hidden', ''],
      ['hidden', 'a\0b'],
    ] as const) {
      expect(await catchFailure(transaction(channel, id))).toMatchObject({ code: 'not-found' });
    }
    expect(await listTransactions('spy')).toEqual([]);
  });
});

describe('CheckSelections', () => {
  const check = async (traderId: string, parts: readonly Part[], salesChannelId = channelOf(traderId)) => {
    const checks = [{ salesChannelId, traderId, selections: parts.map(toSelection) }];
    const { verdicts } = await inventory.tasks.CheckSelections({ checks });
    return verdicts[0]?.faults;
  };

  test('checks selections independently, and moves nothing', async () => {
    const issuance = await inventory.issue('check', 'check-a');
    expect(
      await check('check-a', [
        [issuance, 1, 5],
        [issuance, 6, 10],
      ]),
    ).toEqual([]);
    expect(await check('check-a', [[issuance, 1, 10]])).toEqual([]);
    expect(await check('check-b', [[issuance, 1, 10]])).toMatchObject([
      { index: 0, field: 'start', code: 'bundle-start' },
    ]);
    expect(await check('check-a', [[issuance, 1, 10]], 'other')).toMatchObject([
      { index: 0, field: 'start', code: 'bundle-start' },
    ]);
    expect(
      await check('check-a', [
        [issuance, 1, 5],
        [issuance, 7, 10],
        ['x', 1, 1],
      ]),
    ).toMatchObject([{ index: 1 }, { index: 2 }]);
    expect(
      await check('check-a', [
        [issuance, 1, 5],
        [issuance, 6, 11],
      ]),
    ).toMatchObject([{ index: 1, field: 'end', code: 'bundle-end' }]);
    expect(
      await check('check-a', [
        [issuance, 1, 5],
        [issuance, 'x', ''],
      ]),
    ).toMatchObject([
      { index: 1, field: 'start', code: 'serial-form' },
      { index: 1, field: 'end', code: 'serial-form' },
    ]);
    const request = (traderId: string) => ({
      salesChannelId: 'check',
      traderId,
      selections: [toSelection([issuance, 1, 10])],
    });
    const { verdicts } = await inventory.tasks.CheckSelections({
      checks: [request('check-a'), request('check-b'), request('check-a')],
    });
    expect(verdicts.map(({ faults }) => faults.length)).toEqual([0, 1, 0]);
    expect(await inventory.list('check-a')).toHaveLength(1);
  });

  test.each(keyHolders.filter((name) => name !== 'tasks'))('is not for %s', async (name) => {
    const client = await callAs(name, 'selectionCheck', inventory.service.address);
    expect(await catchFailure(client.CheckSelections({ checks: [] }))).toMatchObject({ code: 'forbidden' });
    client.close();
  });
});

describe('facilities and suppliers', () => {
  const facilityViewer = () => asUser('any', ['PRODUCTIONFACILITY_VIEWER']);
  const supplierViewer = () => asUser('any', ['SUPPLIER_VIEWER']);

  test('are read by any channel', async () => {
    const { id, supplierId } = await findFacility();
    const facility = {
      id,
      code: FACILITY,
      name: 'Northern Biochar',
      countryCode: 'NA',
      methodologyCodes: ['C03000000'],
    };
    const { gateway } = inventory;
    expect(
      removeMarkers(await gateway.GetProductionFacility({ productionFacilityId: id }, await facilityViewer())),
    ).toEqual(facility);
    expect(await collect(gateway.ListProductionFacilities({}, await facilityViewer()))).toEqual([facility]);
    expect(removeMarkers(await gateway.GetSupplier({ supplierId }, await supplierViewer()))).toEqual({
      id: supplierId,
      name: 'Northern Carbon',
      countryCode: 'NA',
    });
  });

  test('unknown ones are not-found', async () => {
    const { gateway } = inventory;
    for (const id of ['x', '', 'a\0b']) {
      const facility = gateway.GetProductionFacility({ productionFacilityId: id }, await facilityViewer());
      expect(await catchFailure(facility)).toMatchObject({ code: 'not-found' });
      const supplier = gateway.GetSupplier({ supplierId: id }, await supplierViewer());
      expect(await catchFailure(supplier)).toMatchObject({ code: 'not-found' });
    }
  });
});

const reads: Record<string, { role: Role; read: (options: CallOptions) => Promise<unknown> }> = {
  ListInventory: {
    role: 'ASSET_VIEWER',
    read: (options) => collect(inventory.gateway.ListInventory({ traderId: 'role-a' }, options)),
  },
  ListTransactions: {
    role: 'TRANSACTION_ADMINISTRATOR',
    read: (options) => collect(inventory.gateway.ListTransactions({}, options)),
  },
  GetTransaction: {
    role: 'TRANSACTION_ADMINISTRATOR',
    read: (options) => inventory.gateway.GetTransaction({ transactionId: 'x' }, options),
  },
  GetProductionFacility: {
    role: 'PRODUCTIONFACILITY_VIEWER',
    read: (options) => inventory.gateway.GetProductionFacility({ productionFacilityId: 'x' }, options),
  },
  ListProductionFacilities: {
    role: 'PRODUCTIONFACILITY_VIEWER',
    read: (options) => collect(inventory.gateway.ListProductionFacilities({}, options)),
  },
  GetSupplier: {
    role: 'SUPPLIER_VIEWER',
    read: (options) => inventory.gateway.GetSupplier({ supplierId: 'x' }, options),
  },
};

test.each(Object.entries(reads))('%s needs its role, a binding and a user', async (_rpc, { role, read }) => {
  const others = roles.filter((each) => each !== role);
  for (const options of [await asUser('role', others), await asUser(undefined, [role]), await asRegistry()])
    expect(await catchFailure(read(options))).toMatchObject({ code: 'forbidden' });
});
