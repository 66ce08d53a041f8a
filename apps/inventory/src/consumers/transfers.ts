import { createConsumer, type Broker, type Consumer } from '@saleschannel/messaging';
import type { Logger } from '@saleschannel/runtime';
import { settleTransfers, type SettleDependencies } from '../operations/settle-transfers.ts';

const PREFETCH_MESSAGES = 50;
/** Larger batches cost each transfer less and delay the first one more. */
const TRANSFERS_PER_COMMIT_AT_MOST = 100;

/** Requested transfers → the ledger. */
export const consumeTransfers = (dependencies: SettleDependencies & { broker: Broker; logger: Logger }): Consumer =>
  createConsumer({
    broker: dependencies.broker,
    queue: 'inventory.transfers',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: TRANSFERS_PER_COMMIT_AT_MOST,
    handle: (entries) =>
      settleTransfers(
        dependencies,
        entries.map((entry) => entry.event),
      ),
    logger: dependencies.logger,
  });
