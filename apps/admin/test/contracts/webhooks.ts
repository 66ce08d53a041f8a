import type { Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

/** What operators rely on of webhooks: what an id names. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'webhooks',
  interactions: [auditTrail('an act on a sales channel'), lookUp('a webhook endpoint', 'endpoint')],
};
