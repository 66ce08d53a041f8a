import { expect, test } from '@jest/globals';
import { formatCertificateId } from '../src/index.ts';

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
