import { expect, test } from '@jest/globals';
import { toDay, checkEmbargo } from './embargo.ts';

const today = '2026-11-23';

test.each([
  ['2026-11-22', 'future'],
  ['2026-11-23', 'future'],
  ['1999-01-01', 'future'],
  ['2027-11-24', '2027-11-23'],
  ['2126-11-24', '2027-11-23'],
])('rejects an embargo until %p', (until, why) => {
  expect(checkEmbargo(until, today, today)).toContain(why);
});

test.each(['2026-11-24', '2027-11-23'])('accepts an embargo until %p', (until) => {
  expect(checkEmbargo(until, today, today)).toBeUndefined();
});

test('counts twelve months from the retirement', () => {
  expect(checkEmbargo('2027-03-01', '2026-02-28', today)).toContain('2027-02-28');
});

test('uses days in UTC', () => {
  expect(toDay(Date.parse('2026-11-23T23:59:59.999Z'))).toBe(today);
});
