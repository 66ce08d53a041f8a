import { requestRefused, type DomainError, type Violation } from '@saleschannel/errors';
import { countryCode, name, pattern, period, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';

const MAX_CODE_CHARACTERS = 64;

/** A code that is defined elsewhere, such as a methodology or a credit type. */
export const code = text({ min: 1, max: MAX_CODE_CHARACTERS });

/** A production facility as the registry sends it. */
export const facility = z.object({
  code: pattern(/^[A-Za-z0-9]{6}$/, 'must be six letters or digits'),
  name,
  /** Name of the supplier. A new name creates a supplier. */
  supplier: name,
  country: countryCode,
  methodologyCodes: z.array(code),
  gsrn: code.optional(),
  creditingPeriod: period.transform(({ start, end }) => ({ start: new Date(start), end: new Date(end) })).nullable(),
});

export type Facility = z.output<typeof facility>;

/** Members that issuances have fixed. Null: may still change. */
export interface FixedMembers {
  readonly gsrn: string | null;
  /** Part of the ids of issued certificates. */
  readonly country: string | null;
}

/** Finds contradictions to the fixed members of a facility. A missing GSRN keeps the stored one. */
export function findContradictions(
  { gsrn, country }: Pick<Facility, 'gsrn' | 'country'>,
  fixed: FixedMembers,
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

/** Refuses a facility that contradicts its fixed members. */
export const refuseContradictions = (faults: Violation[]): DomainError =>
  requestRefused('The facility contradicts members that its certificates have fixed.', faults);
