import { interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of rbac: names and suspensions of sales channels. */
export const contract: Contract = {
  consumer: 'inventory',
  provider: 'rbac',
  interactions: [
    interaction('bindingDirectory.GetSalesChannels', {
      given: 'a sales channel',
      values: { channel: 'c1', name: 'Nordic' },
      request: ({ channel }) => ({ salesChannelIds: [channel] }),
      answer: ({ channel, name }) => ({ salesChannels: [{ id: channel, name, status: 'ACTIVE' }] }),
    }),
    interaction('bindingDirectory.GetSalesChannels', {
      given: 'a suspended sales channel',
      values: { channel: 'c2' },
      request: ({ channel }) => ({ salesChannelIds: [channel] }),
      answer: () => ({ salesChannels: [{ status: 'SUSPENDED' }] }),
    }),
  ],
};
