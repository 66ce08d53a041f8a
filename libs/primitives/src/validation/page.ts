import { z } from 'zod';
import { fault, parameters, parse, faults } from './parse.ts';
import { id } from './schemas.ts';
import { shownText } from './shown-text.ts';

/** Later pages need a cursor. */
const MAX_OFFSET = 10_000;
/** Longer than any cursor. */
const MAX_CURSOR_LENGTH = 4_000;

const cursor = z.string().max(MAX_CURSOR_LENGTH).optional();

const checkOffsetOrCursor = ({
  value,
  issues,
}: z.core.ParsePayload<{ offset: number; after?: string | undefined }>): void => {
  if (value.offset > 0 && value.after !== undefined) {
    issues.push({
      ...fault({ code: 'offset-with-cursor', detail: 'must not be sent together with a cursor' }, value.offset),
      path: ['offset'],
    });
  }
};

const isCount = (value: string): boolean => /^\d+$/.test(value);

/** Parses an int8, which arrives as text. */
const offsetUpTo = (most: number) =>
  z.string().transform((value, context): number => {
    const offset = Number(value);
    if (isCount(value) && offset <= most) return offset;
    context.issues.push(fault(isCount(value) ? faults.maximum(most) : faults.pattern('must be 0 or more'), value));
    return z.NEVER;
  });

/** Page of a list of the registry API. */
const page = z
  .object({ limit: z.int().min(1).max(100), offset: offsetUpTo(MAX_OFFSET), after: cursor })
  .check(checkOffsetOrCursor);

export type Page = z.output<typeof page>;

const locatePageFault = parameters({ limit: 'limit', offset: 'offset', after: 'after' });

/** Parses a page of a list of the registry API. @throws DomainError 'invalid-request' with the name of the parameter */
export const readPage = (request: unknown): Page =>
  parse(page, request, 'The page parameters are not valid.', locatePageFault);

/** Sales channels have longer lists, with larger pages and higher offsets. */
const MAX_CHANNEL_OFFSET = 100_000;

const channelPage = z
  .object({ limit: z.int().min(1).max(1_000), offset: offsetUpTo(MAX_CHANNEL_OFFSET), after: cursor })
  .check(checkOffsetOrCursor)
  .transform((parsed) => ({ ...parsed, parameter: '$after' }));

const locateChannelPageFault = parameters({ limit: '$limit', offset: '$offset', after: '$after' });

/** Parses a page of a sales channel's list. @throws DomainError 'invalid-request' with the name of the parameter */
export const readChannelPage = (request: unknown): z.output<typeof channelPage> =>
  parse(channelPage, request, 'The page parameters are not valid.', locateChannelPageFault);

export interface ListOrder<By extends string> {
  readonly by: By;
  readonly descending: boolean;
}

/**
 * Parses the order of a sales channel's list. Returns undefined for the default order.
 * @param known members to order by
 * @throws DomainError 'invalid-request' with the name of the parameter
 */
export function readListOrder<const By extends string>(
  request: unknown,
  known: readonly [By, ...By[]],
): ListOrder<By> | undefined {
  if (request === undefined || request === null) return undefined;
  const schema = z.object({ by: z.enum(known), descending: z.boolean() });
  const order = parse(schema, request, 'The list does not support this order.', () => ({ parameter: '$orderBy' }));
  return order as ListOrder<By>;
}

const MAX_REASON_LENGTH = 1_000;
const MAX_OPERATOR_ROWS = 1_000;

/** An operator's reason for revoking a right or an access, recorded for other operators. */
export const reason = shownText({ min: 1, max: MAX_REASON_LENGTH });

/** Page of an operator's list, with the rows after the id `after`. */
export const operatorPage = z.object({ limit: z.int().min(1).max(MAX_OPERATOR_ROWS), after: id.optional() });

export type OperatorPage = z.output<typeof operatorPage>;
