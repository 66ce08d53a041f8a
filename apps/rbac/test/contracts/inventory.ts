import { interaction, type Contract } from '@saleschannel/testing/contracts';

const [none, one] = [
  { count: 0, isMore: false },
  { count: 1, isMore: false },
];

/** Requirements of rbac: counts of open records of a sales channel, before it is closed. */
export const contract: Contract = {
  consumer: 'rbac',
  provider: 'inventory',
  interactions: [
    interaction('channelUse.CountChannelUse', {
      given: 'a trade that waits for approval',
      values: { channel: 'c1' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: () => ({ pendingTransactions: one, reservedBundles: one, listedBundles: one }),
    }),
    interaction('channelUse.CountChannelUse', {
      given: 'a channel without transactions, and an id of none',
      values: { channel: 'c2' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: () => ({ pendingTransactions: none, reservedBundles: none, listedBundles: none }),
    }),
  ],
};
