import { interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of tasks: progress with changes of status. */
export const contract: Contract = {
  consumer: 'inventory',
  provider: 'tasks',
  interactions: [
    interaction('ledgerProgress.GetLedgerProgress', {
      given: 'a channel whose first and third change were applied',
      values: { channel: 'c1' },
      request: ({ channel }) => ({ salesChannelId: channel }),
      answer: ({ channel }) => [
        { channels: [{ salesChannelId: channel, upto: '1', highest: '3', gaps: [{ first: '2', last: '2' }] }] },
      ],
    }),
  ],
};
