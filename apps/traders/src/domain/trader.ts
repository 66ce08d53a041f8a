import { createHash } from 'node:crypto';
import { businessId, name, shownText, MAX_TEXT_LENGTH } from '@saleschannel/primitives/validation';
import { z } from 'zod';

export const addressLine = shownText({ max: MAX_TEXT_LENGTH });

/** An account holder's two street lines arrive as one, joined by a comma. */
export const proposalStreet = shownText({ max: 2 * MAX_TEXT_LENGTH + 2 });

/** Address of a legal entity. No member is required. */
export const address = z.object({
  zipCode: addressLine.optional(),
  city: addressLine.optional(),
  countryName: addressLine.optional(),
  street: addressLine.optional(),
  poBox: addressLine.optional(),
});

export type Address = z.output<typeof address>;

/** A trader, or an account holder that wants to become one. */
export const legalEntity = z.object({ businessId, name, address });

export type LegalEntity = z.output<typeof legalEntity>;

export interface Trader extends LegalEntity {
  readonly id: string;
}

/**
 * SHA-256 of a trader's identity, in hexadecimal digits. The audit trail keeps it in place of the names, which may be
 * those of a person. The auditor recomputes it from the tables, so its form is fixed.
 */
export const computeIdentityDigest = (traderId: string, entity: Pick<LegalEntity, 'businessId' | 'name'>): string =>
  createHash('sha256')
    .update(JSON.stringify([traderId, entity.businessId, entity.name]))
    .digest('hex');
