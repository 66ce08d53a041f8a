import { name, text } from '@saleschannel/validation';
import { z } from 'zod';

/** In characters. An account holder's two street lines of 200 characters arrive here as one. */
const ADDRESS_LENGTH_AT_MOST = 500;

export const addressLine = text({ max: ADDRESS_LENGTH_AT_MOST });

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
export const legalEntity = z.object({ businessId: name, name, address });

export type LegalEntity = z.output<typeof legalEntity>;

export interface Trader extends LegalEntity {
  readonly id: string;
}
