import type { Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** What the console alone relies on of inventory: what is going on there. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'inventory',
  interactions: [activity('a trade that was carried out', 'outbox', 'changes')],
};
