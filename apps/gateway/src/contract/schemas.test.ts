import { expect, test } from '@jest/globals';
import { VIOLATIONS_AT_MOST } from '@saleschannel/edge';
import { loadContract } from './document.ts';
import { compileSchemas, type CheckResult } from './schemas.ts';

const pair = {
  type: 'object',
  additionalProperties: false,
  required: ['first', 'second', 'third'],
  properties: { first: { type: 'string' }, second: { type: 'string' }, third: { type: 'string' } },
};
const schemas = compileSchemas({
  list: { type: 'array', minItems: 1, maxItems: 1_000, items: { $ref: '#/pair' } },
  set: { type: 'array', maxItems: 3, uniqueItems: true, items: { $ref: '#/pair' } },
  inline: { type: 'object', properties: { list: { type: 'array', items: pair } } },
  price: { type: 'number', 'x-max-fraction-digits': 6 },
  pair,
});

const readViolations = (checked: CheckResult<unknown>) => ('violations' in checked ? checked.violations : []);

/** Creates a list that records which items are read. */
function createWatchedList(length: number, item: object): { list: object[]; seen: Set<string> } {
  const seen = new Set<string>();
  const list = new Proxy(
    Array.from({ length }, () => item),
    {
      get(target, name, receiver) {
        if (typeof name === 'string' && name !== 'length') seen.add(name);
        return Reflect.get(target, name, receiver) as unknown;
      },
    },
  );
  return { list, seen };
}

test('items of a list that is too long are not checked', () => {
  const { list, seen } = createWatchedList(1_001, {});
  expect(readViolations(schemas.body('/list')(list))).toEqual([
    { pointer: '#', code: 'maxItems', detail: 'must have at most 1000 items' },
  ]);
  expect(seen.size).toBe(0);
});

test('uniqueItems checks only lists that are not too long', () => {
  const { list, seen } = createWatchedList(4, {});
  expect(readViolations(schemas.body('/set')(list)).map(({ code }) => code)).toEqual(['maxItems']);
  expect(seen.size).toBe(0);
  const item = { first: '', second: '', third: '' };
  const others = [{ ...item, first: 'a' }, item];
  expect('value' in schemas.body('/set')(others)).toBe(true);
  expect(readViolations(schemas.body('/set')([...others, { ...item }]))).toEqual([
    { pointer: '#', code: 'uniqueItems', detail: expect.stringContaining('duplicate items') },
  ]);
});

test.each([
  ['/list', (list: object[]) => list],
  ['/inline', (list: object[]) => ({ list })],
])('checks no further item of %s after the maximum number of faults', (pointer, wrap) => {
  const { list, seen } = createWatchedList(1_000, {});
  expect(readViolations(schemas.body(pointer)(wrap(list)))).toHaveLength(VIOLATIONS_AT_MOST);
  expect(seen.size).toBe(Math.ceil(VIOLATIONS_AT_MOST / 3));
});

test('checks every item of a list, including the last one', () => {
  const good = { first: '', second: '', third: '' };
  const { list, seen } = createWatchedList(1_000, good);
  expect('value' in schemas.body('/list')(list)).toBe(true);
  expect(seen.size).toBe(1_000);
  expect(readViolations(schemas.body('/list')([...Array.from({ length: 999 }, () => good), 1]))).toEqual([
    { pointer: '#/999', code: 'type', detail: 'must be an object' },
  ]);
});

test('reports the maximum number of decimal places', () => {
  expect(readViolations(schemas.body('/price')(0.123_456_7))).toEqual([
    { pointer: '#', code: 'fraction-digits', detail: 'must have at most 6 decimal places' },
  ]);
});

test('shares checks of one document, and not between adaptations of the contract', () => {
  const pointer = '/components/schemas/OfframpRequest';
  const checksFor = (selectionsAtMost: number) => compileSchemas(loadContract({ selectionsAtMost }).document);
  const assets = Array.from({ length: 3 }, () => ({ start: 'a_1', end: 'a_2' }));
  for (const most of [2, 1_000, 2]) {
    expect(checksFor(most).body(pointer)).toBe(checksFor(most).body(pointer));
    const codes = readViolations(checksFor(most).body(pointer)({ assets })).map(({ code }) => code);
    expect(codes).toEqual(most === 2 ? ['maxItems'] : []);
  }
});
