import { expect, test } from '@jest/globals';
import type { DomainError, Violation } from '@saleschannel/errors';
import { z } from 'zod';
import {
  countryCode,
  date,
  id,
  idToFind,
  name,
  parameters,
  parse,
  period,
  text,
  unitPrice,
} from '../src/validation/index.ts';

const refusal = (schema: z.ZodType, value: unknown, place?: Parameters<typeof parse>[3]): Violation[] => {
  try {
    parse(schema, value, 'It is not valid.', place);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid-request', message: 'It is not valid.' });
    return (error as DomainError).violations;
  }
  throw new Error(`${JSON.stringify(value)} was accepted`);
};

const trader = z.strictObject({
  name,
  note: text({ max: 3 }).optional(),
  kind: z.enum(['A', 'B']),
  tags: z.array(id).min(1).max(2),
  address: z.strictObject({ country: countryCode }),
  year: z.int().min(1900).max(2999),
});
const valid = { name: 'Fjord', kind: 'A', tags: ['x'], address: { country: 'NO' }, year: 2025 };

test('returns a valid value', () => {
  expect(parse(trader, valid, '')).toEqual(valid);
});

test.each<[object, string, string]>([
  [{ name: undefined }, '#/name', 'required'],
  [{ name: null }, '#/name', 'type'],
  [{ name: 5 }, '#/name', 'type'],
  [{ name: '' }, '#/name', 'minLength'],
  [{ name: '🌲'.repeat(201) }, '#/name', 'maxLength'],
  [{ name: 'a\0b' }, '#/name', 'nul-character'],
  [{ name: '\ud800' }, '#/name', 'lone-surrogate'],
  [{ note: 'four' }, '#/note', 'maxLength'],
  [{ kind: 'C' }, '#/kind', 'enum'],
  [{ kind: undefined }, '#/kind', 'required'],
  [{ tags: [] }, '#/tags', 'minItems'],
  [{ tags: ['a', 'b', 'c'] }, '#/tags', 'maxItems'],
  [{ tags: ['a', 7] }, '#/tags/1', 'type'],
  [{ tags: 'a' }, '#/tags', 'type'],
  [{ address: {} }, '#/address/country', 'required'],
  [{ address: { country: 'Norway' } }, '#/address/country', 'pattern'],
  [{ address: { country: 'NO', planet: 'Earth' } }, '#/address/planet', 'unknown-member'],
  [{ 'a/b~c %': 1 }, '#/a~1b~0c%20%25', 'unknown-member'],
  [{ year: 1899 }, '#/year', 'minimum'],
  [{ year: 3000 }, '#/year', 'maximum'],
  [{ year: 2025.5 }, '#/year', 'type'],
])('rejects %j', (change, pointer, code) => {
  expect(refusal(trader, { ...valid, ...change })).toEqual([{ pointer, code, detail: expect.any(String) }]);
});

test('reports every fault', () => {
  const violations = refusal(trader, { name: 1, tags: [2], extra: 3, other: 4 });
  expect(violations.map(({ pointer }) => pointer).toSorted()).toEqual([
    '#/address',
    '#/extra',
    '#/kind',
    '#/name',
    '#/other',
    '#/tags/0',
    '#/year',
  ]);
});

test('a name of 200 characters may have 400 UTF-16 units', () => {
  expect(parse(name, '🌲'.repeat(200), '')).toHaveLength(400);
});

test('truncates long member names in responses', () => {
  const [violation] = refusal(trader, { ...valid, ['x'.repeat(200)]: 1 });
  expect(violation?.pointer?.length).toBeLessThan(120);
});

test('violations have the public names of parameters', () => {
  const schema = z.object({ limit: z.int().min(1), key: id, body: name });
  const place = parameters({ limit: '$limit', key: 'Idempotency-Key' });
  expect(refusal(schema, { limit: 0, key: '', body: '' }, place)).toEqual([
    { parameter: '$limit', code: 'minimum', detail: 'must be 1 or more' },
    { parameter: 'Idempotency-Key', code: 'minLength', detail: 'must not be empty' },
    { pointer: '#/body', code: 'minLength', detail: 'must not be empty' },
  ]);
});

test('dates must exist, and are truncated to milliseconds', () => {
  expect(parse(date, '2025-03-04T10:02:12.0495+02:00', '')).toEqual(new Date('2025-03-04T08:02:12.049Z'));
  expect(refusal(date, '2025-02-30T00:00:00Z')).toMatchObject([{ code: 'format' }]);
});

test('a period must not end before it starts', () => {
  const [early, late] = ['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'];
  expect(parse(period, { start: early, end: early }, '')).toEqual({ start: early, end: early });
  expect(refusal(period, { start: late, end: early })).toMatchObject([{ pointer: '#/end', code: 'period-order' }]);
});

test.each([
  ['1.50', '1.5'],
  ['1e2', '100'],
  ['0', '0'],
])('the unit price %s is %s', (price, canonical) => {
  expect(parse(unitPrice, price, '')).toBe(canonical);
});

test.each([
  ['x', 'type'],
  ['-1', 'minimum'],
  ['1000000001', 'maximum'],
  ['0.0000001', 'fraction-digits'],
])('rejects the unit price %s', (price, code) => {
  expect(refusal(unitPrice, price)).toMatchObject([{ code }]);
});

test('an impossible id is not found', () => {
  expect(idToFind('c123')).toBe('c123');
  for (const impossible of ['', 'a\0', '\ud800', 'x'.repeat(129)]) {
    expect(() => idToFind(impossible)).toThrow(expect.objectContaining({ code: 'not-found' }));
  }
});
