import { interaction, text, type Contract } from '@saleschannel/testing/contracts';

/** The sandbox needs rbac to replace a sales channel by a new one. */
export const contract: Contract = {
  consumer: 'sandbox',
  provider: 'rbac',
  interactions: [
    interaction('rbac.ReplaceSalesChannel', {
      given: 'a user who may see assets of a channel, and one who is bound to none',
      values: { channel: 'c1', administrator: 'u1' },
      as: ({ channel, administrator }) => ({
        userId: administrator,
        salesChannelId: channel,
        roles: ['ROLE_ADMINISTRATOR'],
      }),
      request: () => ({}),
      answer: ({ channel }) => ({ salesChannelId: text('c2'), previousSalesChannelId: channel }),
    }),
  ],
};
