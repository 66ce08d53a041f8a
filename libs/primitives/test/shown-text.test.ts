import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
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
const text = array(
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
      property(text, (value) => {
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
      property(text, (value) => {
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
      property(text, array(constantFrom(...IGNORABLES)), (value, inserted) => {
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
      property(text, (value) => {
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
