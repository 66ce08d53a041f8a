import { z } from 'zod';
import { fault } from './parse.ts';
import { pattern, text } from './schemas.ts';
import { naturalKey, toComparisonKey } from './shown-text.ts';
import { faults } from './wording.ts';

/** What a sales channel says of its own transfers. The public contract states the same limits. */

const REFERENCE_LENGTH_AT_MOST = 100;
const MEMBERS_AT_MOST = 20;
const VALUE_LENGTH_AT_MOST = 500;

/** What a sales channel calls a transfer, once. */
export const externalReference = naturalKey(REFERENCE_LENGTH_AT_MOST);

/** A reference that is looked for, as a client writes it. {@link formsOfReference} says what it may be kept as. */
export const referenceFilter = text({ min: 1, max: REFERENCE_LENGTH_AT_MOST });

/** Older releases kept references as they came. */
export const formsOfReference = (asked: string): readonly string[] => [...new Set([asked, toComparisonKey(asked)])];

/** It begins with a letter or a digit, so none is `__proto__`, which objects of JavaScript do not keep. */
const memberName = pattern(
  /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}$/,
  'must be 1 to 40 letters, digits, underscores, dots, colons or hyphens, and begin with a letter or a digit',
);

const membersUpTo = (most: number) =>
  z
    .record(memberName, text({ max: VALUE_LENGTH_AT_MOST }))
    .check(({ value, issues }) => {
      if (Object.keys(value).length > most) issues.push(fault(faults.maxProperties(most), value));
    })
    .nullish()
    .transform((members) => (members && Object.keys(members).length > 0 ? members : undefined));

/** Names with texts, which are the channel's own data and stay as they are. None is the same as nothing. */
export const metadata = membersUpTo(MEMBERS_AT_MOST);

/** One name with its text that something is looked for by. */
export const metadataFilter = membersUpTo(1)
  .transform((members) => Object.entries(members ?? {}).map(([name, value]) => ({ name, value }))[0])
  .optional();

/** A member of metadata. */
export type MetadataPair = NonNullable<z.infer<typeof metadataFilter>>;
