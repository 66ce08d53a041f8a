import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ImportPart } from '@saleschannel/contracts/gen/registry_import/v1/ImportPart';
import { DomainError } from '@saleschannel/errors';
import { asRegistry, eventually, failureOf } from '@saleschannel/testing';
import {
  counts,
  createHolder,
  csv,
  errorsOf,
  facilityFields,
  finished,
  holderFields,
  importFile,
  issuanceFields,
  NDJSON,
  ndjson,
  partsOf,
  registryImportAs,
  startWorld,
  type World,
} from './fixture.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.ledger.beforeApply = async () => undefined;
});
afterAll(() => world.stop());

const holderLine = (businessId: string, name?: string) => ({
  type: 'account-holder',
  ...holderFields(businessId, name),
});
const facilityLine = (code: string) => ({ type: 'production-facility', ...facilityFields(code) });
const issuanceLine = (number: number, code: string, businessId: string) => ({
  type: 'issuance',
  ...issuanceFields(number, code),
  accountHolderBusinessId: businessId,
});

const holderNames = async (): Promise<string[]> => {
  const { accountHolders } = await world.client.ListAccountHolders({ limit: 100 }, await asRegistry());
  return accountHolders.map((holder) => holder.businessId);
};

describe('NDJSON', () => {
  test('applies records of all types, and sending the file again changes nothing', async () => {
    const file = ndjson(
      holderLine('MIX-1'),
      facilityLine('MIXMIX'),
      issuanceLine(100, 'MIXMIX', 'MIX-1'),
      holderLine('MIX-2'),
    );
    const first = await importFile(world.client, `\ufeff${file}\r\n\n  \n`);
    expect(counts(first)).toEqual({ status: 'COMPLETED', read: 4, applied: 4, failed: 0 });
    expect(first.completedAt).toBeDefined();
    const { effects } = world.ledger;
    const holders = await holderNames();
    expect(holders.slice(-2)).toEqual(['MIX-1', 'MIX-2']);
    const second = await importFile(world.client, file);
    expect(counts(second)).toEqual({ status: 'COMPLETED', read: 4, applied: 4, failed: 0 });
    expect(world.ledger.effects).toBe(effects);
    expect(await holderNames()).toEqual(holders);
  });

  test('records may come in any order, over more than one batch', async () => {
    const many = Array.from({ length: 450 }, (_, index) => holderLine(`ORDER-${index}`));
    const issuances = [
      issuanceLine(200, 'ORDER1', 'ORDER-449'),
      issuanceLine(201, 'ORDER2', 'ORDER-449'),
      issuanceLine(202, 'ORDER1', 'nobody'),
    ];
    const file = ndjson(...issuances, ...many, facilityLine('ORDER1'));
    const done = await importFile(world.client, file);
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 454, applied: 452, failed: 2 });
    expect(await errorsOf(world.client, done.importId)).toEqual([
      {
        line: 2,
        code: 'unknown-reference',
        detail: 'productionFacilityCode: There is no production facility with this code.',
      },
      { line: 3, code: 'unknown-account-holder', detail: 'accountHolderId: There is no such account holder.' },
    ]);
    expect(world.ledger.issuances.has(issuanceFields(200, '').issuanceId)).toBe(true);
  });

  test('a bad line is an error of that line, the others are applied', async () => {
    const holder = await createHolder(world.client, 'BAD-0');
    const file = [
      JSON.stringify(holderLine('BAD-1')),
      '{"type":"account-holder",',
      '',
      JSON.stringify({ ...holderLine('BAD-2'), nam: 'x' }),
      JSON.stringify(holderLine('BAD-1', 'Other name')),
      JSON.stringify({ ...facilityLine('BADBAD'), country: 'Norway' }),
      JSON.stringify({
        type: 'issuance',
        ...issuanceFields(300, 'BADBAD'),
        accountHolderId: holder,
        salesChannelId: 'nowhere',
      }),
      'x'.repeat(1024 * 1024 + 1),
      JSON.stringify(holderLine('BAD-3')),
    ];
    const bytes = Buffer.concat([Buffer.from(file.join('\n')), Buffer.from([0x0a, 0x22, 0xff, 0x22])]);
    const done = await importFile(world.client, bytes);
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 9, applied: 2, failed: 7 });
    expect(await errorsOf(world.client, done.importId)).toMatchObject([
      { line: 2, code: 'json' },
      { line: 4, code: 'unknown-member', detail: 'nam: There is no such member.' },
      { line: 5, code: 'contradicts-stored' },
      { line: 6, code: 'pattern', detail: 'country: must be two upper-case letters' },
      { line: 7, code: 'not-onboarded', detail: expect.stringContaining('salesChannelId') },
      { line: 8, code: 'line-too-long' },
      { line: 10, code: 'encoding' },
    ]);
  });

  test('a line that contradicts what is stored is an error, and changes nothing', async () => {
    await importFile(
      world.client,
      ndjson(holderLine('CON-1'), facilityLine('CONCON'), issuanceLine(400, 'CONCON', 'CON-1')),
    );
    const { effects } = world.ledger;
    const other = { ...issuanceLine(400, 'CONCON', 'CON-1'), lastSerial: '501' };
    const done = await importFile(world.client, ndjson({ ...holderLine('CON-1'), autoApproval: false }, other));
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 2, applied: 0, failed: 2 });
    expect(await errorsOf(world.client, done.importId)).toMatchObject([
      { line: 1, code: 'contradicts-stored' },
      { line: 2, code: 'contradiction' },
    ]);
    expect(world.ledger.effects).toBe(effects);
  });

  test('lists an issuance for the accepted trader', async () => {
    const holder = await createHolder(world.client, 'LISTED-1');
    const traderId = world.traders.onboard(holder, 'channel');
    await importFile(
      world.client,
      ndjson(facilityLine('LISTED'), { ...issuanceLine(500, 'LISTED', 'LISTED-1'), salesChannelId: 'channel' }),
    );
    expect(world.ledger.issuances.get(issuanceFields(500, '').issuanceId)).toMatchObject({
      accountHolderId: holder,
      salesChannelId: 'channel',
      traderId,
      creditTypeId: 'NCR200_PLUS',
    });
  });

  test('the same record twice in a file is applied twice, without a second effect', async () => {
    const { effects } = world.ledger;
    const line = issuanceLine(600, 'TWICE1', 'TWICE');
    const done = await importFile(
      world.client,
      ndjson(holderLine('TWICE'), holderLine('TWICE'), facilityLine('TWICE1'), facilityLine('TWICE1'), line, line),
    );
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 6, applied: 6, failed: 0 });
    expect(world.ledger.effects).toBe(effects + 2);
  });

  test('an empty file is complete', async () => {
    expect(counts(await importFile(world.client, ''))).toEqual({ status: 'COMPLETED', read: 0, applied: 0, failed: 0 });
  });

  test('files are applied in the order in which they were sent', async () => {
    const started = [];
    for (const record of [holderLine('SEQ-1'), facilityLine('SEQSEQ'), issuanceLine(700, 'SEQSEQ', 'SEQ-1')]) {
      started.push(await world.client.StartImport(partsOf(ndjson(record), NDJSON), await asRegistry()));
    }
    for (const { importId } of started)
      expect(counts(await finished(world.client, importId))).toMatchObject({ applied: 1, failed: 0 });
  });

  test('a record on which the ledger chokes holds up no other', async () => {
    const poison = facilityFields('POISON').code;
    world.ledger.beforeApply = async (keys) => {
      if (keys.includes(poison)) throw new Error('out of ideas');
    };
    const done = await importFile(
      world.client,
      ndjson(facilityLine('BEFORE'), facilityLine(poison), facilityLine('AFTER1')),
    );
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 3, applied: 2, failed: 1 });
    expect(await errorsOf(world.client, done.importId)).toMatchObject([{ line: 2, code: 'internal' }]);
  });

  test('a ledger that is unavailable for a while fails no line', async () => {
    let refusals = 3;
    world.ledger.beforeApply = async () => {
      if (refusals-- > 0) throw new DomainError('unavailable', 'Not now.');
    };
    expect(counts(await importFile(world.client, ndjson(facilityLine('PATIEN'))))).toMatchObject({
      applied: 1,
      failed: 0,
    });
  });
});

