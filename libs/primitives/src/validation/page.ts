import { z } from 'zod';
import { fault, parameters, parse } from './parse.ts';
import { faults } from './wording.ts';

/** Whoever wants to go on beyond takes the cursor. */
const OFFSET_AT_MOST = 10_000;
/** Longer than any cursor. */
const CURSOR_LENGTH_AT_MOST = 4_000;

const cursor = z.string().max(CURSOR_LENGTH_AT_MOST).optional();

const isOneWay = ({ value, issues }: z.core.ParsePayload<{ offset: number; after?: string | undefined }>): void => {
  if (value.offset > 0 && value.after !== undefined) {
    issues.push({
      ...fault({ code: 'offset-with-cursor', detail: 'must not be sent together with a cursor' }, value.offset),
      path: ['offset'],
    });
  }
};

const isCount = (value: string): boolean => /^\d+$/.test(value);

/** An int8 as text, as it comes. */
const offsetUpTo = (most: number) =>
  z.string().transform((value, context): number => {
    const offset = Number(value);
    if (isCount(value) && offset <= most) return offset;
    context.issues.push(fault(isCount(value) ? faults.maximum(most) : faults.pattern('must be 0 or more'), value));
    return z.NEVER;
  });

/** Which page of a list of the registry API is asked for. */
const page = z
  .object({ limit: z.int().min(1).max(100), offset: offsetUpTo(OFFSET_AT_MOST), after: cursor })
  .check(isOneWay);

export type Page = z.output<typeof page>;

const place = parameters({ limit: 'limit', offset: 'offset', after: 'after' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readPage = (asked: unknown): Page => parse(page, asked, 'The page parameters are not valid.', place);

/** The lists of sales channels have larger pages and go further. */
const CHANNEL_OFFSET_AT_MOST = 100_000;

const channelPage = z
  .object({ limit: z.int().min(1).max(1_000), offset: offsetUpTo(CHANNEL_OFFSET_AT_MOST), after: cursor })
  .check(isOneWay)
  .transform((asked) => ({ ...asked, parameter: '$after' }));

const channelPlace = parameters({ limit: '$limit', offset: '$offset', after: '$after' });

/** Which page of a list a sales channel asks for. @throws DomainError 'invalid-request' that names the parameter */
export const readChannelPage = (asked: unknown): z.output<typeof channelPage> =>
  parse(channelPage, asked, 'The page parameters are not valid.', channelPlace);

/** An order that a client asks for. */
export interface ListOrder<By extends string> {
  readonly by: By;
  readonly descending: boolean;
}

/**
 * In which order a sales channel asks for a list. Undefined for the order that it has by itself.
 * @param known what it can be ordered by
 * @throws DomainError 'invalid-request' that names the parameter
 */
export function readListOrder<const By extends string>(
  asked: unknown,
  known: readonly [By, ...By[]],
): ListOrder<By> | undefined {
  if (asked === undefined || asked === null) return undefined;
  const schema = z.object({ by: z.enum(known), descending: z.boolean() });
  const order = parse(schema, asked, 'The list does not support this order.', () => ({ parameter: '$orderBy' }));
  return order as ListOrder<By>;
}
