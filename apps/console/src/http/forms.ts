import { channelStatuses } from '@saleschannel/edge/administration';
import { unavailable } from '@saleschannel/errors';
import { fault, faults, id, text, MAX_TEXT_LENGTH } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** Schemas shared by operations. Services check the meaning of values. */

const LIMIT = 100;
const LIMIT_AT_MOST = 1_000;

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
/** Limit of pages of imports, as in the registry API. */
const smallLimit = wholeNumber(LIMIT).default(LIMIT);

/** Page of a list by ids. It starts after the row with the id `after`. */
export const page = { limit, after: id.optional() };

/** Page of a list with a cursor of its service. */
export const cursorPage = { limit: smallLimit, after: text({ min: 1, max: MAX_TEXT_LENGTH }).optional() };

export const booleanParameter = z.enum(['true', 'false']).transform((value) => value === 'true');

export const lineText = text({ min: 1, max: MAX_TEXT_LENGTH });
export const status = z.enum(['ACTIVE', 'SUSPENDED']);
export const channelStatus = z.enum(channelStatuses);
export const holderKind = z.enum(['HOLDER', 'REGISTRY']);

/** Requires that the service applied the search text. @throws DomainError 'unavailable' for the previous release */
export function requireSearched(text: string | undefined, { searched }: { readonly searched: boolean }): void {
  if (text !== undefined && !searched) throw unavailable(new Error('the service ignored the search text'));
}

/** Returns `after` of the next page. An incomplete page is the last page. */
export const findNext = (ids: readonly string[], { limit: most }: { readonly limit: number }): string | null =>
  ids.length < most ? null : (ids.at(-1) ?? null);
