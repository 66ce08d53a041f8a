import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { DomainError } from '@saleschannel/errors';
import { isExact, parseJson } from './json.ts';

const catchRefusal = (text: string): { code: string; violations: unknown[] } => {
  try {
    parseJson(text);
  } catch (error) {
    const { code, violations } = error as DomainError;
    return { code, violations };
  }
  throw new Error(`${text} was accepted`);
};

describe('compared with JSON.parse', () => {
  test('values are the same', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
        fc.constantFrom(undefined, 2),
        (value, space) => {
          const text = JSON.stringify(value, undefined, space);
          fc.pre(!text.includes('\\u0000'));
          expect(parseJson(text)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('the same texts are rejected', () => {
    const broken = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '0', '-', '.', 'e', 'true', '\u0001', '\ufeff', ' '),
      )
      .map(
        ([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(broken, (text) => {
        let expected: unknown;
        let isJson = true;
        try {
          expected = JSON.parse(text);
        } catch {
          isJson = false;
        }
        let found: unknown;
        let refusal: string | undefined;
        try {
          found = parseJson(text);
        } catch (error) {
          refusal = (error as DomainError).code;
        }
        // Another fault may precede the one that JSON.parse reports.
        if (!isJson) expect(['malformed-body', 'invalid-request']).toContain(refusal);
        else if (refusal === undefined) expect(found).toEqual(expected);
        else expect(refusal).toBe('invalid-request');
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '[',
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '{a:1}',
    "'a'",
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    'NaN',
    'Infinity',
    'tru',
    'nul',
    '"',
    '"\\',
    '"\\u12',
    '"\\x41"',
    '"\n"',
    '"a',
    '[1 2]',
    '{"a":1 "b":2}',
    '1 2',
    '\ufeff{}',
    '/**/1',
    '"\\uD83D',
    '{"a":',
    '{1:2}',
    '[}',
    '{]',
  ])('%j is not JSON', (text) => {
    expect(catchRefusal(text).code).toBe('malformed-body');
  });
});

describe('texts that JSON.parse would accept', () => {
  test.each<[string, string, string]>([
    ['{"a":{"b":1,"b":2}}', '#/a/b', 'repeated-member'],
    ['{"a":1,"\\u0061":2}', '#/a', 'repeated-member'],
    ['{"__proto__":1,"__proto__":2}', '#/__proto__', 'repeated-member'],
    ['{"a":[0.12345678901234567891]}', '#/a/0', 'inexact-number'],
    ['12345678901234567890', '#', 'inexact-number'],
    ['1e400', '#', 'inexact-number'],
    ['-1e400', '#', 'inexact-number'],
    ['1e-400', '#', 'inexact-number'],
    ['9007199254740993', '#', 'inexact-number'],
    [`{"a":0.1${'0'.repeat(61)}1}`, '#/a', 'number-length'],
    [`[1${'0'.repeat(100_000)}]`, '#/0', 'number-length'],
    [`{"a":{${Array.from({ length: 201 }, (_, index) => `"m${index}":0`).join()}}}`, '#/a', 'too-many-members'],
    ['{"a":"x\\u0000y"}', '#/a', 'nul-character'],
    ['{"a/b~c d":"\\ud800"}', '#/a~1b~0c%20d', 'lone-surrogate'],
    ['["\\udc00\\ud800"]', '#/0', 'lone-surrogate'],
    ['{"\\u0000":1}', '#', 'nul-character'],
    [`${'['.repeat(21)}${']'.repeat(21)}`, '#/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0', 'too-deep'],
  ])('%s is refused', (text, pointer, code) => {
    expect(catchRefusal(text)).toEqual({
      code: 'invalid-request',
      violations: [{ pointer, code, detail: expect.any(String) }],
    });
  });

  test('too many values are rejected', () => {
    const items = (count: number) => `[${Array.from({ length: count }, () => '{}').join()}]`;
    expect(parseJson(items(10_000))).toHaveLength(10_000);
    expect(catchRefusal(items(10_001)).violations).toEqual([expect.objectContaining({ code: 'too-many-values' })]);
    expect(catchRefusal(`${items(10_001)}, and no JSON any more`).code).toBe('invalid-request');
  });

  test('limits are configurable', () => {
    const limits = { depth: 1, members: 1, values: 2, numberCharacters: 3 };
    expect(parseJson('[100,-10]', limits)).toEqual([100, -10]);
    for (const text of ['[[]]', '{"a":1,"b":1}', '[1,2,3]', '1000', '-100', '1e10'])
      expect(() => parseJson(text, limits)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });

  test('a hundred thousand brackets do not overflow the stack', () => {
    expect(catchRefusal('['.repeat(100_000)).code).toBe('invalid-request');
  });
});

test('accepts 20 levels, surrogate pairs and all escapes', () => {
  expect(parseJson(`${'['.repeat(20)}${']'.repeat(20)}`)).toEqual(JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`));
  expect(parseJson('"\\ud83d\\ude00 \\"\\\\\\/\\b\\f\\n\\r\\t😀"')).toBe('😀 "\\/\b\f\n\r\t😀');
});

test('treats __proto__ like any other member', () => {
  const value = parseJson('{"__proto__":{"polluted":true}}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([
  '0',
  '-0',
  '0.0',
  '0e5',
  '0e999999999999',
  '1.50',
  '15e-1',
  '1500e-3',
  '1E+2',
  '100',
  '1e21',
  '0.1',
  '148.5',
  '5e-324',
  '1.7976931348623157e308',
  '0.000001',
])('%s is read exactly', (source) => {
  expect(isExact(source, Number(source))).toBe(true);
});

test('a million digits take linear time', () => {
  // In quadratic time this would take minutes.
  const digits = `0.1${'0'.repeat(1_000_000)}1`;
  expect(isExact(digits, Number(digits))).toBe(false);
});

test('every double in its shortest or fixed form is read unchanged', () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => isExact(String(value), value)));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }), (whole, micros) => {
      const text = `${whole}.${String(micros).padStart(6, '0')}`;
      return isExact(text, Number(text));
    }),
  );
});
