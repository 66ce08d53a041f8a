import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Issuance } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
import type { RegistryFacility } from '@saleschannel/contracts/gen/inventory/v1/RegistryFacility';
import { asRegistry, asUser, failureOf } from '@saleschannel/testing';
import { audit } from './audit.ts';
import {
  applyIssuances,
  decide,
  expire,
  FACILITY,
  issuanceOf,
  issue,
  offrampOf,
  putFacility,
  rangesOf,
  selectionOf,
  settle,
  startLedger,
  tradeOf,
  type Part,
  type TestLedger,
} from './support.ts';

/** The registry's side of the ledger. */

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
  await putFacility(ledger);
});
afterAll(async () => {
  await audit(ledger).finally(() => ledger.stop());
});

describe('ApplyFacilities', () => {
  const facility: RegistryFacility = {
    code: 'ABC123',
    name: 'Plant',
    country: 'FI',
    methodologyCodes: ['m1', 'm2'],
    supplier: 'Supplier One',
  };
  const apply = async (...facilities: RegistryFacility[]) =>
    (await ledger.registryImport.ApplyFacilities({ facilities }, await asRegistry())).results;
  const read = async (code: string) => ledger.registryGateway.GetFacility({ code }, await asRegistry());

  test('creates, leaves as it is, and updates by code; a missing optional field clears it', async () => {
    const full = {
      ...facility,
      gsrn: '643002406801000001',
      creditingPeriod: { start: '2024-01-01T02:00:00+02:00', end: '2033-12-31T00:00:00Z' },
    };
    expect(await apply(full)).toMatchObject([{ outcome: 'CREATED' }]);
    expect(await apply(full)).toMatchObject([{ outcome: 'UNCHANGED' }]);
    const first = await read('ABC123');
    expect(first).toMatchObject({
      ...full,
      creditingPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2033-12-31T00:00:00.000Z' },
    });
    expect(await apply({ ...facility, name: 'Plant II', supplier: 'Supplier Two' })).toMatchObject([
      { outcome: 'UPDATED' },
    ]);
    const second = await read('ABC123');
    expect(second).toMatchObject({ id: first.id, name: 'Plant II', supplier: 'Supplier Two' });
    expect(second.gsrn).toBeUndefined();
    expect(second.creditingPeriod).toBeNull();
    expect(second.supplierId).not.toBe(first.supplierId);
  });

  test.each<[string, Partial<RegistryFacility>, string]>([
    ['a code of five', { code: 'ABC12' }, '#/code'],
    ['a code with a hyphen', { code: 'ABC-12' }, '#/code'],
    ['an empty name', { name: '' }, '#/name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, '#/name'],
    ['a name with NUL', { name: 'x\0' }, '#/name'],
    ['a country in lower case', { country: 'fi' }, '#/country'],
    ['no supplier', { supplier: '' }, '#/supplier'],
    ['an empty methodology', { methodologyCodes: ['m', ''] }, '#/methodologyCodes/1'],
    [
      'a period of no dates',
      { creditingPeriod: { start: 'x', end: '2024-02-30T00:00:00Z' } },
      '#/creditingPeriod/start,#/creditingPeriod/end',
    ],
    [
      'a period backwards',
      { creditingPeriod: { start: '2025-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' } },
      '#/creditingPeriod/end',
    ],
  ])('refuses %s, and applies the others', async (_name, fields, pointers) => {
    const results = await apply({ ...facility, ...fields }, { ...facility, code: 'GOOD01' });
    expect(results[0]).toMatchObject({ outcome: 'REFUSED', code: 'invalid-request' });
    expect(
      (JSON.parse(results[0]?.violationsJson ?? '') as { pointer: string }[]).map(({ pointer }) => pointer).join(),
    ).toBe(pointers);
    expect(results[1]?.outcome).not.toBe('REFUSED');
  });

  test('many at once make one facility and one supplier', async () => {
    const results = (
      await Promise.all(Array.from({ length: 10 }, () => apply({ ...facility, code: 'RACE01', supplier: 'Raced' })))
    ).flat();
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual([
      'CREATED',
      ...Array<string>(9).fill('UNCHANGED'),
    ]);
    expect(await ledger.sql("select count(*)::int as count from supplier where name = 'Raced'")).toEqual([
      { count: 1 },
    ]);
  });

  test('pages and single ones; an unknown code is not-found', async () => {
    const { total, facilities } = await ledger.registryGateway.ListFacilities(
      { limit: 2, offset: 1 },
      await asRegistry(),
    );
    expect(Number(total)).toBeGreaterThan(2);
    expect(facilities).toHaveLength(2);
    expect(await failureOf(read('NONE00'))).toMatchObject({ code: 'not-found' });
  });
});

describe('ApplyIssuances', () => {
  const outcomes = async (...issuances: Issuance[]) =>
    (await applyIssuances(ledger, issuances)).map(({ outcome }) => outcome);

  test('is idempotent by id, whatever the case of the id and the offset of the dates', async () => {
    const issuance = issuanceOf('holder');
    expect(await outcomes(issuance)).toEqual(['CREATED']);
    expect(
      await outcomes(issuance, {
        ...issuance,
        issuanceId: issuance.issuanceId.toUpperCase(),
        issuingDate: '2025-02-01T01:00:00+01:00',
      }),
    ).toEqual(['UNCHANGED', 'UNCHANGED']);
    expect(
      await ledger.sql('select count(*)::int as count from bundle where issuance_id = ?', [issuance.issuanceId]),
    ).toEqual([{ count: 3 }]);
  });

  test('refuses what contradicts the one that is stored, in any field', async () => {
    const issuance = issuanceOf('holder', { salesChannelId: 'reg', traderId: 'reg-a' });
    await outcomes(issuance);
    const changes: Partial<Issuance>[] = [
      { lastSerial: '11' },
      { firstSerial: '01' },
      { vintage: 2023 },
      { accountHolderId: 'x' },
      { creditType: 'x' },
      { traderId: 'reg-b' },
      { expirationDate: '2030-01-01T00:00:00Z' },
      { salesChannelId: undefined, traderId: undefined } as never,
    ];
    const results = await applyIssuances(
      ledger,
      changes.map((change) => ({ ...issuance, ...change })),
    );
    expect(results.map(({ outcome, code }) => `${outcome} ${code}`)).toEqual([
      ...Array<string>(8).fill('REFUSED request-refused'),
    ]);
    expect(await rangesOf(ledger, 'reg-a', issuance.issuanceId)).toEqual(['1-10']);
  });

  test('of equal ids in one batch the first one counts', async () => {
    const issuance = issuanceOf('holder');
    expect(await outcomes(issuance, issuance, { ...issuance, lastSerial: '11' })).toEqual([
      'CREATED',
      'UNCHANGED',
      'REFUSED',
    ]);
  });

  test.each<[string, Partial<Issuance>, string]>([
    ['an id that is no UUID', { issuanceId: 'one' }, '#/issuanceId uuid'],
    ['an unknown facility', { productionFacilityCode: 'NONE00' }, '#/productionFacilityCode unknown-reference'],
    ['a facility code with NUL', { productionFacilityCode: 'A\0' }, '#/productionFacilityCode unknown-reference'],
    ['a standard with an underscore', { standard: 'PU_RO' }, '#/standard pattern'],
    ['a registry with a space', { registry: 'P R' }, '#/registry pattern'],
    ['a registry with NUL', { registry: 'P\0' }, '#/registry pattern'],
    ['no credit type', { creditType: '' }, '#/creditType length'],
    ['no account holder', { accountHolderId: '' }, '#/accountHolderId length'],
    ['a vintage of three digits', { vintage: 999 }, '#/vintage range'],
    [
      'production that ends before it starts',
      { productionEndDate: '2023-01-01T00:00:00Z' },
      '#/productionEndDate order',
    ],
    ['30 February', { issuingDate: '2024-02-30T00:00:00Z' }, '#/issuingDate date-time'],
    ['a date without a time', { issuingDate: '2024-02-03' }, '#/issuingDate date-time'],
    ['a time without an offset', { issuingDate: '2024-02-03T00:00:00' }, '#/issuingDate date-time'],
    [
      'a date that only JavaScript can read',
      { expirationDate: '2024-02-03T00:00:00 GMT+2 (x)' },
      '#/expirationDate date-time',
    ],
    ['a channel without a trader', { salesChannelId: 'reg' }, '#/salesChannelId trader'],
    ['a trader without a channel', { traderId: 'reg-a' }, '#/salesChannelId trader'],
    ['serials of letters', { firstSerial: 'a' }, '#/firstSerial serial-not-digits'],
    ['a serial of 39 digits', { lastSerial: '1'.repeat(39) }, '#/firstSerial serial-too-long'],
    ['serials backwards', { firstSerial: '11' }, '#/firstSerial serial-order'],
    ['a serial from zero', { firstSerial: '0' }, '#/firstSerial serial-zero'],
    ['zeros in front and different widths', { firstSerial: '001' }, '#/firstSerial serial-width'],
    ['no serials', { firstSerial: '', lastSerial: '' }, '#/firstSerial serial-not-digits'],
  ])('refuses %s, and applies the others of the batch', async (_name, fields, violation) => {
    const results = await applyIssuances(ledger, [
      issuanceOf('holder', { issuanceId: randomUUID(), ...fields }),
      issuanceOf('holder'),
    ]);
    expect(results[0]?.outcome).toBe('REFUSED');
    expect(
      (JSON.parse(results[0]?.violationsJson ?? '') as { pointer: string; code: string }[]).map(
        ({ pointer, code }) => `${pointer} ${code}`,
      ),
    ).toEqual([violation]);
    expect(results[1]?.outcome).toBe('CREATED');
  });

  test('of old serials keeps the width', async () => {
    const issuance = issuanceOf('holder', {
      firstSerial: '000000000001',
      lastSerial: '000000000250',
      salesChannelId: 'old',
      traderId: 'old-a',
    });
    expect(await outcomes(issuance)).toEqual(['CREATED']);
    expect(await rangesOf(ledger, 'old-a')).toEqual(['000000000001-000000000250']);
  });

  test('is for the import service alone', async () => {
    expect(await failureOf(ledger.registryGateway.ApplyIssuances({ issuances: [] }, await asRegistry()))).toMatchObject(
      { code: 'forbidden' },
    );
    expect(
      await failureOf(ledger.registryGateway.ApplyFacilities({ facilities: [] }, await asRegistry())),
    ).toMatchObject({ code: 'forbidden' });
  });
});

describe('Onramp', () => {
  const onramp = async (parts: Part[], accountHolderId = 'ramp', traderId = 'ramp-a') => {
    const assets = parts.map(selectionOf);
    const { data } = await ledger.registryImport.Onramp(
      { accountHolderId, salesChannelId: 'ramp', traderId, assets },
      await asRegistry(),
    );
    return JSON.parse(data.toString()) as { transactionId: string };
  };
  const held = async (): Promise<string> => {
    const issuance = issuanceOf('ramp');
    await applyIssuances(ledger, [issuance]);
    return issuance.issuanceId;
  };

  test('moves what an account holder holds to its trader, also what came back by offramp', async () => {
    const issuance = await held();
    expect(
      await onramp([
        [issuance, 1, 4],
        [issuance, 5, 6],
      ]),
    ).toMatchObject({ type: 'ONRAMP', status: 'SUCCESS', sellerId: 'ramp', buyerId: 'ramp-a', salesChannelId: 'ramp' });
    expect(await rangesOf(ledger, 'ramp-a', issuance)).toEqual(['1-4', '5-6']);
    await settle(ledger, offrampOf('ramp-a', [[issuance, 1, 4]], { sellerAccountHolderId: 'ramp' }));
    expect(await rangesOf(ledger, 'ramp-a', issuance)).toEqual(['5-6']);
    await onramp([[issuance, 1, 2]]);
    expect(await rangesOf(ledger, 'ramp-a', issuance)).toEqual(['1-2', '5-6']);
  });

  test('refuses, all or nothing, with every fault', async () => {
    const [issuance, other] = [await held(), await held()];
    const failure = await failureOf(
      onramp([
        [issuance, 1, 4],
        [issuance, 6, 7],
        [other, 1, 11],
      ]),
    );
    expect(failure).toMatchObject({
      code: 'request-refused',
      violations: [
        { pointer: '#/assets/1/start', code: 'bundle-start' },
        { pointer: '#/assets/2/end', code: 'bundle-end' },
      ],
    });
    expect(await failureOf(onramp([[issuance, 1, 4]], 'other'))).toMatchObject({
      code: 'request-refused',
      violations: [{ code: 'bundle-start' }],
    });
    expect(await failureOf(onramp([['x', 1, 4]]))).toMatchObject({ code: 'request-refused' });
    const onBehalfOfUser = await asUser('ramp', ['TRADER_ADMINISTRATOR']);
    expect(await failureOf(ledger.registryImport.Onramp({ accountHolderId: 'ramp' }, onBehalfOfUser))).toMatchObject({
      code: 'forbidden',
    });
    await expire(ledger, issuance);
    expect(await failureOf(onramp([[issuance, 1, 4]]))).toMatchObject({ violations: [{ code: 'expired' }] });
    expect(await rangesOf(ledger, 'ramp-a', issuance)).toEqual([]);
  });
});

describe('GetCertificateHistory', () => {
  const history = async (certificate: string) =>
    JSON.parse(
      (await ledger.registryGateway.GetCertificateHistory({ certificate }, await asRegistry())).data.toString(),
    ) as Record<string, unknown>[];

  test('tells every step, from which bundle into which', async () => {
    const issuance = issuanceOf('hist');
    await applyIssuances(ledger, [issuance]);
    const id = issuance.issuanceId;
    await ledger.registryImport.Onramp(
      { accountHolderId: 'hist', salesChannelId: 'hist', traderId: 'hist-a', assets: [selectionOf([id, 1, 8])] },
      await asRegistry(),
    );
    // Met together: all of one millisecond.
    const requests = [
      tradeOf('hist-a', 'hist-b', [[id, 1, 5]]),
      tradeOf('hist-b', 'hist-a', [[id, 1, 3]]),
      tradeOf('hist-a', 'hist-b', [[id, 1, 2]]),
    ];
    await ledger.publisher.publish('tasks.transfer.requested.v1', requests);
    const { transactionId } = await settle(ledger, tradeOf('hist-b', 'hist-a', [[id, 1, 2]], { autoApproval: false }));
    await decide(ledger, transactionId, 'REJECT');
    await settle(ledger, offrampOf('hist-b', [[id, 1, 2]], { sellerAccountHolderId: 'hist' }));
    const range = (first: number, last: number) => selectionOf([id, first, last]);
    expect(await history(`${id}_2`)).toMatchObject([
      { type: 'ISSUANCE', transactionId: id, from: null, bundle: range(1, 10), fromOwner: null, toOwner: 'hist' },
      { type: 'ONRAMP', from: range(1, 10), bundle: range(1, 8), fromOwner: 'hist', toOwner: 'hist-a' },
      { type: 'TRADE', from: range(1, 8), bundle: range(1, 5), fromOwner: 'hist-a', toOwner: 'hist-b' },
      { type: 'TRADE', from: range(1, 5), bundle: range(1, 3), fromOwner: 'hist-b', toOwner: 'hist-a' },
      { type: 'TRADE', from: range(1, 3), bundle: range(1, 2), fromOwner: 'hist-a', toOwner: 'hist-b' },
      { type: 'TRADE', status: 'REJECTED', transactionId, bundle: range(1, 2) },
      { type: 'OFFRAMP', from: range(1, 2), fromOwner: 'hist-b', toOwner: 'hist' },
    ]);
    expect((await history(`${id.toUpperCase()}_9`)).map(({ type }) => type)).toEqual(['ISSUANCE']);
  });

  test.each([['a serial beyond'], ['no UUID'], ['no serial'], ['nothing']])('of %s is not-found', async (what) => {
    const id = await issue(ledger, 'none', 'none-a');
    const text = { 'a serial beyond': `${id}_11`, 'no UUID': 'x_1', 'no serial': `${id}_`, nothing: '' }[
      what
    ] as string;
    expect(await failureOf(history(text))).toMatchObject({ code: 'not-found' });
  });
});

describe('pages of the registry', () => {
  type Document = Record<string, unknown>;
  const pages = async (rpc: 'ListCertificates' | 'ListRegistryTransactions'): Promise<Document[]> => {
    const all: Document[] = [];
    for (;;) {
      const { total, data } = await ledger.registryGateway[rpc]({ limit: 7, offset: all.length }, await asRegistry());
      const page = JSON.parse(data.toString()) as Document[];
      all.push(...page);
      if (page.length < 7) {
        expect(all).toHaveLength(Number(total));
        return all;
      }
    }
  };

  test('hold every certificate that is in use once, with its owner', async () => {
    const [listed, own] = [await issue(ledger, 'page', 'page-a'), issuanceOf('page')];
    await applyIssuances(ledger, [own]);
    await settle(ledger, tradeOf('page-a', 'page-b', [[listed, 1, 4]], { autoApproval: false }));
    await settle(ledger, offrampOf('page-a', [[listed, 5, 7]]));
    const all = await pages('ListCertificates');
    expect(new Set(all.map((each) => each['certificateId'])).size).toBe(all.length);
    expect(all.filter((each) => each['issuanceId'] === listed)).toMatchObject([
      {
        start: `${listed}_1`,
        volume: 4,
        ownerType: 'TRADER',
        ownerId: 'page-a',
        salesChannelId: 'page',
        status: 'RESERVED',
      },
      {
        start: `${listed}_5`,
        volume: 3,
        ownerType: 'ACCOUNT_HOLDER',
        ownerId: 'holder-of-page-a',
        salesChannelId: null,
        status: 'HELD',
      },
      { start: `${listed}_8`, volume: 3, ownerType: 'TRADER', status: 'LISTABLE' },
    ]);
    expect(all.find((each) => each['issuanceId'] === own.issuanceId)).toMatchObject({
      status: 'HELD',
      ownerType: 'ACCOUNT_HOLDER',
      certificateId: `PURO_PR_CORC_100+_NA_${FACILITY}_2024_${own.issuanceId}_1-10`,
    });
  });

  test('hold every transaction once, oldest first; one is read by its id', async () => {
    const all = await pages('ListRegistryTransactions');
    expect(new Set(all.map((each) => each['transactionId'])).size).toBe(all.length);
    const times = all.map((each) => String(each['createdAt']));
    expect(times).toEqual(times.toSorted());
    const last = all.at(-1) as Document;
    const one = await ledger.registryGateway.GetRegistryTransaction(
      { transactionId: String(last['transactionId']) },
      await asRegistry(),
    );
    expect(JSON.parse(one.data.toString())).toEqual(last);
    expect(
      await failureOf(ledger.registryGateway.GetRegistryTransaction({ transactionId: 'x' }, await asRegistry())),
    ).toMatchObject({ code: 'not-found' });
  });
});
