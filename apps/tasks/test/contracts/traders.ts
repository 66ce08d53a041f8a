import { inAnyOrder, interaction, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of traders: traders of a channel and their account holders. */
export const contract: Contract = {
  consumer: 'tasks',
  provider: 'traders',
  interactions: [
    interaction('traderDirectory.GetParties', {
      given: 'a channel with an onboarded trader and one without account holder',
      values: { channel: 'c1', onboarded: 't1', holder: 'h1', plain: 't2' },
      request: ({ channel, onboarded, plain }) => ({
        keys: [
          { salesChannelId: channel, traderId: onboarded },
          { salesChannelId: channel, traderId: plain },
        ],
      }),
      answer: ({ channel, onboarded, holder, plain }) => ({
        parties: inAnyOrder(
          { salesChannelId: channel, traderId: onboarded, accountHolderId: holder },
          { salesChannelId: channel, traderId: plain, accountHolderId: undefined },
        ),
      }),
    }),
    interaction('traderDirectory.GetParties', {
      given: 'a trader of another channel',
      values: { channel: 'c1', foreign: 't3' },
      request: ({ channel, foreign }) => ({ keys: [{ salesChannelId: channel, traderId: foreign }] }),
      // Left out instead of refused, because one request covers many transfers.
      answer: () => ({ parties: [] }),
    }),
  ],
};
