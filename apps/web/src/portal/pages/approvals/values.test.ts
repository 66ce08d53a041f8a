import { expect, test } from '@jest/globals';
import { diffAddress, findLowestPrice, formatRanges } from './values.ts';

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
