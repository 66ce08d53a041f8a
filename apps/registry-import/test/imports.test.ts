import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import {
  csv,
  ndjson,
  NDJSON,
  partsOf,
  facilityLine,
  holderLine,
  issuanceIdOf,
  issuanceLine,
  issuanceOf,
} from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
beforeEach(() => {
  registry.ledger.beforeApply = async () => undefined;
});
afterAll(() => registry.stop());

const businessIds = async (): Promise<string[]> => {
  const { accountHolders } = await registry.list({ limit: 100 });
  return accountHolders.map(({ businessId }) => businessId);
};

describe('NDJSON', () => {
  test('applies records of all types, and a repeated file changes nothing', async () => {
    const file = ndjson(
      holderLine('MIX-1'),
      facilityLine('MIXMIX'),
      issuanceLine(100, 'MIXMIX', 'MIX-1'),
      holderLine('MIX-2'),
    );
    const first = await registry.importFile(`\ufeff${file}\r\n\n  \n`);
    expect(counts(first)).toEqual({ status: 'COMPLETED', read: 4, applied: 4, failed: 0 });
    expect(first.completedAt).toBeDefined();
    const { effects } = registry.ledger;
    const holders = await businessIds();
    expect(holders.slice(-2)).toEqual(['MIX-1', 'MIX-2']);
    const second = await registry.importFile(file);
    expect(counts(second)).toEqual({ status: 'COMPLETED', read: 4, applied: 4, failed: 0 });
    expect(registry.ledger.effects).toBe(effects);
    expect(await businessIds()).toEqual(holders);
  });

  test('records may come in any order, over more than one batch', async () => {
    const many = Array.from({ length: 450 }, (_, index) => holderLine(`ORDER-${index}`));
    const issuances = [
      issuanceLine(200, 'ORDER1', 'ORDER-449'),
      issuanceLine(201, 'ORDER2', 'ORDER-449'),
      issuanceLine(202, 'ORDER1', 'nobody'),
    ];
    const done = await registry.importFile(ndjson(...issuances, ...many, facilityLine('ORDER1')));
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 454, applied: 452, failed: 2 });
    expect(await registry.errorsOf(done.importId)).toEqual([
      {
        line: 2,
        code: 'unknown-reference',
        detail: 'productionFacilityCode: There is no production facility with this code.',
      },
      { line: 3, code: 'unknown-account-holder', detail: 'accountHolderBusinessId: There is no such account holder.' },
    ]);
    expect(registry.ledger.issuances.has(issuanceIdOf(200))).toBe(true);
  });

  test('an invalid line is an error, and the others are applied', async () => {
    const accountHolderId = await registry.createHolder('BAD-0');
    const file = [
      JSON.stringify(holderLine('BAD-1')),
      '{"type":"account-holder",',
      '',
      JSON.stringify({ ...holderLine('BAD-2'), nam: 'x' }),
      JSON.stringify(holderLine('BAD-1', 'Other name')),
      JSON.stringify({ ...facilityLine('BADBAD'), country: 'Norway' }),
      JSON.stringify({
        type: 'issuance',
        ...issuanceOf(300, 'BADBAD'),
        accountHolderId,
        salesChannelId: 'nowhere',
      }),
      'x'.repeat(1024 * 1024 + 1),
      JSON.stringify(holderLine('BAD-3')),
    ];
    const bytes = Buffer.concat([Buffer.from(file.join('\n')), Buffer.from([0x0a, 0x22, 0xff, 0x22])]);
    const done = await registry.importFile(bytes);
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 9, applied: 2, failed: 7 });
    expect(await registry.errorsOf(done.importId)).toMatchObject([
      { line: 2, code: 'json' },
      { line: 4, code: 'unknown-member', detail: 'nam: is not a known member' },
      {
        line: 5,
        code: 'contradicts-stored',
        detail: 'There is an account holder with this business id and other content.',
      },
      { line: 6, code: 'pattern', detail: 'country: must be two upper-case letters' },
      { line: 7, code: 'not-onboarded', detail: expect.stringContaining('salesChannelId') },
      { line: 8, code: 'line-too-long' },
      { line: 10, code: 'encoding' },
    ]);
  });

  test('a line that contradicts stored records is an error without effect', async () => {
    await registry.importFile(
      ndjson(holderLine('CON-1'), facilityLine('CONCON'), issuanceLine(400, 'CONCON', 'CON-1')),
    );
    const { effects } = registry.ledger;
    const other = { ...issuanceLine(400, 'CONCON', 'CON-1'), lastSerial: '501' };
    const done = await registry.importFile(ndjson({ ...holderLine('CON-1'), autoApproval: false }, other));
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 2, applied: 0, failed: 2 });
    expect(await registry.errorsOf(done.importId)).toMatchObject([
      { line: 1, code: 'contradicts-stored' },
      { line: 2, code: 'contradiction' },
    ]);
    expect(registry.ledger.effects).toBe(effects);
  });

  test('lists an issuance for the accepted trader', async () => {
    const accountHolderId = await registry.createHolder('LISTED-1');
    const traderId = registry.traders.onboard(accountHolderId, 'channel');
    await registry.importFile(
      ndjson(facilityLine('LISTED'), { ...issuanceLine(500, 'LISTED', 'LISTED-1'), salesChannelId: 'channel' }),
    );
    expect(registry.ledger.issuances.get(issuanceIdOf(500))).toMatchObject({
      accountHolderId,
      salesChannelId: 'channel',
      traderId,
      creditTypeId: 'NCR200_PLUS',
    });
  });

  test('a repeated record counts as applied, without a second effect', async () => {
    const { effects } = registry.ledger;
    const line = issuanceLine(600, 'TWICE1', 'TWICE');
    const done = await registry.importFile(
      ndjson(holderLine('TWICE'), holderLine('TWICE'), facilityLine('TWICE1'), facilityLine('TWICE1'), line, line),
    );
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 6, applied: 6, failed: 0 });
    expect(registry.ledger.effects).toBe(effects + 2);
  });

  test('an empty file is complete', async () => {
    expect(counts(await registry.importFile(''))).toEqual({ status: 'COMPLETED', read: 0, applied: 0, failed: 0 });
  });

  test('files of an account holder are applied in order', async () => {
    const accountHolderId = newId();
    const started = [];
    for (const record of [holderLine('SEQ-1'), facilityLine('SEQSEQ'), issuanceLine(700, 'SEQSEQ', 'SEQ-1')])
      started.push(await registry.startImport(partsOf(ndjson(record), NDJSON), accountHolderId));
    for (const { importId } of started)
      expect(counts(await registry.finished(importId))).toMatchObject({ applied: 1, failed: 0 });
  });

  test('a record on which the ledger fails does not block others', async () => {
    const failing = 'FAILED';
    registry.ledger.beforeApply = async (keys) => {
      if (keys.includes(failing)) throw new Error('The ledger fails.');
    };
    const done = await registry.importFile(
      ndjson(facilityLine('BEFORE'), facilityLine(failing), facilityLine('AFTER1')),
    );
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 3, applied: 2, failed: 1 });
    expect(await registry.errorsOf(done.importId)).toMatchObject([{ line: 2, code: 'internal' }]);
  });

  test('an outage of the ledger fails no line', async () => {
    let refusals = 3;
    registry.ledger.beforeApply = async () => {
      if (refusals-- > 0) throw new DomainError('unavailable', 'Not now.');
    };
    expect(counts(await registry.importFile(ndjson(facilityLine('PATIEN'))))).toMatchObject({ applied: 1, failed: 0 });
  });
});

