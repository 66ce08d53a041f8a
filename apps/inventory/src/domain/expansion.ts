import { parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** What lists of transactions add to each of them when asked (`$expand`). */
const expansions = ['names', 'reference', 'metadata', 'retirement', 'totals'] as const;
/** References and metadata are the sales channel's own notes. Nobody else reads them. */
const sharedExpansions = ['names', 'retirement', 'totals'] as const;

export type Expansion = (typeof expansions)[number];

/** In the order in which their members and columns are written. */
export type Expansions = readonly Expansion[];

const expandPlace = parameters({ expand: '$expand' });

const read = (known: readonly Expansion[], expand: readonly string[]): Expansions => {
  const schema = z.object({ expand: z.array(z.enum(known)) });
  const wanted = new Set(parse(schema, { expand }, 'The transactions cannot be listed this way.', expandPlace).expand);
  return expansions.filter((expansion) => wanted.has(expansion));
};

/** For the sales channel of the transactions. @throws DomainError 'invalid-request' that names the parameter */
export const readExpansions = (expand: readonly string[]): Expansions => read(expansions, expand);

/** For everybody else. @throws DomainError 'invalid-request' that names the parameter */
export const readSharedExpansions = (expand: readonly string[]): Expansions => read(sharedExpansions, expand);
