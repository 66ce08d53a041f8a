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
}

/** Joins emoji, or chooses how one looks. Nothing is drawn for it. */
const SILENT = /\u200c|\u200d|\ufe0e|\ufe0f/u;
/** Drawn for a sign of a script that no font here has. */
const SUBSTITUTE = '\ufffd';

/** @returns the first font that has a sign, or undefined */
export async function fontChoice(): Promise<(character: string) => string | undefined> {
  const fonts: (Glyphs & { readonly family: string })[] = [];
  for (const fontFamily of families) {
    await Font.load({ fontFamily });
    const { data } = Font.getFont({ fontFamily }) as unknown as { data: Glyphs };
    fonts.push({ family: fontFamily, hasGlyphForCodePoint: (codePoint) => data.hasGlyphForCodePoint(codePoint) });
  }
  return (character) => fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))?.family;
}

/** Text of one font. */
export interface Run {
  readonly family: string;
  readonly text: string;
}

export interface Drawable {
  readonly runs: readonly Run[];
  readonly isSubstituted: boolean;
}

/**
 * The text in runs of one font each, with a substitute for each sign that no font has. Emoji come one by one: of two in
 * a run the second gets lost.
 */
export function drawable(text: string, fontOf: (character: string) => string | undefined): Drawable {
  const runs: Run[] = [];
  let isSubstituted = false;
  for (const character of text.normalize('NFC')) {
    if (SILENT.test(character)) continue;
    const last = runs.at(-1);
    const family = /\s/u.test(character) ? MAIN : fontOf(character);
    if (family === undefined) isSubstituted = true;
    const run = { family: family ?? MAIN, text: family === undefined ? SUBSTITUTE : character };
    if (last && last.family === run.family && run.family !== EMOJI) {
      runs[runs.length - 1] = { family: run.family, text: last.text + run.text };
    } else runs.push(run);
  }
  return { runs, isSubstituted };
}