describe('CSV', () => {
  test('account holders', async () => {
    const file =
      'name,businessId,address.postalCode,address.city,address.country,address.street1,autoApproval\r\n' +
      '"Kalk, ""A"" AS",CSV-1,3208,Sandefjord,Norway,"Vei 9\r\nOppgang B",false\r\n\r\n' +
      'No country,CSV-2,3208,Sandefjord,,Vei 9,\r\n' +
      'Open,"CSV-3,3208,Sandefjord,Norway,Vei 9,true';
    const done = await importFile(world.client, file, csv('account-holder'));
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 3, applied: 1, failed: 2 });
    expect(await errorsOf(world.client, done.importId)).toMatchObject([
      { line: 5, code: 'required', detail: 'address.country: It is required.' },
      { line: 6, code: 'csv' },
    ]);
    const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Vei 9\r\nOppgang B' };
    const same = { name: 'Kalk, "A" AS', businessId: 'CSV-1', address, autoApproval: false };
    expect(await world.client.CreateAccountHolder(same, await asRegistry())).toMatchObject({ created: false });
  });

  test('facilities and issuances', async () => {
    const facilities =
      'code,name,country,methodologyCodes,supplier,creditingPeriod.start,creditingPeriod.end\nCSVCSV,Plant,NO,M1;M2,S,2024-01-01T00:00:00Z,2033-12-31T00:00:00Z\n';
    expect(counts(await importFile(world.client, facilities, csv('production-facility')))).toMatchObject({
      status: 'COMPLETED',
      applied: 1,
      failed: 0,
    });
    expect(world.ledger.facilities.get('CSVCSV')?.facility).toMatchObject({
      methodologyCodes: ['M1', 'M2'],
      creditingPeriod: { start: '2024-01-01T00:00:00Z' },
    });
    await createHolder(world.client, 'CSV-4');
    const members = {
      ...issuanceFields(800, 'CSVCSV'),
      firstSerial: '0001',
      lastSerial: '0500',
      accountHolderBusinessId: 'CSV-4',
    };
    const issuances = `${Object.keys(members).join(',')}\n${Object.values(members).join(',')}\n`;
    expect(counts(await importFile(world.client, `\ufeff${issuances}`, csv('issuance')))).toMatchObject({
      status: 'COMPLETED',
      applied: 1,
      failed: 0,
    });
    expect(world.ledger.issuances.get(members.issuanceId)).toMatchObject({ firstSerial: '0001', vintage: 2024 });
  });

  test('a header that cannot be used: FAILED, and nothing applied', async () => {
    const done = await importFile(world.client, '\nname,business\nx,y\n', csv('account-holder'));
    expect(counts(done)).toEqual({ status: 'FAILED', read: 0, applied: 0, failed: 0 });
    expect(await errorsOf(world.client, done.importId)).toMatchObject([
      { line: 2, code: 'unknown-column', detail: expect.stringContaining('"business"') },
    ]);
  });

  test('many records, more than one batch and chunk', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `CODE${index},${'x'.repeat(200)},NO,M,S`);
    const done = await importFile(
      world.client,
      `code,name,country,methodologyCodes,supplier\n${rows.join('\n')}`,
      csv('production-facility'),
    );
    expect(counts(done)).toEqual({ status: 'COMPLETED', read: 1_500, applied: 1_500, failed: 0 });
    expect(world.ledger.facilities.has('CODE1499')).toBe(true);
  });
});

