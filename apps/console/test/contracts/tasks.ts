import type { Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** What the console alone relies on of tasks: what is going on there. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'tasks',
  interactions: [activity('a trade that was asked for', 'outbox', 'changes', 'waitingTasks')],
};
