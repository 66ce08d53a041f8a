import { describe, expect, test } from '@jest/globals';
import { layOutRange, toApiFilter } from './transfers.ts';

test('bundle filters compare for equality', () => {
  expect(toApiFilter({ trader: 't1' })).toBeUndefined();
  expect(toApiFilter({ trader: 't1', vintage: '2024', methodologyCode: 'NCR200+' })).toEqual({
    vintage: { eq: '2024' },
    methodologyCode: { eq: 'NCR200+' },
  });
});

const of = (start: string, end: string) => ({ start: `issuance_${start}`, end: `issuance_${end}` });

describe('the share of a bundle', () => {
  test('covers the whole bundle', () => {
    expect(layOutRange(of('1', '40'), of('1', '40'))).toEqual({ from: 0, width: 100 });
  });

  test('is exact for serials beyond the range of a number', () => {
    const base = '7070575001234567890000000000000';
    expect(layOutRange(of(`${base}0501`, `${base}0750`), of(`${base}0001`, `${base}1000`))).toEqual({
      from: 50,
      width: 25,
    });
  });

  test('stays visible and inside the bar', () => {
    expect(layOutRange(of('100000000', '100000000'), of('1', '100000000'))).toEqual({ from: 99, width: 1 });
  });
});
