import { describe, expect, test } from '@jest/globals';
import { faults } from '@saleschannel/primitives/validation';
import { createLineReader, UnreadableFile } from './import-lines.ts';
import { recordTypes, defaultCreditTypeId, type RecordType } from './records.ts';

test.each([
  ['CORC100+', 'CORC100_PLUS'],
  ['CORC_100', 'CORC_100'],
  ['corc 20 +', 'CORC_20_PLUS'],
  ['A+B', 'A_PLUS_B'],
  ['CO₂ – removal', 'CO_REMOVAL'],
  ['+', 'PLUS'],
  ['₂', ''],
])('%j → %j', (creditType, id) => expect(defaultCreditTypeId(creditType)).toBe(id));

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
/** An object with an own member named `__proto__`. */
const ownProto = Object.fromEntries([['__proto__', {}]]);

const json = createLineReader({ format: 'ndjson', type: null }, null);
const readBytes = (bytes: Buffer | undefined) => json.read({ line: 1, bytes });
const readJson = (value: unknown) => readBytes(Buffer.from(JSON.stringify(value)));

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

function readCsv(type: RecordType, header: string, row: string) {
  const csv = createLineReader({ format: 'csv', type }, null);
  expect(csv.read({ line: 1, bytes: Buffer.from(header) })).toBeUndefined();
  expect(csv.columns).toEqual(header.split(','));
  return csv.read({ line: 2, bytes: Buffer.from(row) });
}

describe('NDJSON', () => {
  test('a missing optional member and null mean the same', () => {
    const expected = {
      type: 'account-holder',
      holder: { name: 'N', businessId: 'B', address, autoApproval: true },
    };
    expect(readJson(holder)).toEqual(expected);
    expect(readJson({ ...holder, autoApproval: null, address: { ...address, street2: null } })).toEqual(expected);
    expect(readJson({ ...facility, gsrn: null, creditingPeriod: null })).toEqual({
      type: 'production-facility',
      facility: { code: 'K7M2QX', name: 'N', country: 'NO', methodologyCodes: ['M'], supplier: 'S' },
    });
  });

  test.each<[unknown, string, { code: string; detail: string }]>([
    [[], '', faults.type('object')],
    [null, '', faults.type('object')],
    [{ name: 'x' }, 'type', faults.required()],
    [{ type: 'trader' }, 'type', faults.enum(recordTypes)],
    [{ type: null }, 'type', faults.enum(recordTypes)],
    [{ ...holder, nam: 1 }, 'nam', faults.unknownMember()],
    [{ ...holder, nam: null }, 'nam', faults.unknownMember()],
    [{ ...holder, 'a/b~ %\0': 1 }, 'a/b~ %', faults.unknownMember()],
    [{ ...holder, ...ownProto }, '__proto__', faults.unknownMember()],
    [{ ...holder, address: { ...address, zip: '1' } }, 'address.zip', faults.unknownMember()],
    [{ ...holder, name: 7 }, 'name', faults.type('string')],
    [{ ...holder, name: null }, 'name', faults.type('string')],
    [{ ...holder, autoApproval: 'yes' }, 'autoApproval', faults.type('boolean')],
    [{ ...holder, name: 'a\0b' }, 'name', faults.nulCharacter()],
    [{ ...holder, name: '\ud800' }, 'name', faults.loneSurrogate()],
    [{ ...holder, name: '' }, 'name', faults.minLength(1)],
    [{ ...holder, name: 'x'.repeat(201) }, 'name', faults.maxLength(200)],
    [{ ...facility, methodologyCodes: 'M' }, 'methodologyCodes', faults.type('array')],
    [{ ...facility, methodologyCodes: ['M', 1] }, 'methodologyCodes.1', faults.type('string')],
    [{ ...facility, methodologyCodes: Array.from({ length: 101 }, String) }, 'methodologyCodes', faults.maxItems(100)],
    [{ ...facility, creditingPeriod: { start: 's' } }, 'creditingPeriod.end', faults.required()],
    [{ ...issuance, accountHolderId: 'a', vintage: 2024.5 }, 'vintage', faults.type('int')],
    [{ ...issuance, accountHolderId: 'a', vintage: 1899 }, 'vintage', faults.minimum(1900)],
    [{ ...issuance, accountHolderId: 'a', vintage: 3e9 }, 'vintage', faults.maximum(2999)],
    [{ ...issuance, accountHolderId: 'a', firstSerial: 1 }, 'firstSerial', faults.type('string')],
  ])('%j is refused', (value, member, { code, detail }) =>
    expect(readJson(value)).toEqual({ code, detail: member === '' ? detail : `${member}: ${detail}` }),
  );

  test('an unknown member comes first, and at most five faults are shown', () => {
    const { code, detail } = faults.unknownMember();
    const missing = ['issuanceId', 'productionFacilityCode', 'standard', 'registry'];
    const texts = [`issuanceID: ${detail}`, ...missing.map((member) => `${member}: ${faults.required().detail}`)];
    expect(readJson({ type: 'issuance', issuanceID: 'i' })).toEqual({ code, detail: texts.join('; ') });
  });

  test.each([
    ['no JSON', Buffer.from('{"type":'), 'json'],
    ['a NUL', Buffer.from('{"type":"a\0b"}'), 'json'],
    ['a byte order mark inside the file', Buffer.from('\ufeff{}'), 'json'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'encoding'],
    ['too long', undefined, 'line-too-long'],
    ['endless nesting', Buffer.from('['.repeat(500_000)), 'json'],
  ])('%s', (_, bytes, code) => expect(readBytes(bytes)).toMatchObject({ code }));

  test('an issuance names its account holder in exactly one way', () => {
    expect(readJson(issuance)).toMatchObject({ code: 'required', detail: expect.stringMatching(/^accountHolderId: /) });
    expect(readJson({ ...issuance, accountHolderId: 'a', accountHolderBusinessId: 'b' })).toMatchObject({
      code: 'exclusive',
      detail: expect.stringMatching(/^accountHolderId: /),
    });
    expect(readJson({ ...issuance, accountHolderId: null, accountHolderBusinessId: 'b' })).toMatchObject({
      accountHolderBusinessId: 'b',
    });
  });
});

