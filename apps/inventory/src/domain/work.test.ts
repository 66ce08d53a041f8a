import { expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { workOf } from './work.ts';

const transferOf = (selections: number, metadata?: Record<string, string>): TransferRequested =>
  ({
    taskId: 'task-1',
    type: 'TRADE',
    sellerId: 'seller',
    assets: Array.from({ length: selections }, () => ({ start: 'first', end: 'last', unitPrice: '1.5' })),
    ...(metadata && { metadata }),
    actor: { kind: 'user', id: 'user-1' },
  }) as unknown as TransferRequested;

test.each<[string, TransferRequested, number]>([
  ['a usual transfer', transferOf(1), 1],
  ['its selections', transferOf(1_000), 1_000],
  ['the size of its texts', transferOf(1, { a: 'x'.repeat(10_000), b: 'x'.repeat(10_000) }), 20],
  ['the larger of both', transferOf(30, { a: 'x'.repeat(20_000) }), 30],
])('the work of %s', (_what, transfer, work) => expect(workOf(transfer)).toBe(work));