describe('CSV', () => {
  test('account holders', async () => {
    const file =
      'name,businessId,address.postalCode,address.city,address.country,address.street1,autoApproval\r\n' +
      '"Kalk, ""A"" AS",CSV-1,3208,Sandefjord,Norway,"Vei 9, Oppgang B",false\r\n' +
      'Two lines,CSV-4,3208,Sandefjord,Norway,"Vei 9\r\nOppgang B",false\r\n\r\n' +
      'No country,CSV-2,3208,Sandefjord,,Vei 9,\r\n' +
      'Open,"CSV-3,3208,Sandefjord,Norway,Vei 9,true';
    const done = await registry.importFile(file, csv('account-holder'));
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 4, applied: 1, failed: 3 });
    expect(await registry.errorsOf(done.importId)).toMatchObject([
      { line: 3, code: 'pattern', detail: 'address.street1: must not contain control characters' },
      { line: 6, code: 'required', detail: 'address.country: is required' },
      { line: 7, code: 'csv' },
    ]);
    const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Vei 9, Oppgang B' };
    const same = { name: 'Kalk, "A" AS', businessId: 'CSV-1', address, autoApproval: false };
    expect(await registry.create(same)).toMatchObject({ created: false });
  });

  test('facilities and issuances', async () => {
    const facilities =
      'code,name,country,methodologyCodes,supplier,creditingPeriod.start,creditingPeriod.end\n' +
      'CSVCSV,Plant,NO,M1;M2,S,2024-01-01T00:00:00Z,2033-12-31T00:00:00Z\n';
    const applied = { status: 'COMPLETED', applied: 1, failed: 0 };
    expect(counts(await registry.importFile(facilities, csv('production-facility')))).toMatchObject(applied);
    expect(registry.ledger.facilities.get('CSVCSV')?.facility).toMatchObject({
      methodologyCodes: ['M1', 'M2'],
      creditingPeriod: { start: '2024-01-01T00:00:00Z' },
    });
    await registry.createHolder('CSV-4');
    const members = {
      ...issuanceOf(800, 'CSVCSV'),
      firstSerial: '0001',
      lastSerial: '0500',
      accountHolderBusinessId: 'CSV-4',
    };
    const issuances = `\ufeff${Object.keys(members).join(',')}\n${Object.values(members).join(',')}\n`;
    expect(counts(await registry.importFile(issuances, csv('issuance')))).toMatchObject(applied);
    expect(registry.ledger.issuances.get(members.issuanceId)).toMatchObject({ firstSerial: '0001', vintage: 2024 });
  });

  test('an invalid header: FAILED, and nothing applied', async () => {
    const done = await registry.importFile('\nname,business\nx,y\n', csv('account-holder'));
    expect(counts(done)).toEqual({ status: 'FAILED', read: 1, applied: 0, failed: 1 });
    expect(await registry.errorsOf(done.importId)).toMatchObject([
      { line: 2, code: 'unknown-column', detail: expect.stringContaining('"business"') },
    ]);
  });

  test('many records, more than one batch and chunk', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `CODE${index},${'x'.repeat(200)},NO,M,S`);
    const file = `code,name,country,methodologyCodes,supplier\n${rows.join('\n')}`;
    const done = await registry.importFile(file, csv('production-facility'));
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 1_500, applied: 1_500, failed: 0 });
    expect(registry.ledger.facilities.has('CODE1499')).toBe(true);
  });
});
