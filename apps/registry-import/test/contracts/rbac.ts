import { inAnyOrder, interaction, type Contract } from '@saleschannel/testing/contracts';

/** What registry-import relies on of rbac: which sales channels are suspended. */
export const contract: Contract = {
  consumer: 'registry-import',
  provider: 'rbac',
  interactions: [
    interaction('bindingDirectory.GetSalesChannels', {
      given: 'a sales channel, a suspended one, and an id of none',
      values: { channel: 'c1', suspended: 'c2', nothing: 'c3' },
      request: ({ channel, suspended, nothing }) => ({ salesChannelIds: [channel, suspended, nothing] }),
      // What is not there is not refused: proposals and issuances are for others to judge.
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
    // Imports ask for nothing to learn whether rbac answers.
    interaction('bindingDirectory.GetSalesChannels', {
      given: 'a sales channel',
      values: { channel: 'c1' },
      request: () => ({ salesChannelIds: [] }),
      answer: () => ({ salesChannels: [] }),
    }),
  ],
};