describe('StartImport', () => {
  test('is PENDING when the file was taken', async () => {
    const started = await world.client.StartImport(partsOf(ndjson(holderLine('START-1')), NDJSON), await asRegistry());
    expect(counts(started)).toEqual({ status: 'PENDING', read: 0, applied: 0, failed: 0 });
    await finished(world.client, started.importId);
  });

  test.each([
    ['unsupported-media-type', { contentType: 'application/json' }],
    ['invalid-request', { contentType: 'text/csv' }],
    ['invalid-request', { contentType: 'text/csv', type: 'trader' }],
    ['invalid-request', { contentType: 'application/x-ndjson', type: 'issuance' }],
  ])('%s: %j', async (code, header) => {
    expect(await failureOf(world.client.StartImport(partsOf('', header), await asRegistry()))).toMatchObject({ code });
  });

  test('a refused upload is answered at once, and its sender is stopped', async () => {
    let isStopped = false;
    async function* endless(): AsyncGenerator<ImportPart> {
      try {
        yield { header: { contentType: 'application/json' }, part: 'header' };
        for (;;) yield { data: Buffer.alloc(65_536), part: 'data' };
      } finally {
        isStopped = true;
      }
    }
    expect(await failureOf(world.client.StartImport(endless(), await asRegistry()))).toMatchObject({
      code: 'unsupported-media-type',
    });
    await eventually(async () => isStopped);
  });

  test('invalid-request: no header, or a second one', async () => {
    async function* parts(first: ImportPart, second: ImportPart): AsyncGenerator<ImportPart> {
      yield first;
      yield second;
    }
    const data: ImportPart = { data: Buffer.from('{}'), part: 'data' };
    const header: ImportPart = { header: NDJSON, part: 'header' };
    expect(await failureOf(world.client.StartImport(parts(data, data), await asRegistry()))).toMatchObject({
      code: 'invalid-request',
    });
    expect(await failureOf(world.client.StartImport(parts(header, header), await asRegistry()))).toMatchObject({
      code: 'invalid-request',
    });
  });

  test('an upload that breaks off: FAILED, and nothing of it applied', async () => {
    const known = (await world.client.ListImports({ limit: 1 }, await asRegistry())).total;
    const isListed = () =>
      eventually(async () => {
        const { total, imports } = await world.client.ListImports({ limit: 1 }, await asRegistry());
        return total !== known && imports[0];
      });
    async function* broken(): AsyncGenerator<ImportPart> {
      yield* partsOf(
        `${ndjson(...Array.from({ length: 3_000 }, (_, index) => holderLine(`BROKEN-${index}`)))}\n`,
        NDJSON,
      );
      expect(await isListed()).toMatchObject({ status: 'PENDING' });
      throw new Error('the sender went away');
    }
    expect(await failureOf(world.client.StartImport(broken(), await asRegistry()))).toMatchObject({
      message: 'the sender went away',
    });
    const { importId } = await isListed();
    expect(counts(await finished(world.client, importId))).toEqual({
      status: 'FAILED',
      read: 0,
      applied: 0,
      failed: 0,
    });
    expect(await errorsOf(world.client, importId)).toMatchObject([{ line: 1, code: 'upload-incomplete' }]);
    expect(await world.client.CreateAccountHolder(holderFields('BROKEN-0'), await asRegistry())).toMatchObject({
      created: true,
    });
  });

  test('forbidden: another calling service', async () => {
    const other = await registryImportAs('tasks', world.service.address);
    expect(await failureOf(other.StartImport(partsOf('', NDJSON), await asRegistry()))).toMatchObject({
      code: 'forbidden',
    });
    other.close();
  });
});

