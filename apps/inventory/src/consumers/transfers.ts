import type { Database } from '@saleschannel/database';
import { Consumer, type Broker } from '@saleschannel/messaging';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import { issuancesOf } from '../domain/selection.ts';
import { settleTransfers } from '../operations/settle-transfers.ts';

const PREFETCH_MESSAGES = 50;
/** Larger batches cost each transfer less and delay the first one more. */
const TRANSFERS_PER_COMMIT_AT_MOST = 400;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly broker: Broker;
  readonly logger: Logger;
}

/** Requested and withdrawn transfers → the ledger. */
export const consumeTransfers = ({ database, clock, broker, logger }: Parts): Consumer<'inventory.transfers'> =>
  new Consumer({
    broker,
    queue: 'inventory.transfers',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: TRANSFERS_PER_COMMIT_AT_MOST,
    // Its issuances. Of two transfers that want the same certificates the one that came first gets them. A withdrawal
    // needs none, and overtakes a transfer that has to wait for somebody's lock.
    keysOf: (event) => ('assets' in event ? issuancesOf(event.assets) : []),
    handle: (entries, options) =>
      settleTransfers(
        database,
        clock,
        entries.flatMap((entry) => (entry.type === 'tasks.transfer.requested.v1' ? [entry.event] : [])),
        entries.flatMap((entry) => (entry.type === 'tasks.transfer.withdrawn.v1' ? [entry.event] : [])),
        options,
      ),
    logger,
  });
