import { interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of rbac: counts of open tasks of a sales channel, before it is closed. */
export const contract: Contract = {
  consumer: 'rbac',
  provider: 'tasks',
  interactions: [
    interaction('channelTasks.CountOpenTasks', {
      given: 'a trade that was asked for',
      values: { channel: 'c1' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: () => ({ tasks: { count: 1, isMore: false } }),
    }),
    interaction('channelTasks.CountOpenTasks', {
      given: 'two traders',
      values: { channel: 'c2' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: () => ({ tasks: { count: 0, isMore: false } }),
    }),
  ],
};
