import { expect, test } from '@jest/globals';
import { diffAddress, onboardedTraders, type Proposal } from './holder.ts';
import { findLowestPrice, formatAge, formatRange, formatRanges, isOwnDecision, sumAssets } from './values.ts';

test('adds volumes, and shows a range of one certificate as one serial', () => {
  expect(sumAssets([{ volume: 30 }, { volume: 4 }])).toBe(34n);
  expect(formatRange({ start: 'a_001', end: 'a_001' })).toBe('1');
  expect(formatRange({ start: 'a_121', end: 'a_150' })).toBe('121 to 150');
});

test('takes the traders of an account holder from accepted proposals', () => {
  const proposal = (status: Proposal['status'], onboardedTraderId: string | null) =>
    ({ status, onboardedTraderId }) as Proposal;
  const traders = onboardedTraders([
    proposal('PENDING', null),
    proposal('ACCEPTED', 't1'),
    proposal('REJECTED', 'NOT_ONBOARDED'),
  ]);
  expect([...traders]).toEqual(['t1']);
});

test('lets the seller decide, not the buyer', () => {
  const proposals = [{ status: 'ACCEPTED' as const, onboardedTraderId: 't1' }];
  expect(isOwnDecision({ sellerId: 't1' }, proposals)).toBe(true);
  expect(isOwnDecision({ sellerId: 't2' }, proposals)).toBe(false);
  expect(isOwnDecision({ sellerId: null }, proposals)).toBe(false);
});

test('rounds ages down to whole units', () => {
  const now = Date.parse('2026-03-04T12:00:00Z');
  const age = (time: string): string => formatAge(time, now);
  expect(age('2026-03-04T11:59:31Z')).toBe('0 min');
  expect(age('2026-03-04T10:30:00Z')).toBe('1 h');
  expect(age('2026-03-01T12:00:00Z')).toBe('3 days');
  // The server's clock is ahead.
  expect(age('2026-03-04T12:00:10Z')).toBe('0 min');
});

const before = { street1: 'Kai 1', street2: 'Hall B', postalCode: '5003', city: 'Bergen', country: 'Norway' };

test('sends only changed address lines, and removes only the second line', () => {
  expect(diffAddress((name) => before[name], before)).toEqual({});
  const form: Partial<typeof before> = { ...before, city: 'Oslo', street2: undefined, street1: undefined };
  expect(diffAddress((name) => form[name], before)).toEqual({ city: 'Oslo', street2: null });
});

test('abbreviates ranges and prices', () => {
  const asset = (start: string, end: string, unitPrice: number | null) => ({ start, end, unitPrice, volume: 1 });
  expect(formatRanges([])).toBeNull();
  expect(formatRanges([asset('i_1', 'i_9', 2)])).toBe('1 to 9');
  expect(formatRanges([asset('i_1', 'i_9', 2), asset('i_20', 'i_20', 1)])).toBe('1 to 9, 1 more');
  expect(findLowestPrice([asset('i_1', 'i_9', null)])).toBeNull();
  expect(findLowestPrice([asset('i_1', 'i_9', 2), asset('i_20', 'i_20', 1)])).toEqual({ price: 1, isOnly: false });
});
