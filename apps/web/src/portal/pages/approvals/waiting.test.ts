import { expect, test } from '@jest/globals';
import { lowestPrice, rangesOf } from './waiting.ts';

test('ranges and prices are told in short', () => {
  const asset = (start: string, end: string, unitPrice: number | null) => ({ start, end, unitPrice, volume: 1 });
  expect(rangesOf([])).toBeNull();
  expect(rangesOf([asset('i_1', 'i_9', 2)])).toBe('1 to 9');
  expect(rangesOf([asset('i_1', 'i_9', 2), asset('i_20', 'i_20', 1)])).toBe('1 to 9, 1 more');
  expect(lowestPrice([asset('i_1', 'i_9', null)])).toBeNull();
  expect(lowestPrice([asset('i_1', 'i_9', 2), asset('i_20', 'i_20', 1)])).toEqual({ price: 1, isOnly: false });
});
