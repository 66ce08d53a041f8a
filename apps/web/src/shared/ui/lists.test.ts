import { describe, expect, test } from '@jest/globals';
import { parseFilters, toApiOrder, formatSort, toggleSort, parseSort, type Sort } from './filters.ts';
import { nextPosition } from './grid-keys.ts';
import { countRows, findPagesInRange } from './row-source.ts';

describe('the length of a list', () => {
  test('is known from its last page', () => {
    const pages = [
      { page: 0, rows: 200, hasMore: true },
      { page: 7, rows: 13, hasMore: false },
    ];
    expect(countRows(pages, 200)).toEqual({ count: 1_413, isKnown: true });
    expect(countRows([{ page: 0, rows: 0, hasMore: false }], 200)).toEqual({ count: 0, isKnown: true });
  });

  test('is at least the loaded rows', () => {
    expect(countRows([], 200)).toEqual({ count: 0, isKnown: false });
    expect(countRows([{ page: 2, rows: 200, hasMore: true }], 200)).toEqual({ count: 600, isKnown: false });
  });
});

test('only pages with visible rows are loaded', () => {
  expect(findPagesInRange({ first: 0, last: 30 }, 200)).toEqual([0]);
  expect(findPagesInRange({ first: 190, last: 210 }, 200)).toEqual([0, 1]);
  expect(findPagesInRange({ first: 99_980, last: 99_999 }, 200)).toEqual([499]);
});

describe('the keys of a grid', () => {
  const extent = { rows: 100_000, columns: 5, page: 20 };
  const at = { row: 50, column: 2 };
  test.each([
    ['ArrowDown', false, { row: 51, column: 2 }],
    ['ArrowUp', false, { row: 49, column: 2 }],
    ['ArrowLeft', false, { row: 50, column: 1 }],
    ['ArrowRight', false, { row: 50, column: 3 }],
    ['PageDown', false, { row: 70, column: 2 }],
    ['PageUp', false, { row: 30, column: 2 }],
    ['Home', false, { row: 50, column: 0 }],
    ['End', false, { row: 50, column: 4 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', true, { row: 99_999, column: 4 }],
  ])('%s (control: %p) moves to %p', (key, isControl, place) => {
    expect(nextPosition(key, isControl, at, extent)).toEqual(place);
  });

  test('stay inside the grid, and other keys have no effect', () => {
    expect(nextPosition('ArrowUp', false, { row: 0, column: 0 }, extent)).toEqual({ row: 0, column: 0 });
    expect(nextPosition('PageDown', false, { row: 99_995, column: 0 }, extent)).toEqual({ row: 99_999, column: 0 });
    for (const key of ['a', 'Tab', 'constructor']) expect(nextPosition(key, false, at, extent)).toBeUndefined();
  });
});

test('only known, non-empty filters of the address apply', () => {
  expect(parseFilters('?vintage=2024&trader=t1&x=y&status=', ['vintage', 'trader', 'status'])).toEqual({
    vintage: '2024',
    trader: 't1',
  });
});

const known = ['vintage', 'volume'];
const up: Sort = { by: 'vintage', descending: false };
const down: Sort = { by: 'vintage', descending: true };

test('the sort is kept in the address, and unknown columns are ignored', () => {
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

test('clicks on a head sort ascending, descending, then by default', () => {
  expect([undefined, up, down].map((each) => toggleSort(each, 'vintage', undefined))).toEqual([up, down, undefined]);
  expect(toggleSort(down, 'volume', undefined)).toEqual({ by: 'volume', descending: false });
  // A list with a default sort stays sorted.
  expect([up, down].map((each) => toggleSort(each, 'vintage', down))).toEqual([down, up]);
});

test('the order of the API has one member', () => {
  expect([undefined, up, down].map(toApiOrder)).toEqual([
    undefined,
    { $orderBy: { vintage: 'asc' } },
    { $orderBy: { vintage: 'desc' } },
  ]);
});
