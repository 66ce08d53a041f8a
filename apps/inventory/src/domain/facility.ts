import { countryCode, name, pattern, period, text } from '@saleschannel/validation';
import { z } from 'zod';

/** Codes that others chose, in characters. */
const CODE_LENGTH_AT_MOST = 64;

/** A code that somebody else chose, such as a methodology or a credit type. */
export const code = text({ min: 1, max: CODE_LENGTH_AT_MOST });

/** A production facility as the registry sends it. */
export const facility = z.object({
  code: pattern(/^[A-Za-z0-9]{6}$/, 'must be six letters or digits'),
  name,
  /** The name. A supplier is made when it is new. */
  supplier: name,
  country: countryCode,
  methodologyCodes: z.array(code),
  gsrn: code.optional(),
  creditingPeriod: period.transform(({ start, end }) => ({ start: new Date(start), end: new Date(end) })).nullable(),
});

export type Facility = z.output<typeof facility>;
