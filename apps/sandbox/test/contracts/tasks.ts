import { interaction, oneOf, text, type Contract } from '@saleschannel/testing/contracts';

const type = 'TRANSFER_TYPE_TRADE' as const;
const asTrader = ({ channel }: { channel: string }) =>
  ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }) as const;

/** The sandbox needs tasks to start transfers on behalf of its user, and to return their tasks. */
export const contract: Contract = {
  consumer: 'sandbox',
  provider: 'tasks',
  interactions: [
    interaction('tasks.StartTransfers', {
      given: 'two traders',
      values: { channel: 'c1', seller: 't1', buyer: 't2', key: 'key-1', principalToken: 'token' },
      as: asTrader,
      request: ({ seller, buyer, key, principalToken }) => ({
        transfers: [
          {
            principalToken: text(principalToken),
            traderId: seller,
            idempotencyKey: text(key),
            trade: {
              buyerId: buyer,
              currency: 'EUR',
              assets: [{ range: { start: text('i1_1'), end: text('i1_4') }, unitPrice: '149.5' }],
            },
          },
        ],
      }),
      answer: () => ({ results: [{ task: { id: text('k1') } }] }),
    }),
    interaction('tasks.GetTask', {
      given: 'a trade that was carried out',
      values: { channel: 'c1', trader: 't1', task: 'k1', transaction: 'x1' },
      as: asTrader,
      request: ({ trader: traderId, task: taskId }) => ({ type, traderId, taskId }),
      answer: ({ task: id, transaction: transactionId }) => ({
        id,
        // The sandbox polls while PENDING, and reports FAILED and REJECTED as internal errors.
        status: oneOf('SUCCESS', 'FAILED', 'REJECTED', 'PENDING'),
        message: text('done'),
        transactionId,
      }),
    }),
  ],
};
