import { parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** Members that `$expand` adds to the transactions of a list. */
const expansions = ['names', 'reference', 'metadata', 'retirement', 'totals'] as const;
/** References and metadata are notes of the sales channel, which no other reader sees. */
const sharedExpansions = ['names', 'retirement', 'totals'] as const;

export type Expansion = (typeof expansions)[number];

/** In the order of their members and columns. */
export type Expansions = readonly Expansion[];

const expandLocation = parameters({ expand: '$expand' });

const parseExpansions = (known: readonly Expansion[], expand: readonly string[]): Expansions => {
  const schema = z.object({ expand: z.array(z.enum(known)) });
  const names = new Set(
    parse(schema, { expand }, 'The transactions cannot be listed this way.', expandLocation).expand,
  );
  return expansions.filter((expansion) => names.has(expansion));
};

/** Parses `$expand` for the sales channel of the transactions. @throws DomainError 'invalid-request' */
export const readExpansions = (expand: readonly string[]): Expansions => parseExpansions(expansions, expand);

/** Parses `$expand` for other readers. @throws DomainError 'invalid-request' */
export const readSharedExpansions = (expand: readonly string[]): Expansions =>
  parseExpansions(sharedExpansions, expand);
