import { describe, expect, test } from '@jest/globals';
import { DomainError, type Violation } from '@saleschannel/errors';
import { computeFingerprint, parseTransfer, determineTransferType, type TransferRequest } from './transfer.ts';

const ISSUANCE = '7b0c6a52-5c1e-4f0a-9d53-2d7b1e6f0a11';
const range = (first: number, last: number) => ({ start: `${ISSUANCE}_${first}`, end: `${ISSUANCE}_${last}` });
const common = { traderId: 'seller', idempotencyKey: 'k' };
const terms = {
  beneficiaryName: 'Ada',
  beneficiaryLocation: 'London',
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'GB',
  usageType: 'DISCLOSURE',
  consumptionPeriod: { start: '2024-01-01T00:00:00Z', end: '2024-12-31T00:00:00+01:00' },
  retirementPurpose: 'Travel',
};

const parse = (request: TransferRequest) => parseTransfer(determineTransferType(request), request);

const trade = (...prices: string[]): TransferRequest => ({
  ...common,
  trade: {
    buyerId: 'buyer',
    currency: 'EUR',
    assets: prices.map((unitPrice, index) => ({ range: range(5 * index + 1, 5 * index + 5), unitPrice })),
  },
});

const findViolations = (request: TransferRequest): Violation[] => {
  try {
    parse(request);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid-request') return error.violations;
    throw error;
  }
  throw new Error('the request was not refused');
};

test('a trade, with canonical prices', () => {
  expect(parse(trade('12.50', '1e-6'))).toEqual({
    ...common,
    type: 'TRADE',
    buyerId: 'buyer',
    currency: 'EUR',
    assets: [
      { ...range(1, 5), unitPrice: '12.5' },
      { ...range(6, 10), unitPrice: '0.000001' },
    ],
  });
});

test('a retirement with prices on some selections', () => {
  const assets = [{ range: range(1, 5) }, { range: range(6, 6), unitPrice: '1.0' }];
  const parsed = parse({ ...common, retirement: { ...terms, assets } });
  expect(parsed).toMatchObject({ ...common, ...terms, type: 'RETIREMENT' });
  expect(parsed.assets).toEqual([
    { ...range(1, 5), unitPrice: null },
    { ...range(6, 6), unitPrice: '1' },
  ]);
});

test('an offramp', () => {
  const parsed = parse({ ...common, offramp: { assets: [range(1, 5)] } });
  expect(parsed).toEqual({ ...common, type: 'OFFRAMP', assets: [{ ...range(1, 5), unitPrice: null }] });
});

describe('invalid-request', () => {
  test('no terms, and the terms of two types', () => {
    expect(findViolations(common)).toEqual([]);
    expect(findViolations({ ...common, trade: null, offramp: null })).toEqual([]);
    expect(findViolations({ ...trade('1'), offramp: { assets: [range(1, 5)] } })).toEqual([]);
  });

  test.each([
    '',
    ISSUANCE,
    `${ISSUANCE}_`,
    `${ISSUANCE}_1a`,
    `_1`,
    `${'i'.repeat(65)}_1`,
    `i_${'1'.repeat(39)}`,
    'i\n_1',
  ])('a range that ends with %j', (end) => {
    const violations = findViolations({ ...common, offramp: { assets: [{ start: `${ISSUANCE}_1`, end }] } });
    expect(violations).toContainEqual(expect.objectContaining({ pointer: '#/assets/0/end', code: 'pattern' }));
  });

  test('all faults are reported, located as in the public API', () => {
    const assets = [
      { range: { ...range(1, 5), start: 'x' }, unitPrice: '-1' },
      { range: null, unitPrice: '1' },
    ];
    const violations = findViolations({
      ...common,
      idempotencyKey: '',
      trade: { buyerId: '', currency: 'GBP', assets },
    });
    expect(violations.map(({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`)).toEqual([
      'Idempotency-Key pattern',
      '#/buyerId minLength',
      '#/currency enum',
      '#/assets/0/start pattern',
      '#/assets/0/unitPrice minimum',
      '#/assets/1 type',
    ]);
  });
});

describe('fingerprints equal those of the first release, whose tasks still exist:', () => {
  const assets = [{ range: range(1, 5) }];
  const retirement = { ...terms, assets };
  test.each<[string, TransferRequest, string]>([
    [
      'a trade',
      {
        ...common,
        trade: {
          buyerId: 'buyer',
          currency: 'EUR',
          assets: [
            { range: range(1, 5), unitPrice: '12.50' },
            { range: range(6, 9), unitPrice: '0' },
          ],
        },
      },
      '38319e566fe356f1fd1aa729098780f8d3752e4303bc824851c4e80787d55ccc',
    ],
    [
      'a retirement without prices',
      { ...common, retirement },
      '133d3f84d656b5c80bfe258c502947f7aacaf82a263ea5f1098bd2fe7f72ec53',
    ],
    [
      'a retirement with prices',
      {
        ...common,
        retirement: { ...retirement, currency: 'USD', assets: [{ range: range(1, 5), unitPrice: '1e-6' }] },
      },
      '65662ed7abee889e295f8f011fedacb4ad5f222c64f15b69702949fec47429cb',
    ],
    [
      'an offramp',
      { ...common, offramp: { assets: [range(1, 5), range(7, 7)] } },
      '09d84d884cb89a999da68c6ab20439cd6c7598acc9940bb8f91abda8b060c0b7',
    ],
  ])('%s', (_name, request, fingerprint) => {
    expect(computeFingerprint(parse(request))).toBe(fingerprint);
  });

  test('the idempotency key is no part of it', () => {
    const [one, other] = ['k1', 'k2'].map((idempotencyKey) =>
      computeFingerprint(parse({ ...trade('1'), idempotencyKey })),
    );
    expect(one).toBe(other);
  });
});
