import { interaction, text, type Contract } from '@saleschannel/testing/contracts';

/** What the sandbox relies on of traders: that a proposal which its user accepts makes a trader. */
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
