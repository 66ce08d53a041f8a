import { expect, test } from '@jest/globals';
import { text } from './text.ts';
import { isOwnDecision, lowestPrice, minutesSince, rangesOf } from './waiting.ts';

test('who sells decides, and who buys waits', () => {
  const traders = new Set(['t1']);
  expect(isOwnDecision({ sellerId: 't1' }, traders)).toBe(true);
  expect(isOwnDecision({ sellerId: 't2' }, traders)).toBe(false);
  expect(isOwnDecision({ sellerId: null }, traders)).toBe(false);
});

test('an age is told as people do', () => {
  const now = Date.parse('2026-03-04T12:00:00Z');
  const age = (time: string): string => text.ageOf(minutesSince(time, now));
  expect(age('2026-03-04T11:59:31Z')).toBe('0 min');
  expect(age('2026-03-04T10:30:00Z')).toBe('1 h');
  expect(age('2026-03-01T12:00:00Z')).toBe('3 days');
  // A clock that is ahead.
  expect(age('2026-03-04T12:00:10Z')).toBe('0 min');
});

test('ranges and prices are told in short', () => {
  const asset = (start: string, end: string, unitPrice: number | null) => ({ start, end, unitPrice, volume: 1 });
  expect(rangesOf([])).toBeNull();
  expect(rangesOf([asset('i_1', 'i_9', 2)])).toBe('1 to 9');
  expect(rangesOf([asset('i_1', 'i_9', 2), asset('i_20', 'i_20', 1)])).toBe('1 to 9, 1 more');
  expect(lowestPrice([asset('i_1', 'i_9', null)])).toBeNull();
  expect(lowestPrice([asset('i_1', 'i_9', 2), asset('i_20', 'i_20', 1)])).toEqual({ price: 1, isOnly: false });
});
