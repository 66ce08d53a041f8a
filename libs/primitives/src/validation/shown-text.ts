import { z } from 'zod';
import { fault } from './parse.ts';
import { lengthOf, NAME_LENGTH_AT_MOST, text } from './schemas.ts';
import { faults } from './wording.ts';

/**
 * Names and texts for people: trimmed, in NFC (UAX 15), and with something to see. Nobody sees default-ignorable
 * characters (UAX 44). Those that shape their neighbours are kept within a text, since Persian, Indic and Mongolian
 * names and emoji are written with them. All others are removed.
 */

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
/** Grapheme joiner, ZWNJ, ZWJ. */
const JOINER = /[\u034f\u200c\u200d]/u;
/** Variation selectors, and the tags in the flags of regions: they belong to the character before them. */
const SELECTOR = /[\p{Variation_Selector}\u{e0020}-\u{e007f}]/u;
/** White space, and the Braille pattern without a dot. */
const BLANK = /[\p{White_Space}\u2800]/u;

const isSeen = (character: string): boolean => !IGNORABLE.test(character) && !BLANK.test(character);
const isKept = (character: string): boolean =>
  !IGNORABLE.test(character) || JOINER.test(character) || SELECTOR.test(character);

/** The characters from the first that is seen to the last one. Empty when none is. */
function trimmed(characters: readonly string[]): readonly string[] {
  const last = characters.findLastIndex(isSeen);
  if (last < 0) return [];
  const selectors = characters.slice(last + 1).findIndex((character) => !SELECTOR.test(character));
  return characters.slice(characters.findIndex(isSeen), selectors < 0 ? undefined : last + 1 + selectors);
}

/** The form in which a text for people is kept and shown. Empty when there is nothing to see. */
export const toShownText = (value: string): string =>
  trimmed([...value].filter(isKept))
    .join('')
    .normalize('NFC');

/**
 * The form in which texts are compared wherever sameness is judged: equal for texts that differ in nothing that people
 * see. SQL has the same function, `comparison_key`.
 */
export const toComparisonKey = (value: string): string =>
  trimmed([...value].filter((character) => !IGNORABLE.test(character)))
    .join('')
    .normalize('NFC');

export const isSameText = (a: string, b: string): boolean => a === b || toComparisonKey(a) === toComparisonKey(b);

/**
 * A text for people, with its length in characters, in the form of {@link toShownText}. An empty one is a text, unless
 * it must have a length. One with nothing to see is none.
 */
export const shownText = ({ min = 0, max }: { min?: number; max: number }) =>
  text({ min, max }).transform((value, { issues }) => {
    const shown = toShownText(value);
    if (shown === '' && value !== '') issues.push(fault(faults.blank(), value));
    // A few characters have no composed form.
    else if (lengthOf(shown, max) > max) issues.push(fault(faults.maxLength(max), value));
    else return shown;
    return z.NEVER;
  });

/** A text that identifies something, kept in the form in which it is compared. */
export const naturalKey = (max: number) => shownText({ min: 1, max }).transform(toComparisonKey);

/** What people call somebody or something. */
export const name = shownText({ min: 1, max: NAME_LENGTH_AT_MOST });

/** What a legal entity is known by in its country. */
export const businessId = naturalKey(NAME_LENGTH_AT_MOST);

/** A part of a name that is looked for, in the form of names. It may end with a blank. */
export const searchText = text({ min: 1, max: NAME_LENGTH_AT_MOST }).transform((value) => value.normalize('NFC'));
