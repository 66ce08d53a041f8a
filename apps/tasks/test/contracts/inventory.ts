import { interaction, text, type Contract } from '@saleschannel/testing/contracts';

/** Requirements of the ledger: checks of selections. */
export const contract: Contract = {
  consumer: 'tasks',
  provider: 'inventory',
  interactions: [
    interaction('selectionCheck.CheckSelections', {
      given: 'a trader with certificates',
      values: { channel: 'c1', trader: 't1', start: 'i1_1', end: 'i1_10' },
      request: ({ channel, trader, start, end }) => ({
        checks: [
          { salesChannelId: channel, traderId: trader, previousGeneration: false, selections: [{ start, end }] },
        ],
      }),
      answer: () => ({ verdicts: [{ faults: [] }] }),
    }),
    interaction('selectionCheck.CheckSelections', {
      given: 'a trader with certificates, and certificates of another trader',
      values: { channel: 'c1', trader: 't1', start: 'i1_1', end: 'i1_10', foreignStart: 'i2_1', foreignEnd: 'i2_10' },
      request: ({ channel, trader, start, end, foreignStart, foreignEnd }) => ({
        checks: [
          {
            salesChannelId: channel,
            traderId: trader,
            previousGeneration: false,
            selections: [
              { start, end },
              { start: foreignStart, end: foreignEnd },
            ],
          },
        ],
      }),
      answer: () => ({
        verdicts: [
          { faults: [{ index: 1, field: 'start', code: text('bundle-start'), detail: text('is not listed') }] },
        ],
      }),
    }),
    interaction('selectionCheck.CheckSelections', {
      given: 'a trader with certificates of old serials',
      values: { channel: 'c1', trader: 't1', first: '1', last: '10', start: 'i1_1', end: 'i1_10' },
      request: ({ channel, trader, first, last }) => ({
        checks: [
          {
            salesChannelId: channel,
            traderId: trader,
            previousGeneration: true,
            selections: [{ start: first, end: last }],
          },
        ],
      }),
      answer: ({ start, end }) => ({ verdicts: [{ faults: [], selections: [{ start, end }] }] }),
    }),
  ],
};
