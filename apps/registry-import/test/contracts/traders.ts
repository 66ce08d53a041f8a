import { interaction, text, type Contract } from '@saleschannel/testing/contracts';

const applicant = {
  name: 'Havkalk AS',
  businessId: 'NO-1',
  address: { zipCode: '3208', city: 'Sandefjord', countryName: 'Norway', street: 'Ranvikveien 9' },
};

/** Requirements of registry-import: proposals, and the traders of accepted ones. */
export const contract: Contract = {
  consumer: 'registry-import',
  provider: 'traders',
  interactions: [
    interaction('traderDirectory.FindOnboardedTraders', {
      given: 'a channel with an onboarded trader and one without account holder',
      values: { channel: 'c1', holder: 'h1', onboarded: 't1' },
      request: ({ channel, holder }) => ({ keys: [{ accountHolderId: holder, salesChannelId: channel }] }),
      answer: ({ channel, holder, onboarded }) => ({
        parties: [{ accountHolderId: holder, salesChannelId: channel, traderId: onboarded }],
      }),
    }),
    interaction('traderDirectory.FindOnboardedTraders', {
      given: 'a pending proposal',
      values: { channel: 'c1', holder: 'h2' },
      request: ({ channel, holder }) => ({ keys: [{ accountHolderId: holder, salesChannelId: channel }] }),
      answer: () => ({ parties: [] }),
    }),
    // Imports probe traders with an empty call.
    interaction('traderDirectory.FindOnboardedTraders', {
      given: 'a pending proposal',
      values: { channel: 'c1', holder: 'h2' },
      request: () => ({ keys: [] }),
      answer: () => ({ parties: [] }),
    }),
    interaction('traderDirectory.SubmitProposal', {
      given: 'an account holder and a channel',
      values: { channel: 'c1', holder: 'h1' },
      as: ({ holder }) => ({ kind: 'registry', accountHolderId: holder }),
      request: ({ channel, holder }) => ({ accountHolderId: holder, salesChannelId: channel, ...applicant }),
      answer: ({ channel, holder }) => ({
        id: text('p1'),
        name: 'Havkalk AS',
        businessId: 'NO-1',
        status: 'PENDING',
        accountHolderId: holder,
        salesChannelId: channel,
        onboardedTraderId: undefined,
      }),
    }),
    interaction('traderDirectory.SubmitHolderProposal', {
      given: 'an account holder and a channel',
      values: { channel: 'c1', holder: 'h1' },
      as: ({ holder }) => ({ accountHolderId: holder }),
      request: ({ channel, holder }) => ({ accountHolderId: holder, salesChannelId: channel, ...applicant }),
      answer: ({ channel, holder }) => ({
        id: text('p1'),
        status: 'PENDING',
        accountHolderId: holder,
        salesChannelId: channel,
      }),
    }),
    interaction('traderDirectory.FindSubmittedProposal', {
      given: 'a pending proposal',
      values: { proposal: 'p1', channel: 'c1', holder: 'h2' },
      as: ({ holder }) => ({ kind: 'registry', accountHolderId: holder }),
      request: ({ proposal }) => ({ proposalId: proposal }),
      answer: ({ proposal, channel, holder }) => ({
        id: proposal,
        status: 'PENDING',
        accountHolderId: holder,
        salesChannelId: channel,
      }),
    }),
    interaction('traderDirectory.PageSubmittedProposals', {
      given: 'a pending proposal',
      values: { proposal: 'p1', channel: 'c1', holder: 'h2' },
      as: ({ holder }) => ({ kind: 'registry', accountHolderId: holder }),
      request: ({ holder }) => ({ page: { limit: 100, offset: '0' }, status: 'PENDING', accountHolderId: holder }),
      answer: ({ proposal, channel, holder }) => ({
        total: '1',
        proposals: [
          {
            id: proposal,
            name: text('Havkalk AS'),
            businessId: text('NO-1'),
            status: 'PENDING',
            accountHolderId: holder,
            salesChannelId: channel,
            onboardedTraderId: undefined,
          },
        ],
        next: undefined,
      }),
    }),
  ],
};
