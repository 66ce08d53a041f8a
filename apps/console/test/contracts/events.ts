import type { Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** What the console alone relies on of events: what is going on there. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'events',
  interactions: [activity('a channel with three events, and one without any', 'changes')],
};
