import { z } from 'zod';
import { fault } from './parse.ts';
import { countCharacters, MAX_NAME_LENGTH, text } from './schemas.ts';
import { faults } from './wording.ts';

/**
 * Display texts and names are trimmed, in NFC (UAX 15), and contain visible characters. Default-ignorable characters
 * (UAX 44) are invisible. Of these, joiners and selectors stay within a text, since Persian, Indic and Mongolian names
 * and emoji need them. All others are removed.
 */

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
/** Grapheme joiner, ZWNJ, ZWJ. */
const JOINER = /[\u034f\u200c\u200d]/u;
/** Variation selectors, and tags of regional flags. They belong to the preceding character. */
const SELECTOR = /[\p{Variation_Selector}\u{e0020}-\u{e007f}]/u;
/** White space and the empty Braille pattern. */
const BLANK = /[\p{White_Space}\u2800]/u;

const isVisible = (character: string): boolean => !IGNORABLE.test(character) && !BLANK.test(character);
const isKept = (character: string): boolean =>
  !IGNORABLE.test(character) || JOINER.test(character) || SELECTOR.test(character);

/** Returns the characters from the first to the last visible one. */
function trim(characters: readonly string[]): readonly string[] {
  const last = characters.findLastIndex(isVisible);
  if (last < 0) return [];
  const selectors = characters.slice(last + 1).findIndex((character) => !SELECTOR.test(character));
  return characters.slice(characters.findIndex(isVisible), selectors < 0 ? undefined : last + 1 + selectors);
}

/** Normalizes a text for storage and display. Empty without visible characters. */
export const toShownText = (value: string): string =>
  trim([...value].filter(isKept))
    .join('')
    .normalize('NFC');

/**
 * Normalizes a text for comparison, so that texts that look the same are equal. The SQL function `comparison_key` does
 * the same.
 */
export const toComparisonKey = (value: string): string =>
  trim([...value].filter((character) => !IGNORABLE.test(character)))
    .join('')
    .normalize('NFC');

export const isSameText = (a: string, b: string): boolean => a === b || toComparisonKey(a) === toComparisonKey(b);

/**
 * Display text in the form of {@link toShownText}, with limits in characters. It may be empty if `min` is 0, but not
 * invisible.
 */
export const shownText = ({ min = 0, max }: { min?: number; max: number }) =>
  text({ min, max }).transform((value, { issues }) => {
    const shown = toShownText(value);
    if (shown === '' && value !== '') issues.push(fault(faults.blank(), value));
    // NFC makes a few characters longer.
    else if (countCharacters(shown, max) > max) issues.push(fault(faults.maxLength(max), value));
    else return shown;
    return z.NEVER;
  });

/** Identifying text, stored as its comparison key. */
export const naturalKey = (max: number) => shownText({ min: 1, max }).transform(toComparisonKey);

export const name = shownText({ min: 1, max: MAX_NAME_LENGTH });

/** Registration number of a legal entity. */
export const businessId = naturalKey(MAX_NAME_LENGTH);

/** Part of a name, for searches. It may begin or end with a blank. */
export const searchText = text({ min: 1, max: MAX_NAME_LENGTH }).transform((value) => value.normalize('NFC'));
