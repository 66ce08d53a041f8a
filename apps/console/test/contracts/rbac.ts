import type { Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** What the console alone relies on of rbac: what is going on there. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'rbac',
  interactions: [activity('a sales channel', 'outbox')],
};
