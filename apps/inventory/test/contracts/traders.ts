import { inAnyOrder, interaction, type Contract } from '@saleschannel/testing/contracts';

const given = 'a channel with an onboarded trader and one without account holder';

/** Requirements of traders: traders of a channel, their names and their account holders. */
export const contract: Contract = {
  consumer: 'inventory',
  provider: 'traders',
  interactions: [
    interaction('traderDirectory.GetParties', {
      given,
      values: { channel: 'c1', plain: 't2' },
      request: ({ channel, plain }) => ({ keys: [{ salesChannelId: channel, traderId: plain }] }),
      // Only the number of parties matters.
      answer: () => ({ parties: [{ accountHolderId: undefined }] }),
    }),
    interaction('traderDirectory.GetParties', {
      given: 'a trader of another channel',
      values: { channel: 'c1', foreign: 't3' },
      request: ({ channel, foreign }) => ({ keys: [{ salesChannelId: channel, traderId: foreign }] }),
      answer: () => ({ parties: [] }),
    }),
    interaction('traderDirectory.GetParties', {
      given,
      values: { channel: 'c1', onboarded: 't1', plain: 't2', holder: 'h1' },
      request: ({ channel, onboarded, plain }) => ({
        keys: [
          { salesChannelId: channel, traderId: onboarded },
          { salesChannelId: channel, traderId: plain },
        ],
      }),
      answer: ({ holder }) => ({
        parties: inAnyOrder({ accountHolderId: holder }, { accountHolderId: undefined }),
      }),
    }),
    interaction('traderDirectory.DescribeParties', {
      given,
      values: { channel: 'c1', onboarded: 't1', onboardedName: 'One', plain: 't2', plainName: 'Two', holder: 'h1' },
      request: ({ channel, onboarded, plain }) => ({
        keys: [
          { salesChannelId: channel, traderId: onboarded },
          { salesChannelId: channel, traderId: plain },
        ],
      }),
      answer: ({ onboarded, onboardedName, plain, plainName, holder }) => ({
        parties: inAnyOrder(
          { traderId: onboarded, name: onboardedName, accountHolderId: holder },
          { traderId: plain, name: plainName, accountHolderId: undefined },
        ),
      }),
    }),
    interaction('traderDirectory.FindTradersOfHolder', {
      given,
      values: { channel: 'c1', onboarded: 't1', holder: 'h1' },
      request: ({ holder }) => ({ accountHolderId: holder }),
      answer: ({ channel, onboarded }) => ({ parties: [{ salesChannelId: channel, traderId: onboarded }] }),
    }),
    interaction('traderDirectory.FindTradersOfHolder', {
      given: 'an account holder that is nobody’s trader',
      values: { holder: 'h2' },
      request: ({ holder }) => ({ accountHolderId: holder }),
      answer: () => ({ parties: [] }),
    }),
  ],
};
