import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatInstant, addCalendarYear, parseInstant, systemClock } from '../src/index.ts';

test.each([
  ['2025-03-04T10:02:11.318Z', '2025-03-04T10:02:11.318Z', true],
  ['2025-03-04T10:02:11Z', '2025-03-04T10:02:11.000Z', true],
  ['2025-03-04T12:02:12.049+02:00', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T04:32:12.049-05:30', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T10:02:12.049000000Z', '2025-03-04T10:02:12.049Z', true],
  ['2025-03-04T10:02:12.049000001Z', '2025-03-04T10:02:12.049Z', false],
  ['2025-03-04T10:02:12.049999999Z', '2025-03-04T10:02:12.049Z', false],
  ['2024-02-29T23:59:59+14:00', '2024-02-29T09:59:59.000Z', true],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z', true],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', true],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', true],
])('parses %s exactly', (text, floor, isWhole) => {
  expect(parseInstant(text)).toEqual({ floorMs: Date.parse(floor), isWhole });
  expect(formatInstant(text)).toBe(floor);
});

test.each([
  '',
  'yesterday',
  'infinity',
  '2025-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2025-13-01T00:00:00Z',
  '2025-00-01T00:00:00Z',
  '2025-04-31T00:00:00Z',
  '2025-01-00T00:00:00Z',
  '2025-01-01T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '2025-01-01T10:60:00Z',
  '2025-01-01 10:00:00Z',
  '2025-01-01t10:00:00Z',
  '2025-01-01T10:00:00z',
  '2025-01-01T10:00:00',
  '2025-01-01T10:00Z',
  '2025-01-01',
  '2025-1-1T10:00:00Z',
  '2025-01-01T10:00:00+24:00',
  '2025-01-01T10:00:00+01:60',
  '2025-01-01T10:00:00+0100',
  '2025-01-01T10:00:00.Z',
  '2025-01-01T10:00:00.1234567890Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '+002025-01-01T00:00:00Z',
  '٢٠٢٥-01-01T00:00:00Z',
  '2025-01-01T00:00:00Z\n',
  "2025-03-04T10:02:12Z'--",
])('rejects %j', (text) => {
  expect(parseInstant(text)).toBeUndefined();
  expect(() => formatInstant(text)).toThrow(RangeError);
});

test('agrees with Date on every date that Date formats', () => {
  const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (date) => {
      expect(parseInstant(date.toISOString())).toEqual({ floorMs: date.getTime(), isWhole: true });
    }),
  );
});

test.each([
  ['2024-02-29T23:59:59.999Z', '2025-02-28T23:59:59.999Z'],
  ['2023-02-28T00:00:00.000Z', '2024-02-28T00:00:00.000Z'],
  ['2023-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['2025-12-31T23:30:00.000Z', '2026-12-31T23:30:00.000Z'],
])('one year after %s is %s', (from, to) => {
  const date = new Date(from);
  expect(addCalendarYear(date).toISOString()).toBe(to);
  expect(date.toISOString()).toBe(from);
});

test('the system clock returns the time', () => {
  const before = Date.now();
  const now = systemClock.now().getTime();
  expect([before <= now, now <= Date.now()]).toEqual([true, true]);
});
