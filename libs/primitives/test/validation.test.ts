import { expect, test, describe } from '@jest/globals';
import type { DomainError, Violation } from '@saleschannel/errors';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
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
import { isSameText, naturalKey, shownText, toComparisonKey, toShownText } from '../src/validation/shown-text.ts';

const IGNORABLES = [
  '\u00ad',
  '\u034f',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\u{e0041}',
];
/** Texts with edge cases of the rules: blanks, ignorables, marks, letters with several forms, emoji. */
const anyText = array(
  oneof(
    constantFrom(
      ...IGNORABLES,
      ' ',
      '\u00a0',
      '\u3000',
      '\u2800',
      '\u0301',
      '\u030a',
      'A',
      'Å',
      'क',
      '्',
      'ﬁ',
      '👩',
      '🏴',
    ),
    string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(''));

const isNfc = (value: string): boolean => value === value.normalize('NFC');

describe('toShownText', () => {
  test('is idempotent, in NFC, and begins and ends with a visible character', () => {
    assert(
      property(anyText, (value) => {
        const shown = toShownText(value);
        expect(toShownText(shown)).toBe(shown);
        expect(isNfc(shown)).toBe(true);
        expect(shown).toBe(shown.trim());
        expect(shown).not.toMatch(/^[\p{DI}\u2800]|[\u200b-\u200d\ufeff\u2800]$/u);
      }),
    );
  });

  test('accepts texts with visible characters, which are not empty', () => {
    const schema = shownText({ min: 1, max: 100 });
    assert(
      property(anyText, (value) => {
        const { success, data } = schema.safeParse(value);
        if (success) expect(data).not.toBe('');
        else
          expect(toShownText(value) === '' || /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(value)).toBe(
            true,
          );
      }),
    );
  });

  test.each([
    [' Nordlys\u00a0AS ', 'Nordlys\u00a0AS'],
    ['A\u030angstro\u0308m', 'Ångström'],
    ['A\u200b\u030a', 'Å'],
    ['No\u00adrd\ufefflys\u2060', 'Nordlys'],
    // Persian, Hindi and Sinhala need joiners, emoji need joiners, selectors and tags.
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['श्\u200dरी\u200d', 'श्\u200dरी'],
    ['👩\u200d🌾 ❤\ufe0f ', '👩\u200d🌾 ❤\ufe0f'],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}'],
    ['\u200d\ufe0f\u2800', ''],
  ])('of %j returns %j', (value, shown) => expect(toShownText(value)).toBe(shown));
});

describe('toComparisonKey', () => {
  test('is equal for texts that differ only in default-ignorable characters and composition', () => {
    assert(
      property(anyText, array(constantFrom(...IGNORABLES)), (value, inserted) => {
        const characters = [...value];
        const mixed = inserted.reduce((so, each, index) => {
          const at = (index * 7) % (so.length + 1);
          return so.toSpliced(at, 0, each);
        }, characters);
        expect(isSameText(value, mixed.join(''))).toBe(true);
        expect(isSameText(value, value.normalize('NFD'))).toBe(true);
        expect(isSameText(value, toShownText(value))).toBe(true);
      }),
    );
  });

  test('is idempotent, and differs for texts that look different', () => {
    assert(
      property(anyText, (value) => {
        const key = toComparisonKey(value);
        expect(toComparisonKey(key)).toBe(key);
        expect(toShownText(key)).toBe(key);
      }),
    );
    expect([isSameText('Nord', 'nord'), isSameText('ﬁ', 'fi'), isSameText('a b', 'ab')]).toEqual([false, false, false]);
  });
});

test.each(['NO-927364518', 'Fjordkarbon AS', "O'Brien & Sons (Łódź) — 東京"])(
  'a plain text is unchanged: %s',
  (value) => {
    expect([toShownText(value), toComparisonKey(value)]).toEqual([value, value]);
  },
);

describe('shownText', () => {
  const messages = (schema: ReturnType<typeof shownText> | ReturnType<typeof naturalKey>, value: string) =>
    schema.safeParse(value).error?.issues.map(({ message }) => message);
  const BLANK = ['must contain visible text'];

  test.each([' ', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u3164', '\u00ad\u2060', '\u2800'])(
    'rejects %j',
    (value) => {
      expect(messages(shownText({ min: 1, max: 9 }), value)).toEqual(BLANK);
      expect(messages(shownText({ max: 9 }), value)).toEqual(BLANK);
      expect(messages(naturalKey(9), value)).toEqual(BLANK);
    },
  );

  test('may be empty without a minimum length, and is measured in its stored form', () => {
    expect(shownText({ max: 9 }).parse('')).toBe('');
    expect(messages(shownText({ min: 1, max: 9 }), '')).toEqual(['must not be empty']);
    // NFC decomposes it.
    expect(messages(shownText({ max: 3 }), '\u0958\u0958')).toEqual(['must have at most 3 characters']);
    expect(naturalKey(9).parse(' NO\u200d-1 ')).toBe('NO-1');
  });
});

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
