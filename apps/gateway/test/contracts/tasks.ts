import { instant, interaction, oneOf, text, type Contract } from '@saleschannel/testing/contracts';

const type = 'TRANSFER_TYPE_TRADE' as const;
const status = oneOf('PENDING', 'SUCCESS', 'FAILED', 'REJECTED');

type Traded = Readonly<Record<'seller' | 'buyer' | 'key' | 'principalToken', string>>;
const trade = ({ seller, buyer, key, principalToken }: Traded) => ({
  transfers: [
    {
      principalToken: text(principalToken),
      requestId: text('r1'),
      clientAddress: text('127.0.0.1'),
      traderId: seller,
      idempotencyKey: key,
      trade: {
        buyerId: buyer,
        currency: 'EUR',
        assets: [{ range: { start: 'i1_1', end: 'i1_5' }, unitPrice: '0.1' }],
      },
    },
  ],
});

/** The gateway's requirements of tasks: each transfer starts or fails on its own, and tasks are readable. */
export const contract: Contract = {
  consumer: 'gateway',
  provider: 'tasks',
  interactions: [
    interaction('tasks.StartTransfers', {
      given: 'two traders',
      values: { channel: 'c1', seller: 's1', buyer: 'b1', key: 'key-1', principalToken: 'token' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }),
      request: trade,
      answer: ({ key }) => ({
        results: [{ task: { id: text('k1'), status, idempotencyKey: key, message: text('waiting') }, replayed: false }],
      }),
    }),
    interaction('tasks.StartTransfers', {
      given: 'two traders',
      values: { channel: 'c1', seller: 's1', key: 'key-2', principalToken: 'token' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }),
      request: (values) => trade({ ...values, buyer: values.seller }),
      answer: () => ({
        results: [
          {
            task: undefined,
            problem: {
              code: 'request-refused',
              detail: text('The buyer is the seller.'),
              violations: [{ pointer: '#/buyerId', code: text('buyer-is-seller'), detail: text('is the seller') }],
            },
          },
        ],
      }),
    }),
    interaction('tasks.GetTask', {
      given: 'a trade that was carried out',
      values: { channel: 'c1', trader: 's1', task: 'k1', transaction: 'x1' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }),
      request: ({ trader, task }) => ({ type, traderId: trader, taskId: task }),
      answer: ({ task, transaction }) => ({
        id: task,
        status: 'SUCCESS',
        idempotencyKey: text('key-1'),
        message: text('done'),
        transactionId: transaction,
      }),
    }),
    interaction('tasks.GetTask', {
      given: 'a trade that was asked for',
      values: { channel: 'c1', trader: 's1', task: 'k2' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }),
      request: ({ trader, task }) => ({ type, traderId: trader, taskId: task }),
      answer: ({ task }) => ({ id: task, status: 'PENDING', transactionId: undefined }),
    }),
    interaction('tasks.GetTask', {
      given: 'no task',
      values: { channel: 'c1', seller: 's1', task: 'k3' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }),
      request: ({ seller, task }) => ({ type, traderId: seller, taskId: task }),
      refusal: 'not-found',
    }),
    interaction('tasks.WaitForTasks', {
      given: 'a trade that was carried out',
      values: { channel: 'c1', trader: 's1', task: 'k1', transaction: 'x1', principalToken: 'token' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }),
      request: ({ trader, task, principalToken }) => ({
        tasks: [{ principalToken: text(principalToken), task: { type, traderId: trader, taskId: task } }],
      }),
      answer: ({ task, transaction }) => [
        {
          tasks: [
            {
              id: task,
              status: 'SUCCESS',
              idempotencyKey: text('key-1'),
              message: text('done'),
              transactionId: transaction,
            },
          ],
        },
      ],
    }),
    interaction('tasks.ListTasks', {
      given: 'a trade that was asked for',
      values: { channel: 'c1', trader: 's1', task: 'k2' },
      as: ({ channel }) => ({ salesChannelId: channel, roles: ['TRANSACTION_ADMINISTRATOR'] }),
      request: ({ trader }) => ({
        filter: { type: 'TRADE', traderId: trader },
        ascending: true,
        page: { limit: 100, offset: '0' },
      }),
      answer: ({ trader, task }) => ({
        tasks: [
          {
            task: { id: task, status, idempotencyKey: text('key-1'), message: text('waiting') },
            type: 'TRADE',
            traderId: trader,
            createdAt: instant('2025-03-04T10:02:11.318Z'),
            externalReference: undefined,
          },
        ],
        next: undefined,
      }),
    }),
  ],
};
