import { interaction, type Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

/** What the console alone relies on of tasks: what is going on there, and what is open on a sales channel. */
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
