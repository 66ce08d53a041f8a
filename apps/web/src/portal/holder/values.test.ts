import { expect, test } from '@jest/globals';
import { tradersOf, type Proposal } from './holder.ts';
import { rangeOf, volumeOf, worthOf } from './values.ts';

test('what certificates cost is counted to the last digit', () => {
  const assets = [
    { volume: 30, unitPrice: 148.5 },
    { volume: 3, unitPrice: 0.1 },
    { volume: 1, unitPrice: 7 },
  ];
  expect(worthOf(assets)).toBe('4\u202f462.30');
  expect(worthOf([{ volume: 3, unitPrice: 0.001 }])).toBe('0.003');
  // 9007199254740991 * 99999999.99, beyond what a double counts exactly.
  expect(worthOf([{ volume: 9_007_199_254_740_991, unitPrice: 99_999_999.99 }])?.replaceAll('\u202f', '')).toBe(
    '900719925384027107452590.09',
  );
  expect(volumeOf(assets)).toBe(34n);
});

test('what has a price that is missing or beyond counting has no sum', () => {
  expect(worthOf([{ volume: 1, unitPrice: null }])).toBeUndefined();
  expect(worthOf([{ volume: 1, unitPrice: 1e-9 }])).toBeUndefined();
});

test('a range of one certificate is that certificate', () => {
  const say = (first: string, last: string): string => `${first} to ${last}`;
  expect(rangeOf({ start: 'a_001', end: 'a_001' }, say)).toBe('1');
  expect(rangeOf({ start: 'a_121', end: 'a_150' }, say)).toBe('121 to 150');
});

test('an account holder is the traders that were accepted', () => {
  const proposal = (status: Proposal['status'], onboardedTraderId: string | null) =>
    ({ status, onboardedTraderId }) as Proposal;
  const traders = tradersOf([
    proposal('PENDING', null),
    proposal('ACCEPTED', 't1'),
    proposal('REJECTED', 'NOT_ONBOARDED'),
  ]);
  expect([...traders]).toEqual(['t1']);
});
