import { expect, test } from '@jest/globals';
import { contractOrder, formatSort, nextSort, parseSort, type Sort } from './sorting.ts';

const known = ['vintage', 'volume'];
const up: Sort = { by: 'vintage', descending: false };
const down: Sort = { by: 'vintage', descending: true };

test('a sort stands in the address, and what nothing can be sorted by is none', () => {
  expect(['vintage', '-vintage', 'owner', '-', '', undefined].map((value) => parseSort(value, known))).toEqual([
    up,
    down,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([up, down].map(formatSort)).toEqual(['vintage', '-vintage']);
});

test('clicks on a head sort up, down, and as at first', () => {
  expect([undefined, up, down].map((each) => nextSort(each, 'vintage', undefined))).toEqual([up, down, undefined]);
  expect(nextSort(down, 'volume', undefined)).toEqual({ by: 'volume', descending: false });
  // A list that is sorted at first stays sorted.
  expect([up, down].map((each) => nextSort(each, 'vintage', down))).toEqual([down, up]);
});

test('the API gets one member', () => {
  expect([undefined, up, down].map(contractOrder)).toEqual([
    undefined,
    { $orderBy: { vintage: 'asc' } },
    { $orderBy: { vintage: 'desc' } },
  ]);
});
