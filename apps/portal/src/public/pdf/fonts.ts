import { createRequire } from 'node:module';
import { Font } from '@react-pdf/renderer';

const { resolve } = createRequire(import.meta.url);

interface FontFile {
  readonly family: string;
  readonly path: string;
  readonly weight?: number;
}

const plex = (script: string): FontFile[] =>
  [400, 600].map((weight) => ({
    family: `Plex ${script}`,
    path: `@fontsource/ibm-plex-sans/files/ibm-plex-sans-${script}-${weight}-normal.woff`,
    weight,
  }));
const plexOf = (script: string): FontFile => ({
  family: `Plex ${script}`,
  path: `@fontsource/ibm-plex-sans-${script}/files/ibm-plex-sans-${script}-${script}-400-normal.woff`,
});

const EMOJI = 'Noto Emoji';

/** Each file holds some scripts. What one has no sign for is looked for in the next. */
const files: readonly FontFile[] = [
  ...['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic', 'cyrillic-ext'].flatMap(plex),
  // Noto draws Arabic letters in parts that several share, so what is drawn cannot be searched or copied.
  ...['arabic', 'hebrew'].map(plexOf),
  { family: EMOJI, path: '@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff' },
];

const families = [...new Set(files.map(({ family }) => family))];
/** Has the letters, digits and spaces of most texts. */
export const MAIN = 'Plex latin';

for (const { family, path, weight } of files)
  Font.register({ family, src: resolve(path), ...(weight && { fontWeight: weight }) });
// Names are not hyphenated. What is longer than a line is broken anywhere.
Font.registerHyphenationCallback((word) =>
  word.length > LONG_WORD ? [...word].flatMap((each) => [each, '']) : [word],
);
const LONG_WORD = 24;

interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean;
  /** @throws Error, see `isShaped` */
  layout(text: string): unknown;
}

const glyphsOf = (fontFamily: string): Glyphs => (Font.getFont({ fontFamily }) as unknown as { data: Glyphs }).data;

/**
 * Joins or separates letters, says their direction or chooses how they look. Nothing is drawn for it. fontkit draws the
 * space of its font instead, which it cannot read where that is the last sign of the file: a RangeError.
 */
const SILENT = /\p{Default_Ignorable_Code_Point}/u;

/** @returns the first font that has a sign, or undefined */
export async function fontChoice(): Promise<(character: string) => string | undefined> {
  const fonts: { readonly family: string; readonly glyphs: Glyphs }[] = [];
  for (const fontFamily of families) {
    await Font.load({ fontFamily });
    fonts.push({ family: fontFamily, glyphs: glyphsOf(fontFamily) });
  }
  return (character) => fonts.find(({ glyphs }) => glyphs.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))?.family;
}

/** Text of one font. */
export interface Run {
  readonly family: string;
  readonly text: string;
}

/** Printable ASCII, of which nothing is shaped or joined. @returns undefined for all else */
export const plain = (text: string): readonly Run[] | undefined =>
  /^[\x20-\x7e]*$/.test(text) ? [{ family: MAIN, text }] : undefined;

/**
 * Whether fontkit can place the signs of a run. Of some marks in a row it cannot: OpenType lets a sign have no anchor
 * for a class of marks (GPOS lookups 4 to 6), and fontkit reads it all the same (foliojs/fontkit#367).
 */
function isShaped({ family, text }: Run): boolean {
  // A single sign, which fontkit takes a second for.
  if (family === EMOJI) return true;
  try {
    glyphsOf(family).layout(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The text in runs of one font each. Emoji come one by one: of two in a run the second gets lost.
 * @returns undefined where a sign of it is in no font, or a run cannot be drawn: half a name would be another name
 */
export function drawable(text: string, fontOf: (character: string) => string | undefined): readonly Run[] | undefined {
  const runs: Run[] = [];
  for (const each of text.normalize('NFC')) {
    if (SILENT.test(each)) continue;
    // Spaces of all kinds are drawn as those two that the main font has.
    const character = /\s/u.test(each) && each !== '\u00a0' ? ' ' : each;
    const last = runs.at(-1);
    const family = /\s/u.test(character) ? MAIN : fontOf(character);
    if (family === undefined) return undefined;
    if (last && last.family === family && family !== EMOJI) {
      runs[runs.length - 1] = { family, text: last.text + character };
    } else runs.push({ family, text: character });
  }
  return runs.every(isShaped) ? runs : undefined;
}
