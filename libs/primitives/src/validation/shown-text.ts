import { z } from 'zod';
import { fault, faults } from './parse.ts';
import { countCharacters, MAX_NAME_LENGTH, text, pattern } from './schemas.ts';

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

/** Normalizes a text so that texts that look the same are equal. The SQL function `comparison_key` does the same. */
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

/** A sales channel's own data about its transfers. The public contract states the same limits. */

const MAX_REFERENCE_LENGTH = 100;
const MAX_MEMBERS = 20;
const MAX_VALUE_LENGTH = 500;

/** Name of a transfer, unique in its sales channel. */
export const externalReference = naturalKey(MAX_REFERENCE_LENGTH);

/** Reference in a filter. {@link toStoredReferences} returns its stored forms. */
export const referenceFilter = text({ min: 1, max: MAX_REFERENCE_LENGTH });

/** Returns the forms in which a reference may be stored: older releases stored references unchanged. */
export const toStoredReferences = (reference: string): readonly string[] => [
  ...new Set([reference, toComparisonKey(reference)]),
];

/** The first character excludes `__proto__`, which JavaScript objects do not store as a member. */
const memberName = pattern(
  /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}$/,
  'must be 1 to 40 letters, digits, underscores, dots, colons or hyphens, and begin with a letter or a digit',
);

const membersUpTo = (most: number) =>
  z
    .record(memberName, text({ max: MAX_VALUE_LENGTH }))
    .check(({ value, issues }) => {
      if (Object.keys(value).length > most) issues.push(fault(faults.maxProperties(most), value));
    })
    .nullish()
    .transform((members) => (members && Object.keys(members).length > 0 ? members : undefined));

/** Names with texts, stored unchanged. An empty object is stored as none. */
export const metadata = membersUpTo(MAX_MEMBERS);

/** One member of metadata to filter by. */
export const metadataFilter = membersUpTo(1)
  .transform((members) => Object.entries(members ?? {}).map(([name, value]) => ({ name, value }))[0])
  .optional();

export type MetadataPair = NonNullable<z.infer<typeof metadataFilter>>;
