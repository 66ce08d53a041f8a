import type { Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

/** Operators need from webhooks the record of an id. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'webhooks',
  interactions: [auditTrail('an act on a sales channel'), lookUp('a webhook endpoint', 'endpoint')],
};
