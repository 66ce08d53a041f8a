import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  formatCertificateRef,
  formatSerial,
  parseCertificateRef,
  countCertificates,
  deriveSerialForm,
  formatCertificateId,
} from '../src/index.ts';

const parts = {
  standard: 'PS',
  registry: 'PR',
  creditType: 'CORC_100',
  countryCode: 'NA',
  facilityCode: '4F7K2Q',
  vintage: 2024,
  issuanceId: '0d0f6f5e-4b0c-4b39-9a6e-0a6c7c0b9a11',
  first: 1n,
  last: 500n,
  form: { width: 0 },
};

test('joins eight parts with underscores', () => {
  expect(formatCertificateId(parts)).toBe('PS_PR_CORC_100_NA_4F7K2Q_2024_0d0f6f5e-4b0c-4b39-9a6e-0a6c7c0b9a11_1-500');
});

test('keeps the zeros of old serials', () => {
  const old = { ...parts, creditType: 'CORC100+', first: 42n, last: 99n, form: { width: 26 } };
  expect(formatCertificateId(old)).toMatch(/_00000000000000000000000042-00000000000000000000000099$/);
});

test('rejects parts that would make the id ambiguous', () => {
  expect(() => formatCertificateId({ ...parts, registry: 'P_R' })).toThrow(RangeError);
  expect(() => formatCertificateId({ ...parts, issuanceId: '' })).toThrow(RangeError);
  expect(() => formatCertificateId({ ...parts, creditType: '' })).toThrow(RangeError);
  expect(() => formatCertificateId({ ...parts, vintage: 24 })).toThrow(RangeError);
});

const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength, maxLength }).map((letters) => letters.join(''));

describe('deriveSerialForm', () => {
  test.each([
    ['1', '500', 0],
    ['99', '100', 0],
    ['100', '999', 3],
    ['64300000000000000100000001', '64300000000000000100004999', 26],
    ['000', '005', 3],
    ['00000000000000000000000000000000000001', '99999999999999999999999999999999999999', 38],
    ['7', '7', 1],
    ['0', '10', 0],
    ['0', '9', 1],
    ['0', '0', 1],
  ])('%s to %s has width %i', (first, last, width) => {
    expect(deriveSerialForm(first, last)).toEqual({ width });
  });

  test.each([
    ['unequal width with a leading zero in the first', '001', '1000'],
    ['a leading zero in the last of the natural form', '1', '010'],
    ['more than 38 digits', '1', '1'.repeat(39)],
    ['first above last', '10', '9'],
    ['first above last at equal width', '005', '004'],
    ['letters', '1', '1a'],
    ['a sign', '-1', '1'],
    ['an exponent', '1', '1e3'],
    ['a line end', '1', '10\n'],
    ['no text', '', '1'],
    ['other digits', '1', '\u0661\u0662'],
  ])('rejects %s', (_name, first, last) => {
    expect(deriveSerialForm(first, last)).toEqual({
      code: expect.stringMatching(/^serial-/),
      detail: expect.any(String),
    });
  });
});

describe('formatSerial', () => {
  test('formats digit strings of up to 38 digits unchanged in the form of their width', () => {
    fc.assert(
      fc.property(digits(1, 38), (serial) => {
        expect(formatSerial(BigInt(serial), { width: serial.length })).toBe(serial);
      }),
    );
  });

  test('formats numbers from 0 unchanged in the natural form', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 38n - 1n }), (value) => {
        expect(formatSerial(value, { width: 0 })).toBe(String(value));
      }),
    );
  });

  test('a number that does not fit its form throws', () => {
    expect(() => formatSerial(1000n, { width: 3 })).toThrow(RangeError);
    expect(() => formatSerial(-1n, { width: 3 })).toThrow(RangeError);
  });
});

describe('certificate references', () => {
  test('are split at the last underscore', () => {
    expect(parseCertificateRef('a_b_007')).toEqual({ issuanceId: 'a_b', serial: '007' });
    expect(formatCertificateRef('a_b', '007')).toBe('a_b_007');
  });

  test.each(['', '7', '_7', 'a_', 'a_7x', 'a_-7', `a_${'1'.repeat(39)}`, 'a_7\n'])('reject %j', (text) => {
    expect(parseCertificateRef(text)).toBeUndefined();
  });
});

describe('ranges', () => {
  test('include both ends in their volume', () => {
    expect(countCertificates({ first: 1n, last: 1n })).toBe(1n);
    expect(countCertificates({ first: 10n ** 37n, last: 10n ** 37n + 9n })).toBe(10n);
  });
});