describe('CSV', () => {
  const header =
    'name,businessId,address.postalCode,address.city,address.country,address.street1,address.street2,autoApproval';

  test('nested members, quoted cells, empty cells', () => {
    expect(
      readCsv('account-holder', header, '"A ""B"", C",NO-1,3208,Sandefjord,Norway,"Vei 9, Oppgang 2",,false'),
    ).toEqual({
      type: 'account-holder',
      holder: {
        name: 'A "B", C',
        businessId: 'NO-1',
        address: {
          postalCode: '3208',
          city: 'Sandefjord',
          country: 'Norway',
          street1: 'Vei 9, Oppgang 2',
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
    ['N,B,1,C,NO,S,,yes', 'type', `autoApproval: ${faults.type('boolean').detail}`],
    [',B,1,C,NO,S,,', 'required', `name: ${faults.required().detail}`],
    ['N,B,,,,,,', 'required', `address: ${faults.required().detail}`],
    ['N\0,B,1,C,NO,S,,', 'nul-character', `name: ${faults.nulCharacter().detail}`],
    ['N,B,1,C,NO,S,', 'csv-columns', 'The record has 7 cells, the header 8 columns.'],
    ['N"x,B,1,C,NO,S,,', 'csv', 'A quotation mark is misplaced (RFC 4180).'],
    ['"N,B,1,C,NO,S,,', 'csv', 'A quotation mark is not closed.'],
  ])('%j', (row, code, detail) => expect(readCsv('account-holder', header, row)).toEqual({ code, detail }));

  test.each(['name,nam', 'name,name', 'name,', '"name', 'type,name', '__proto__'])(
    'an invalid header is refused: %s',
    (bad) => {
      const csv = createLineReader({ format: 'csv', type: 'account-holder' }, null);
      expect(() => csv.read({ line: 1, bytes: Buffer.from(bad) })).toThrow(UnreadableFile);
    },
  );
});
