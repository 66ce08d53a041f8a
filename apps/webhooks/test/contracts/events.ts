import { inAnyOrder, instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';

const given = 'a channel with three events, and one without any';
const at = '2026-01-01T00:00:00.002Z';

/** Requirements of webhooks: events in order, ranges between two times, and heads of logs. */
export const contract: Contract = {
  consumer: 'webhooks',
  provider: 'events',
  interactions: [
    interaction('eventLog.ReadLog', {
      given,
      values: { channel: 'c1', first: 'e1', firstAt: '2026-01-01T00:00:00.001Z', second: 'e2', third: 'e3' },
      request: ({ channel, firstAt }) => ({ salesChannelId: channel, after: firstAt, limit: 100, withPrevious: true }),
      answer: ({ first, second, third }) => ({
        events: [
          {
            id: second,
            eventType: 'TRANSACTION_STATUS_CHANGE',
            createdAt: instant(at),
            eventAt: instant(at),
            transactionId: text('x2'),
            status: text('SUCCESS'),
          },
          { id: third, createdAt: instant('2026-01-01T00:00:00.003Z') },
        ],
        previousEventId: first,
      }),
    }),
    interaction('eventLog.ReadLog', {
      given,
      values: { empty: 'c2' },
      request: ({ empty }) => ({ salesChannelId: empty, limit: 1, withPrevious: true }),
      answer: () => ({ events: [], previousEventId: undefined }),
    }),
    interaction('eventLog.GetHeads', {
      given,
      values: { channel: 'c1', thirdAt: '2026-01-01T00:00:00.003Z', empty: 'c2' },
      request: ({ channel, empty }) => ({ salesChannelIds: [channel, empty] }),
      answer: ({ channel, thirdAt }) => ({ heads: inAnyOrder({ salesChannelId: channel, createdAt: thirdAt }) }),
    }),
  ],
};
