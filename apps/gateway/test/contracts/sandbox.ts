import { instant, interaction, text, type Contract } from '@saleschannel/testing/contracts';

const given = 'a sales channel with traders and a webhook endpoint';
const asTrader = ({ channel }: { channel: string }) =>
  ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER'] }) as const;
const nothingElse = { proposalId: undefined, webhookEndpointIds: [], until: undefined };

/** The gateway's requirements of the sandbox: triggered events and their ids. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'sandbox',
  interactions: [
    interaction('sandbox.Trigger', {
      given,
      values: { channel: 'c1' },
      as: asTrader,
      request: () => ({ kind: 'trade-succeeded' }),
      answer: () => ({
        ...nothingElse,
        message: text('done'),
        traderId: text('t1'),
        taskId: text('k1'),
        transactionId: text('x1'),
      }),
    }),
    interaction('sandbox.Trigger', {
      given,
      values: { channel: 'c1' },
      as: asTrader,
      request: () => ({ kind: 'proposal-submitted' }),
      answer: () => ({
        ...nothingElse,
        message: text('proposed'),
        proposalId: text('p1'),
        traderId: undefined,
        taskId: undefined,
        transactionId: undefined,
      }),
    }),
    interaction('sandbox.Trigger', {
      given,
      values: { channel: 'c1', endpoint: 'e1' },
      as: asTrader,
      request: ({ endpoint: webhookEndpointId }) => ({ kind: 'webhook-down', webhookEndpointId, seconds: 10 }),
      answer: ({ endpoint }) => ({
        message: text('down'),
        webhookEndpointIds: [endpoint],
        until: instant('2026-01-01T00:00:00.000Z'),
      }),
    }),
    interaction('sandbox.Reset', {
      given,
      values: { channel: 'c1' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['ROLE_ADMINISTRATOR'] }),
      request: () => ({}),
      answer: ({ channel }) => ({ salesChannelId: text('c2'), previousSalesChannelId: channel }),
    }),
  ],
};
