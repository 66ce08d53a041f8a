import { expect, test } from '@jest/globals';
import { ageOf, isOwnDecision } from './waiting.ts';

test('who sells decides, and who buys waits', () => {
  const proposals = [{ status: 'ACCEPTED' as const, onboardedTraderId: 't1' }];
  expect(isOwnDecision({ sellerId: 't1' }, proposals)).toBe(true);
  expect(isOwnDecision({ sellerId: 't2' }, proposals)).toBe(false);
  expect(isOwnDecision({ sellerId: null }, proposals)).toBe(false);
});

test('an age is told as people do', () => {
  const now = Date.parse('2026-03-04T12:00:00Z');
  const age = (time: string): string => ageOf(time, now);
  expect(age('2026-03-04T11:59:31Z')).toBe('0 min');
  expect(age('2026-03-04T10:30:00Z')).toBe('1 h');
  expect(age('2026-03-01T12:00:00Z')).toBe('3 days');
  // A clock that is ahead.
  expect(age('2026-03-04T12:00:10Z')).toBe('0 min');
});
