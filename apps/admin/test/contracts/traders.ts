import type { Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

/** Operators need from traders the record of an id. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'traders',
  interactions: [auditTrail('an act on a sales channel, and one of the registry'), lookUp('a trader', 'trader')],
};
