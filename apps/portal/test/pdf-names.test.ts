import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Font } from '@react-pdf/renderer';
import { assert, asyncProperty, integer, oneof, property, record, string } from 'fast-check';
import { toRuns, loadFonts, type Run } from '../src/public/pdf/fonts.ts';
import { PdfPrinter } from '../src/public/pdf/printer.ts';
import { Register } from './support/register.ts';

/** Names may contain any characters, and none may prevent a PDF. */

const LIMIT_MS = 120_000;
const EMOJI = 'Noto Emoji';
const EMOJI_AT_MOST = 5;
let emoji = 0;
/** The fonts have no characters beyond. */
const LAST_EMOJI = 0x1_fbff;

interface Shaped {
  readonly glyphs: readonly { readonly path: { readonly commands: readonly unknown[] } }[];
}

let fontOf: Awaited<ReturnType<typeof loadFonts>>;
beforeAll(async () => {
  fontOf = await loadFonts();
}, LIMIT_MS);

/** Draws a text as a document does. @throws Error if a font fails */
function shape({ family, text }: Run): number {
  // fontkit takes a second for each.
  if (family === EMOJI && emoji++ > EMOJI_AT_MOST) return 0;
  const { data } = Font.getFont({ fontFamily: family }) as unknown as { data: { layout(text: string): Shaped } };
  return data.layout(text).glyphs.reduce((count, glyph) => count + glyph.path.commands.length, 0);
}

const isDrawn = (text: string): boolean => {
  const runs = toRuns(text, fontOf);
  for (const run of runs ?? []) shape(run);
  return runs !== undefined;
};

describe('the fonts', () => {
  test(
    'draw each of their characters, alone and after a letter',
    () => {
      const failed: string[] = [];
      let drawn = 0;
      for (let code = 0; code <= LAST_EMOJI; code++) {
        const character = String.fromCodePoint(code);
        try {
          if (isDrawn(character)) drawn++;
        } catch (error) {
          failed.push(`U+${code.toString(16)}: ${String(error)}`);
        }
      }
      expect(failed).toEqual([]);
      // Latin, Greek, Cyrillic, Arabic, Hebrew, emoji.
      expect(drawn).toBeGreaterThan(2_500);
    },
    LIMIT_MS,
  );

  test.each([
    ['right-to-left marks beside Hebrew', '\u200fישראל\u200f'],
    ['an Arabic letter mark', 'شمس\u061cمكتب'],
    ['a soft hyphen and a byte order mark', 'Лес\u00ad\ufeffЛес'],
    ['an ideographic space', 'Nordlys\u3000Ferries'],
    ['a line separator', 'Nordlys\u2028Ferries'],
  ])('draw %s', (_what, text) => {
    expect(isDrawn(text)).toBe(true);
  });

  test.each(['東京', '서울', 'กรุงเทพ', 'दिल्ली', '\ud800'])('report that they lack %j', (text) => {
    expect(toRuns(`Ferries ${text}`, fontOf)).toBeUndefined();
  });
});

/** Generates text of all scripts, mostly with characters of the fonts. */
const name = string({
  unit: oneof(
    integer({ min: 0x20, max: 0x24f }),
    integer({ min: 0x300, max: 0x6ff }),
    integer({ min: 0x1e00, max: 0x206f }),
  ).map((code) => String.fromCodePoint(code)),
  maxLength: 60,
});

test('a text with marks that fontkit cannot place is not drawn, other texts are', () => {
  expect(toRuns('\u06e6\u06d6', fontOf)).toBeUndefined();
  expect(isDrawn('شمس')).toBe(true);
});

test(
  'every drawable run can be shaped',
  () => {
    assert(
      property(name, (text) => {
        // Removes characters that no font has, so that more texts are drawn.
        isDrawn([...text.normalize('NFC')].filter((character) => toRuns(character, fontOf)).join(''));
      }),
      { numRuns: 300 },
    );
  },
  LIMIT_MS,
);

describe('no name makes a PDF fail', () => {
  const printer = new PdfPrinter();
  let register: Register;
  beforeAll(async () => {
    register = await Register.create();
  });
  afterAll(() => printer.close());

  const print = async (hidden: Readonly<Record<string, string>>): Promise<Buffer> =>
    printer.print(
      { text: await register.add({ hidden }), verdict: { state: 'valid' }, url: 'https://portal.example/r/a' },
      '192.0.2.1',
    );

  test(
    'with any characters',
    async () => {
      const names = record({ beneficiaryName: name, beneficiaryLocation: name, retirementPurpose: name });
      await assert(
        asyncProperty(names, async (hidden) => {
          expect((await print(hidden)).subarray(0, 5).toString()).toBe('%PDF-');
        }),
        { numRuns: 5 },
      );
    },
    LIMIT_MS,
  );

  test(
    'with a purpose of any length',
    async () => {
      for (const letter of ['W', '東']) {
        const pdf = await print({ retirementPurpose: letter.repeat(1_000) });
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      }
    },
    LIMIT_MS,
  );
});
