import type { Contract } from '@saleschannel/testing/contracts';
import { auditTrail, lookUp } from './every/common.ts';

/** What operators rely on of traders: what an id names. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'traders',
  interactions: [auditTrail('an act on a sales channel, and one of the registry'), lookUp('a trader', 'trader')],
};
