import { inAnyOrder, interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of registry-import: suspended sales channels. */
export const contract: Contract = {
  consumer: 'registry-import',
  provider: 'rbac',
  interactions: [
    interaction('bindingDirectory.GetSalesChannels', {
      given: 'a sales channel, a suspended one, and an id of none',
      values: { channel: 'c1', suspended: 'c2', nothing: 'c3' },
      request: ({ channel, suspended, nothing }) => ({ salesChannelIds: [channel, suspended, nothing] }),
      // Unknown channels are not refused here: traders and inventory check them.
      answer: ({ channel, suspended }) => ({
        salesChannels: inAnyOrder({ id: channel, status: 'ACTIVE' }, { id: suspended, status: 'SUSPENDED' }),
      }),
    }),
    interaction('bindingDirectory.GetSalesChannels', {
      given: 'a sales channel',
      values: { channel: 'c1' },
      request: ({ channel }) => ({ salesChannelIds: [channel] }),
      answer: ({ channel }) => ({ salesChannels: [{ id: channel, status: 'ACTIVE' }] }),
    }),
    // Imports probe rbac with an empty call.
    interaction('bindingDirectory.GetSalesChannels', {
      given: 'a sales channel',
      values: { channel: 'c1' },
      request: () => ({ salesChannelIds: [] }),
      answer: () => ({ salesChannels: [] }),
    }),
  ],
};
