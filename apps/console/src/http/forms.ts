import { channelStatuses } from '@saleschannel/edge/administration';
import { unavailable } from '@saleschannel/errors';
import { fault, faults, id, text, TEXT_LENGTH_AT_MOST } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** What the forms of operations share. Services check the meaning of what they are given. */

const LIMIT = 100;
const LIMIT_AT_MOST = 1_000;

/** A whole number as a query parameter has it. */
const wholeNumber = (most: number) =>
  z.string().transform((value, context) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : undefined;
    if (number === undefined) context.issues.push(fault(faults.type('integer'), value));
    else if (number < 1) context.issues.push(fault(faults.minimum(1), value));
    else if (number > most) context.issues.push(fault(faults.maximum(most), value));
    else return number;
    return z.NEVER;
  });

export const limit = wholeNumber(LIMIT_AT_MOST).default(LIMIT);
/** Imports are looked at by pages of the registry API, which are no larger. */
const smallLimit = wholeNumber(LIMIT).default(LIMIT);

/** A page of a list by ids: what comes behind the row with the id `after`. */
export const page = { limit, after: id.optional() };

/** A page of a list by a cursor of its service. */
export const cursorPage = { limit: smallLimit, after: text({ min: 1, max: TEXT_LENGTH_AT_MOST }).optional() };

/** A truth value as a query parameter has it. */
export const truth = z.enum(['true', 'false']).transform((value) => value === 'true');

export const line = text({ min: 1, max: TEXT_LENGTH_AT_MOST });
export const status = z.enum(['ACTIVE', 'SUSPENDED']);
export const channelStatus = z.enum(channelStatuses);
export const holderKind = z.enum(['HOLDER', 'REGISTRY']);

/**
 * Holds a list to the text that it was searched for.
 * @throws DomainError 'unavailable' while a replica of the previous release answers, which leaves out no record
 */
export function requireSearched(text: string | undefined, { searched }: { readonly searched: boolean }): void {
  if (text !== undefined && !searched) throw unavailable(new Error('a list came without being searched'));
}

/** `after` of the next page. A page that is not full is the last one. */
export const nextOf = (ids: readonly string[], { limit: most }: { readonly limit: number }): string | null =>
  ids.length < most ? null : (ids.at(-1) ?? null);
