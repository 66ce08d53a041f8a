import { interaction, type Contract } from '@saleschannel/testing/contracts';
import { activity } from './every/activity.ts';

const one = { count: 1, isMore: false };

/** Requirements of the console on inventory: its activity, and open work of a sales channel. */
export const contract: Contract = {
  consumer: 'admin',
  provider: 'inventory',
  interactions: [
    activity('a trade that was carried out', 'outbox', 'changes'),
    interaction('channelUse.CountChannelUse', {
      given: 'a trade that waits for approval',
      values: { channel: 'c1' },
      request: ({ channel: salesChannelId }) => ({ salesChannelId }),
      answer: () => ({ pendingTransactions: one, reservedBundles: one, listedBundles: one }),
    }),
  ],
};
