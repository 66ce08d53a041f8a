import { expect, test } from '@jest/globals';
import { tradersOf, type Proposal } from './holder.ts';
import { ageOf, isOwnDecision, rangeOf, volumeOf } from './values.ts';

test('volumes are added, and a range of one certificate is that certificate', () => {
  expect(volumeOf([{ volume: 30 }, { volume: 4 }])).toBe(34n);
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
