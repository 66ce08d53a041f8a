import type { Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** Requirements of the console on events, beyond those of the admin command: its activity. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'events',
  interactions: [activity('a channel with three events, and one without any', 'changes')],
};
