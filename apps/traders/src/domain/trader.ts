import { businessId, name, shownText, TEXT_LENGTH_AT_MOST } from '@saleschannel/primitives/validation';
import { z } from 'zod';

export const addressLine = shownText({ max: TEXT_LENGTH_AT_MOST });

/** An account holder's two street lines arrive here as one, with a comma between them. */
export const streetOfProposal = shownText({ max: 2 * TEXT_LENGTH_AT_MOST + 2 });

/** Address of a legal entity. No member is required. */
export const address = z.object({
  zipCode: addressLine.optional(),
  city: addressLine.optional(),
  countryName: addressLine.optional(),
  street: addressLine.optional(),
  poBox: addressLine.optional(),
});

export type Address = z.output<typeof address>;

/** What describes a legal entity, as a trader or as an account holder that wants to be one. */
export const legalEntity = z.object({ businessId, name, address });

export type LegalEntity = z.output<typeof legalEntity>;

export interface Trader extends LegalEntity {
  readonly id: string;
}
