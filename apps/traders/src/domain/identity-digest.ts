import { createHash } from 'node:crypto';

/**
 * SHA-256, in hexadecimal digits, of who a trader is. The audit trail keeps it in place of the names, which may be
 * those of a person, and the auditor computes it again from the tables: the form is fixed.
 */
export const identityDigest = (traderId: string, { businessId, name }: { businessId: string; name: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([traderId, businessId, name]))
    .digest('hex');
