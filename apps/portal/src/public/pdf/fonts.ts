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
const plexScript = (script: string): FontFile => ({
  family: `Plex ${script}`,
  path: `@fontsource/ibm-plex-sans-${script}/files/ibm-plex-sans-${script}-${script}-400-normal.woff`,
});

const EMOJI = 'Noto Emoji';

/** Fonts by script. The first font with the glyph is used. */
const files: readonly FontFile[] = [
  ...['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic', 'cyrillic-ext'].flatMap(plex),
  // Not Noto: it composes Arabic letters from shared parts, so that text cannot be searched or copied.
  ...['arabic', 'hebrew'].map(plexScript),
  { family: EMOJI, path: '@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff' },
];

const families = [...new Set(files.map(({ family }) => family))];
/** Font of most letters, digits and spaces. */
export const MAIN = 'Plex latin';

for (const { family, path, weight } of files)
  Font.register({ family, src: resolve(path), ...(weight && { fontWeight: weight }) });
// Names are not hyphenated. Long words break anywhere.
Font.registerHyphenationCallback((word) =>
  word.length > LONG_WORD ? [...word].flatMap((each) => [each, '']) : [word],
);
const LONG_WORD = 24;

interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean;
  /** @throws Error, see {@link isShaped} */
  layout(text: string): unknown;
}

const findGlyphs = (fontFamily: string): Glyphs => (Font.getFont({ fontFamily }) as unknown as { data: Glyphs }).data;

/**
 * Invisible characters that join letters or set their direction or form. fontkit would draw a space, and fails with a
 * RangeError if that is the last glyph of the file.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Loads the fonts. Returns a function that finds the first font with a character, if any. */
export async function loadFonts(): Promise<(character: string) => string | undefined> {
  const fonts: { readonly family: string; readonly glyphs: Glyphs }[] = [];
  for (const fontFamily of families) {
    await Font.load({ fontFamily });
    fonts.push({ family: fontFamily, glyphs: findGlyphs(fontFamily) });
  }
  return (character) => fonts.find(({ glyphs }) => glyphs.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))?.family;
}

export interface Run {
  readonly family: string;
  readonly text: string;
}

/** Returns printable ASCII, which needs no shaping, as one run. Undefined for other text. */
export const toPlainRuns = (text: string): readonly Run[] | undefined =>
  /^[\x20-\x7e]*$/.test(text) ? [{ family: MAIN, text }] : undefined;

/**
 * Whether fontkit can lay out a run. It fails on some sequences of marks, because it reads anchors that OpenType lets
 * be absent (GPOS lookups 4 to 6, foliojs/fontkit#367).
 */
function isShaped({ family, text }: Run): boolean {
  // Single glyphs need no check, which would take a second each.
  if (family === EMOJI) return true;
  try {
    findGlyphs(family).layout(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Splits text into runs of one font each. Each emoji is a separate run, because a second emoji in a run gets lost.
 * @returns undefined if any character cannot be drawn: a part of a name would be another name
 */
export function toRuns(text: string, fontOf: (character: string) => string | undefined): readonly Run[] | undefined {
  const runs: Run[] = [];
  for (const each of text.normalize('NFC')) {
    if (INVISIBLE.test(each)) continue;
    // The main font has only the normal and the no-break space.
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
