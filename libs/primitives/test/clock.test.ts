import { expect, test } from '@jest/globals';
import { oneCalendarYearAfter, systemClock } from '../src/index.ts';

test.each([
  ['2024-02-29T23:59:59.999Z', '2025-02-28T23:59:59.999Z'],
  ['2023-02-28T00:00:00.000Z', '2024-02-28T00:00:00.000Z'],
  ['2023-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['2025-12-31T23:30:00.000Z', '2026-12-31T23:30:00.000Z'],
])('a year after %s is %s', (from, to) => {
  const date = new Date(from);
  expect(oneCalendarYearAfter(date).toISOString()).toBe(to);
  expect(date.toISOString()).toBe(from);
});

test('the system clock tells the time', () => {
  const before = Date.now();
  const now = systemClock.now().getTime();
  expect([before <= now, now <= Date.now()]).toEqual([true, true]);
});
