import { interaction, text, type Contract } from '@saleschannel/testing/contracts';

/** The sandbox needs traders to create a trader when its user accepts a proposal. */
export const contract: Contract = {
  consumer: 'sandbox',
  provider: 'traders',
  interactions: [
    interaction('traders.AcceptProposal', {
      given: 'a pending proposal',
      values: { channel: 'c1', proposal: 'p3' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRADERONBOARDERPROPOSAL_ACCEPTER'] }),
      request: ({ proposal: proposalId }) => ({ proposalId }),
      answer: () => ({ onboardedTraderId: text('t3') }),
    }),
  ],
};
