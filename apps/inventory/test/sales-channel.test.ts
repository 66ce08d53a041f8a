import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { asRegistry, asUser, callAs, failureOf, serviceNames } from '@saleschannel/testing';
import {
  applyIssuances,
  decide,
  expire,
  FACILITY,
  issuanceOf,
  issue,
  jsonOf,
  listInventory,
  offrampOf,
  putFacility,
  retirementOf,
  selectionOf,
  settle,
  startLedger,
  tradeOf,
  type Part,
  type TestLedger,
} from './support.ts';

/** What a sales channel reads, and what the task service asks. */

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
  await putFacility(ledger);
});
afterAll(() => ledger.stop());

const administrator = (channel: string) => asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
const transactionsOf = async (channel: string): Promise<Record<string, unknown>[]> =>
  jsonOf(ledger.gateway.ListTransactions({}, await administrator(channel)));
const transaction = async (channel: string, transactionId: string): Promise<unknown> =>
  JSON.parse((await ledger.gateway.GetTransaction({ transactionId }, await administrator(channel))).data.toString());

describe('ListInventory', () => {
  test('shows every field of a bundle', async () => {
    const issuance = await issue(ledger, 'list', 'list-a', '1', '10');
    const [facility] = await ledger.sql<{ id: string; supplier_id: string }>(
      'select id, supplier_id from production_facility where code = ?',
      [FACILITY],
    );
    expect(await listInventory(ledger, 'list-a')).toEqual([
      {
        volume: 10,
        productionFacilityId: facility?.id,
        supplierId: facility?.supplier_id,
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

  test('writes volumes exactly, up to the largest that a JSON number can say', async () => {
    const issuance = await issue(ledger, 'large', 'large-a', '3', '9007199254740993');
    const tooLarge = issuanceOf('holder-of-large-a', {
      firstSerial: '3',
      lastSerial: '9007199254740994',
      salesChannelId: 'large',
      traderId: 'large-a',
    });
    expect(await applyIssuances(ledger, [tooLarge])).toMatchObject([{ outcome: 'REFUSED' }]);
    const parts: string[] = [];
    for await (const { data } of ledger.gateway.ListInventory(
      { traderId: 'large-a' },
      await asUser('large', ['ASSET_VIEWER']),
    ))
      parts.push(data.toString());
    expect(parts.join('')).toContain(`"volume":9007199254740991,`);
    expect(parts.join('')).toContain(`"end":"${issuance}_9007199254740993"`);
  });

  test('leaves out what is expired, reserved, retired, offramped or held outside of the channel', async () => {
    const expiring = issuanceOf('h', {
      salesChannelId: 'states',
      traderId: 'states-a',
      expirationDate: '2999-01-01T00:00:00.000Z',
    });
    await applyIssuances(ledger, [expiring, issuanceOf('states-a')]);
    expect(await listInventory(ledger, 'states-a')).toMatchObject([{ expirationDate: '2999-01-01T00:00:00.000Z' }]);
    await expire(ledger, expiring.issuanceId);
    const issuance = await issue(ledger, 'states', 'states-a');
    await settle(ledger, tradeOf('states-a', 'states-b', [[issuance, 1, 1]], { autoApproval: false }));
    await settle(ledger, retirementOf('states-a', [[issuance, 2, 2]]));
    await settle(ledger, offrampOf('states-a', [[issuance, 3, 3]]));
    expect((await listInventory(ledger, 'states-a')).map(({ start }) => start)).toEqual([`${issuance}_4`]);
    expect(await listInventory(ledger, 'states-b')).toEqual([]);
  });

  test('streams 2,000 bundles in a stable order', async () => {
    const issuances = Array.from({ length: 2_000 }, () =>
      issuanceOf('h', { salesChannelId: 'many', traderId: 'many-a' }),
    );
    for (let at = 0; at < issuances.length; at += 500) await applyIssuances(ledger, issuances.slice(at, at + 500));
    let chunks = 0;
    for await (const { data } of ledger.gateway.ListInventory(
      { traderId: 'many-a' },
      await asUser('many', ['ASSET_VIEWER']),
    ))
      chunks += data.length > 0 ? 1 : 0;
    expect(chunks).toBeGreaterThan(2);
    expect((await listInventory(ledger, 'many-a')).map(({ issuanceId }) => issuanceId)).toEqual(
      issuances.map(({ issuanceId }) => issuanceId).toSorted(),
    );
  });

  test('more readers at once than may read, some of which go away, all get theirs', async () => {
    await issue(ledger, 'readers', 'readers-a');
    const options = await asUser('many', ['ASSET_VIEWER']);
    const leaving = Array.from({ length: 6 }, async () => {
      for await (const chunk of ledger.gateway.ListInventory({ traderId: 'many-a' }, options)) if (chunk) break;
    });
    const staying = Array.from({ length: 20 }, () => listInventory(ledger, 'readers-a'));
    await Promise.all(leaving);
    for (const bundles of await Promise.all(staying)) expect(bundles).toHaveLength(1);
  });

  test("another channel's trader is not-found, like one that does not exist", async () => {
    await issue(ledger, 'mine', 'mine-a');
    const errors = [
      await failureOf(listInventory(ledger, 'mine-a', 'yours')),
      await failureOf(listInventory(ledger, 'nobody', 'yours')),
    ];
    expect(errors).toMatchObject([{ code: 'not-found' }, { code: 'not-found' }]);
    expect(errors[0]?.message).toBe(errors[1]?.message);
  });
});

describe('transactions', () => {
  test('of every kind and status, oldest first, as they are', async () => {
    const issuance = await issue(ledger, 'tx', 'tx-a', '1', '100');
    const parts: Part[] = [
      [issuance, 1, 5],
      [issuance, 6, 6],
    ];
    const trade = tradeOf('tx-a', 'tx-b', parts);
    trade.assets.forEach((asset, index) => (asset.unitPrice = ['0.100000', '999999999.999999'][index] ?? null));
    const { transactionId: first } = await settle(ledger, trade);
    const { transactionId: second } = await settle(ledger, retirementOf('tx-a', [[issuance, 7, 9]]));
    const { transactionId: third } = await settle(
      ledger,
      offrampOf('tx-a', [[issuance, 10, 10]], { autoApproval: false }),
    );
    const { transactionId: fourth } = await settle(
      ledger,
      tradeOf('tx-a', 'tx-b', [[issuance, 11, 12]], { autoApproval: false, currency: 'USD' }),
    );
    await decide(ledger, fourth, 'REJECT');
    const list = await transactionsOf('tx');
    expect(list).toMatchObject([
      {
        id: first,
        type: 'TRADE',
        status: 'SUCCESS',
        sellerId: 'tx-a',
        buyerId: 'tx-b',
        currency: 'EUR',
        assets: [
          { ...selectionOf([issuance, 1, 5]), unitPrice: 0.1, volume: 5 },
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
    const issuance = await issue(ledger, 'price', 'price-a');
    const request = tradeOf('price-a', 'price-b', [[issuance, 1, 1]]);
    (request.assets[0] as { unitPrice: string }).unitPrice = '999999999.100001';
    const { transactionId } = await settle(ledger, request);
    const { data } = await ledger.gateway.GetTransaction({ transactionId }, await administrator('price'));
    expect(data.toString()).toContain('"unitPrice":999999999.100001,');
  });

  test("another channel's, an issuance, and one that does not exist are not-found alike", async () => {
    const issuance = await issue(ledger, 'hidden', 'hidden-a');
    const { transactionId } = await settle(ledger, tradeOf('hidden-a', 'hidden-b', [[issuance, 1, 5]]));
    expect(await transaction('hidden', transactionId)).toMatchObject({ id: transactionId });
    for (const [channel, id] of [
      ['spy', transactionId],
      ['hidden', issuance],
      ['hidden', 'nothing'],
    ] as const) {
      expect(await failureOf(transaction(channel, id))).toMatchObject({ code: 'not-found' });
    }
    expect(await transactionsOf('spy')).toEqual([]);
  });
});

describe('CheckSelections', () => {
  const check = async (traderId: string, parts: readonly Part[], salesChannelId = traderId.split('-')[0] as string) =>
    (await ledger.tasks.CheckSelections({ checks: [{ salesChannelId, traderId, selections: parts.map(selectionOf) }] }))
      .verdicts[0]?.faults;

  test('says whether selections could be moved, each check on its own, and moves nothing', async () => {
    const issuance = await issue(ledger, 'check', 'check-a');
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
    const request = (traderId: string) => ({
      salesChannelId: 'check',
      traderId,
      selections: [selectionOf([issuance, 1, 10])],
    });
    const { verdicts } = await ledger.tasks.CheckSelections({
      checks: [request('check-a'), request('check-b'), request('check-a')],
    });
    expect(verdicts.map(({ faults }) => faults.length)).toEqual([0, 1, 0]);
    expect(await listInventory(ledger, 'check-a')).toHaveLength(1);
  });

  test.each(serviceNames.filter((name) => name !== 'tasks'))('is not for %s', async (name) => {
    const client = await callAs(name, services.selectionChecks, ledger.service.address);
    expect(await failureOf(client.CheckSelections({ checks: [] }))).toMatchObject({ code: 'forbidden' });
    client.close();
  });
});

describe('facilities and suppliers', () => {
  const facilityUser = (roles: Parameters<typeof asUser>[1] = ['PRODUCTIONFACILITY_VIEWER']) => asUser('any', roles);

  test('are read by any channel', async () => {
    const [row] = await ledger.sql<{ id: string; supplier_id: string }>(
      'select id, supplier_id from production_facility where code = ?',
      [FACILITY],
    );
    const facility = {
      id: row?.id,
      code: FACILITY,
      name: 'Northern Biochar',
      countryCode: 'NA',
      methodologyCodes: ['C03000000'],
    };
    expect(
      await ledger.gateway.GetProductionFacility({ productionFacilityId: row?.id ?? '' }, await facilityUser()),
    ).toMatchObject(facility);
    const listed: unknown[] = [];
    for await (const each of ledger.gateway.ListProductionFacilities({}, await facilityUser())) listed.push(each);
    expect(listed).toMatchObject([facility]);
    expect(
      await ledger.gateway.GetSupplier({ supplierId: row?.supplier_id ?? '' }, await facilityUser(['SUPPLIER_VIEWER'])),
    ).toEqual({
      id: row?.supplier_id,
      name: 'Northern Carbon',
      countryCode: 'NA',
    });
  });

  test('unknown ones are not-found', async () => {
    expect(
      await failureOf(ledger.gateway.GetProductionFacility({ productionFacilityId: 'x' }, await facilityUser())),
    ).toMatchObject({ code: 'not-found' });
    expect(
      await failureOf(ledger.gateway.GetSupplier({ supplierId: 'x' }, await facilityUser(['SUPPLIER_VIEWER']))),
    ).toMatchObject({ code: 'not-found' });
  });
});

test('every read wants its role, a binding, and a user', async () => {
  const reads: [string, (options: { principalToken: string }) => Promise<unknown>][] = [
    ['ASSET_VIEWER', (options) => jsonOf(ledger.gateway.ListInventory({ traderId: 'role-a' }, options))],
    ['TRANSACTION_ADMINISTRATOR', (options) => jsonOf(ledger.gateway.ListTransactions({}, options))],
    ['TRANSACTION_ADMINISTRATOR', (options) => ledger.gateway.GetTransaction({ transactionId: 'x' }, options)],
    [
      'PRODUCTIONFACILITY_VIEWER',
      (options) => ledger.gateway.GetProductionFacility({ productionFacilityId: 'x' }, options),
    ],
    ['SUPPLIER_VIEWER', (options) => ledger.gateway.GetSupplier({ supplierId: 'x' }, options)],
  ];
  for (const [role, read] of reads) {
    const others = [
      'ASSET_VIEWER',
      'ASSET_OFFRAMPER',
      'TRANSACTION_ADMINISTRATOR',
      'ROLE_ADMINISTRATOR',
      'PRODUCTIONFACILITY_VIEWER',
      'SUPPLIER_VIEWER',
      'EVENT_VIEWER',
    ] as const;
    expect(
      await failureOf(
        read(
          await asUser(
            'role',
            others.filter((each) => each !== role),
          ),
        ),
      ),
    ).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(read(await asUser(undefined, [role as 'ASSET_VIEWER'])))).toMatchObject({
      code: 'forbidden',
    });
    expect(await failureOf(read(await asRegistry()))).toMatchObject({ code: 'forbidden' });
  }
});
