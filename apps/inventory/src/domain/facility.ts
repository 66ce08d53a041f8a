import { requestRefused, type DomainError, type Violation } from '@saleschannel/errors';
import { countryCode, name, pattern, period, text } from '@saleschannel/primitives/validation';
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

/** What can no longer change: null where it still can. */
export interface FixedParts {
  readonly gsrn: string | null;
  /** A part of the ids of what was issued. */
  readonly country: string | null;
}

/** What contradicts the fixed parts of a facility. A GSRN that is left out stays. */
export function contradictionsOf(
  { gsrn, country }: Pick<Facility, 'gsrn' | 'country'>,
  fixed: FixedParts,
): Violation[] {
  const faults: Violation[] = [];
  if (fixed.country !== null && country !== fixed.country) {
    const detail = `must stay ${fixed.country}: certificates were issued from the facility`;
    faults.push({ pointer: '#/country', code: 'contradicts', detail });
  }
  if (fixed.gsrn !== null && gsrn !== undefined && gsrn !== fixed.gsrn)
    faults.push({ pointer: '#/gsrn', code: 'contradicts', detail: `must stay ${fixed.gsrn}` });
  return faults;
}

/** The refusal of a facility that contradicts its fixed parts. */
export const contradicts = (faults: Violation[]): DomainError =>
  requestRefused('The facility contradicts what is fixed of it.', faults);
