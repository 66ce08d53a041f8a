import { describe, expect, test } from '@jest/globals';
import { lineReader, readColumns, UnreadableFile } from './import-lines.ts';

const json = lineReader({ format: 'ndjson', type: null }, []);
const readJson = (value: unknown) => json(Buffer.from(JSON.stringify(value)));

const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };
const holder = { type: 'account-holder', name: 'N', businessId: 'B', address };
const facility = {
  type: 'production-facility',
  code: 'K7M2QX',
  name: 'N',
  country: 'NO',
  methodologyCodes: ['M'],
  supplier: 'S',
};

function readCsv(type: 'account-holder' | 'production-facility' | 'issuance', header: string, row: string) {
  const source = { format: 'csv', type } as const;
  const columns = readColumns(source, { line: 1, bytes: Buffer.from(header), next: { byte: 0, line: 2 } });
  return lineReader(source, columns)(Buffer.from(row));
}

describe('NDJSON', () => {
  test('a missing optional member and null mean the same', () => {
    const expected = {
      type: 'account-holder',
      holder: { name: 'N', businessId: 'B', address: { ...address, street2: null }, autoApproval: true },
    };
    expect(readJson(holder)).toEqual(expected);
    expect(readJson({ ...holder, autoApproval: null, address: { ...address, street2: null } })).toEqual(expected);
    expect(readJson({ ...facility, gsrn: null, creditingPeriod: null })).toEqual({
      type: 'production-facility',
      facility: { code: 'K7M2QX', name: 'N', country: 'NO', methodologyCodes: ['M'], supplier: 'S' },
    });
  });

  test.each<[unknown, string, string]>([
    [[], 'type', 'The line must be a JSON object.'],
    [null, 'type', 'The line must be a JSON object.'],
    [{ name: 'x' }, 'required', 'type: It must be one of account-holder, production-facility, issuance.'],
    [{ type: 'trader' }, 'unknown-type', 'type: It must be one of account-holder, production-facility, issuance.'],
    [{ ...holder, nam: 1 }, 'unknown-member', 'nam: There is no such member.'],
    [{ ...holder, address: { ...address, zip: '1' } }, 'unknown-member', 'address.zip: There is no such member.'],
    [{ ...holder, name: 7 }, 'type', 'name: It must be a text.'],
    [{ ...holder, autoApproval: 'yes' }, 'type', 'autoApproval: It must be true or false.'],
    [{ ...holder, name: 'a\0b' }, 'characters', 'name: It holds a character that cannot be stored.'],
    [{ ...holder, name: '\ud800' }, 'characters', 'name: It holds a character that cannot be stored.'],
    [{ ...facility, methodologyCodes: 'M' }, 'type', 'methodologyCodes: It must be a list of texts.'],
    [{ ...facility, methodologyCodes: ['M', 1] }, 'type', 'methodologyCodes.1: It must be a text.'],
    [{ ...facility, creditingPeriod: { start: 's' } }, 'required', 'creditingPeriod.end: It is required.'],
  ])('%j', (value, code, detail) => expect(readJson(value)).toEqual({ code, detail }));

  test.each([
    ['no JSON', Buffer.from('{"type":'), 'json'],
    ['a NUL', Buffer.from('{"type":"a\0b"}'), 'json'],
    ['a byte order mark inside the file', Buffer.from('\ufeff{}'), 'json'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'encoding'],
    ['too long', undefined, 'line-too-long'],
    ['endless nesting', Buffer.from('['.repeat(500_000)), 'json'],
  ])('%s', (_, bytes, code) => expect(json(bytes)).toMatchObject({ code }));

  test('an account holder of an issuance is named in one way', () => {
    const issuance = {
      type: 'issuance',
      issuanceId: 'i',
      productionFacilityCode: 'f',
      standard: 's',
      registry: 'r',
      creditType: 'c',
      methodologyCode: 'm',
      vintage: 2024,
      productionStartDate: 'd',
      productionEndDate: 'd',
      issuingDate: 'd',
      firstSerial: '1',
      lastSerial: '2',
    };
    expect(readJson(issuance)).toMatchObject({ code: 'required' });
    expect(readJson({ ...issuance, accountHolderId: 'a', accountHolderBusinessId: 'b' })).toMatchObject({
      code: 'exclusive',
    });
    expect(readJson({ ...issuance, accountHolderId: null, accountHolderBusinessId: 'b' })).toMatchObject({
      accountHolderBusinessId: 'b',
    });
    expect(readJson({ ...issuance, accountHolderId: 'a', vintage: 2024.5 })).toEqual({
      code: 'type',
      detail: 'vintage: It must be a whole number.',
    });
    expect(readJson({ ...issuance, accountHolderId: 'a', vintage: 3e9 })).toMatchObject({ code: 'range' });
    expect(readJson({ ...issuance, accountHolderId: 'a', firstSerial: 1 })).toEqual({
      code: 'type',
      detail: 'firstSerial: It must be a text.',
    });
  });
});

describe('CSV', () => {
  const header =
    'name,businessId,address.postalCode,address.city,address.country,address.street1,address.street2,autoApproval';

  test('nested members, quoted cells, empty cells', () => {
    expect(
      readCsv('account-holder', header, '"A ""B"", C",NO-1,3208,Sandefjord,Norway,"Vei 9\nOppgang 2",,false'),
    ).toEqual({
      type: 'account-holder',
      holder: {
        name: 'A "B", C',
        businessId: 'NO-1',
        address: {
          postalCode: '3208',
          city: 'Sandefjord',
          country: 'Norway',
          street1: 'Vei 9\nOppgang 2',
          street2: null,
        },
        autoApproval: false,
      },
    });
  });

  test.each([['M1;M2'], ['M1|M2'], ['M1; M2;'], ['"[""M1"",""M2""]"']])('a list: %s', (cell) => {
    const read = readCsv(
      'production-facility',
      'code,name,country,supplier,methodologyCodes,creditingPeriod.start,creditingPeriod.end',
      `c,n,NO,s,${cell},,`,
    );
    expect(read).toEqual({
      type: 'production-facility',
      facility: { code: 'c', name: 'n', country: 'NO', supplier: 's', methodologyCodes: ['M1', 'M2'] },
    });
  });

  test.each([
    ['N,B,1,C,NO,S,,yes', 'type', 'autoApproval: It must be true or false.'],
    [',B,1,C,NO,S,,', 'required', 'name: It is required.'],
    ['N,B,,,,,,', 'required', 'address: It is required.'],
    ['N,B,1,C,NO,S,', 'csv-columns', 'The record has 7 cells, the header 8 columns.'],
    ['N"x,B,1,C,NO,S,,', 'csv', 'A quotation mark stands where none may stand (RFC 4180).'],
    ['"N,B,1,C,NO,S,,', 'csv', 'A quotation mark is not closed.'],
    ['N\0,B,1,C,NO,S,,', 'characters', 'name: It holds a character that cannot be stored.'],
  ])('%j', (row, code, detail) => expect(readCsv('account-holder', header, row)).toEqual({ code, detail }));

  test.each(['name,nam', 'name,name', 'name,', '"name', 'type,name', '__proto__'])(
    'a header that cannot be used: %s',
    (bad) => {
      expect(() => readCsv('account-holder', bad, '')).toThrow(UnreadableFile);
    },
  );
});
