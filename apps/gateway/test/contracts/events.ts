import { startsWith, instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';

const at = '2026-01-01T00:00:00.002Z';

/** The gateway's requirements of events: the log of a channel in either order, from a time on. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'events',
  interactions: [
    interaction('events.ListEvents', {
      given: 'a channel with three events, and one without any',
      values: { channel: 'c1', firstAt: '2026-01-01T00:00:00.001Z', second: 'e2', third: 'e3' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['EVENT_VIEWER'] }),
      request: ({ firstAt }) => ({ filter: { createdAtGt: firstAt }, descending: true, limit: 2 }),
      answer: ({ second, third }) => ({
        events: [
          {
            id: third,
            eventType: 'TRANSACTION_STATUS_CHANGE',
            createdAt: instant('2026-01-01T00:00:00.003Z'),
            eventAt: instant(at),
            transactionId: text('x3'),
            status: 'SUCCESS',
          },
          {
            id: second,
            eventType: 'TRANSACTION_STATUS_CHANGE',
            createdAt: instant(at),
            eventAt: instant(at),
            transactionId: text('x2'),
            status: 'SUCCESS',
          },
        ],
      }),
    }),
    interaction('events.StreamEvents', {
      given: 'a channel with three events, and one without any',
      values: { channel: 'c1', first: 'e1', second: 'e2', third: 'e3' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['EVENT_VIEWER'] }),
      request: ({ first }) => ({ after: first }),
      // The first message has the position, before any event.
      answer: ({ first, second, third }) =>
        startsWith({ after: first, events: [] }, { events: [{ id: second }, { id: third }] }),
    }),
  ],
};