describe('ListImports, GetImport, ListImportErrors', () => {
  test('newest first, page by page', async () => {
    const first = await importFile(world.client, '');
    const second = await importFile(world.client, '');
    const page = await world.client.ListImports({ limit: 2 }, await asRegistry());
    expect(page.imports).toEqual([second, first]);
    const next = await world.client.ListImports({ limit: 1, offset: 1 }, await asRegistry());
    expect(next).toEqual({ total: page.total, imports: [first] });
  });

  test('errors page by page, in the order of the file', async () => {
    const done = await importFile(world.client, Array.from({ length: 250 }, () => 'no json').join('\n'));
    const page = await world.client.ListImportErrors(
      { importId: done.importId, limit: 100, offset: 200 },
      await asRegistry(),
    );
    expect([page.total, page.errors.length, page.errors[0]?.line]).toEqual(['250', 50, '201']);
  });

  test('not-found: an unknown import', async () => {
    for (const importId of ['unknown', 'a\0b']) {
      expect(await failureOf(world.client.GetImport({ importId }, await asRegistry()))).toMatchObject({
        code: 'not-found',
      });
      expect(await failureOf(world.client.ListImportErrors({ importId, limit: 1 }, await asRegistry()))).toMatchObject({
        code: 'not-found',
      });
    }
  });

  test('invalid-request: no such page', async () => {
    expect(await failureOf(world.client.ListImports({ limit: 0 }, await asRegistry()))).toMatchObject({
      code: 'invalid-request',
    });
    expect(
      await failureOf(world.client.ListImportErrors({ importId: 'x', limit: 500 }, await asRegistry())),
    ).toMatchObject({ code: 'invalid-request' });
  });
});
