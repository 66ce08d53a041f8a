import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { certificateId, formatSerial, parseCertificateId, serialFormOf } from '../src/index.ts';

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

test('eight parts joined with underscores', () => {
  expect(certificateId(parts)).toBe('PS_PR_CORC_100_NA_4F7K2Q_2024_0d0f6f5e-4b0c-4b39-9a6e-0a6c7c0b9a11_1-500');
  expect(parseCertificateId(certificateId(parts))).toEqual(parts);
});

test('old serials keep their zeros', () => {
  const old = { ...parts, creditType: 'CORC100+', first: 42n, last: 99n, form: { width: 26 } };
  expect(certificateId(old)).toMatch(/_00000000000000000000000042-00000000000000000000000099$/);
  expect(parseCertificateId(certificateId(old))).toEqual(old);
});

test('survives for any credit type and range', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9+-]{1,8}$/);
  const serials = fc.tuple(
    fc.bigInt({ min: 1n, max: 10n ** 37n }),
    fc.bigInt({ min: 0n, max: 10n ** 20n }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(
      word,
      word,
      fc.oneof(
        fc.constantFrom('CORC_100', 'CORC100+', 'NA', '_', '2024_x_1-2'),
        fc.stringMatching(/^[A-Z0-9_+ ]{1,12}$/),
      ),
      fc.constantFrom('NA', 'FI', 'US'),
      fc.stringMatching(/^[A-Z0-9]{6}$/),
      fc.integer({ min: 1990, max: 2100 }),
      fc.uuid(),
      serials,
      (standard, registry, creditType, countryCode, facilityCode, vintage, issuanceId, [first, more, isPadded]) => {
        const last = first + more;
        const form = { width: isPadded ? 38 : 0 };
        const text = certificateId({
          standard,
          registry,
          creditType,
          countryCode,
          facilityCode,
          vintage,
          issuanceId,
          first,
          last,
          form,
        });
        const parsed = parseCertificateId(text);
        expect(parsed).toEqual({
          standard,
          registry,
          creditType,
          countryCode,
          facilityCode,
          vintage,
          issuanceId,
          first,
          last,
          form: serialFormOf(formatSerial(first, form), formatSerial(last, form)),
        });
        expect(certificateId(parsed)).toBe(text);
      },
    ),
  );
});

test.each([
  '',
  'PS_PR_CORC_FI_4F7K2Q_2024_1-2',
  'PS_PR_CORC_FI_4F7K2Q_2024_id_1',
  'PS_PR_CORC_FI_4F7K2Q_2024_id_2-1',
  'PS_PR_CORC_FI_4F7K2Q_2024_id_01-100',
  'PS_PR_CORC_FI_4F7K2Q_24_id_1-2',
  'PS_PR__FI_4F7K2Q_2024_id_1-2',
  '_PR_CORC_FI_4F7K2Q_2024_id_1-2',
])('refuses %j', (text) => {
  expect(() => parseCertificateId(text)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
});

test('never makes an id that could not be read back', () => {
  expect(() => certificateId({ ...parts, registry: 'P_R' })).toThrow(RangeError);
  expect(() => certificateId({ ...parts, issuanceId: '' })).toThrow(RangeError);
  expect(() => certificateId({ ...parts, vintage: 24 })).toThrow(RangeError);
});
