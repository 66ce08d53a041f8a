import { interaction, type Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** Requirements of the console on tasks: its activity, and open work of a sales channel. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'tasks',
  interactions: [
    activity('a trade that was asked for', 'outbox', 'changes', 'waitingTasks'),
    interaction('channelTasks.CountOpenTasks', {
      given: 'a trade that was asked for',
      values: { channel: 'c1' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: () => ({ tasks: { count: 1, isMore: false } }),
    }),
  ],
};
