import { z } from 'zod';
import { parameters, parse } from './parse.ts';
import { pattern } from './schemas.ts';

/** Which page of a list of the registry API is asked for. */
const page = z.object({
  limit: z.int().min(1).max(100),
  /** An int8 as text. */
  offset: pattern(/^\d+$/, 'must be 0 or more'),
});

export type Page = z.output<typeof page>;

const place = parameters({ limit: 'limit', offset: 'offset' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readPage = (asked: unknown): Page => parse(page, asked, 'There is no such page.', place);
