import { z } from 'zod';
import { fault } from './parse.ts';
import { pattern, text } from './schemas.ts';
import { naturalKey, toComparisonKey } from './shown-text.ts';
import { faults } from './wording.ts';

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
