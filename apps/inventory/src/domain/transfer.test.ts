import { expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { estimateTransferCost } from './transfer.ts';

const createTransfer = (selections: number, metadata?: Record<string, string>): TransferRequested =>
  ({
    taskId: 'task-1',
    type: 'TRADE',
    sellerId: 'seller',
    assets: Array.from({ length: selections }, () => ({ start: 'first', end: 'last', unitPrice: '1.5' })),
    ...(metadata && { metadata }),
    actor: { kind: 'user', id: 'user-1' },
  }) as unknown as TransferRequested;

test.each<[string, TransferRequested, number]>([
  ['a usual transfer', createTransfer(1), 1],
  ['its selections', createTransfer(1_000), 1_000],
  ['the size of its texts', createTransfer(1, { a: 'x'.repeat(10_000), b: 'x'.repeat(10_000) }), 20],
  ['the larger of both', createTransfer(30, { a: 'x'.repeat(20_000) }), 30],
])('the cost of a transfer is that of %s', (_measure, transfer, cost) =>
  expect(estimateTransferCost(transfer)).toBe(cost),
);
