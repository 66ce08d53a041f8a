import { interaction, type Contract } from '@saleschannel/testing/contracts';

/** traders needs from rbac whether a sales channel exists and whether it is suspended. */
export const contract: Contract = {
  consumer: 'traders',
  provider: 'rbac',
  interactions: [
    interaction('bindingDirectory.GetSalesChannel', {
      given: 'a sales channel',
      values: { channel: 'c1' },
      request: ({ channel }) => ({ salesChannelId: channel }),
      answer: () => ({ status: 'ACTIVE' }),
    }),
    interaction('bindingDirectory.GetSalesChannel', {
      given: 'a suspended sales channel',
      values: { channel: 'c2' },
      request: ({ channel }) => ({ salesChannelId: channel }),
      answer: () => ({ status: 'SUSPENDED' }),
    }),
    interaction('bindingDirectory.GetSalesChannel', {
      given: 'an id of no sales channel',
      values: { channel: 'c3' },
      request: ({ channel }) => ({ salesChannelId: channel }),
      refusal: 'not-found',
    }),
  ],
};
