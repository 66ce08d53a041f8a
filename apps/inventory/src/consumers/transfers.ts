import type { Database } from '@saleschannel/database';
import {
  Consumer,
  ledgerPartitions,
  ledgerQueue,
  type Broker,
  type LedgerPartition,
  type LedgerQueue,
} from '@saleschannel/messaging';
import { timeOfId, type Clock } from '@saleschannel/primitives';
import { createStageLag, type FairShare, type Logger } from '@saleschannel/runtime';
import { issuancesOf } from '../domain/selection.ts';
import { workOf } from '../domain/work.ts';
import { settleTransfers } from '../operations/settle-transfers.ts';

/** Per queue. Sales channels take turns among the transfers of these messages. */
const PREFETCH_MESSAGES = 150;
/** Larger batches cost each transfer less and delay the first one more. */
const TRANSFERS_PER_COMMIT_AT_MOST = 400;
/**
 * A thousand selections take a third of a second. The limit keeps a transaction far below its statement timeout, and
 * bounds how long a small transfer waits for the batch under way.
 */
const WORK_PER_COMMIT_AT_MOST = 2_000;

interface Parts {
  readonly database: Database;
  /** Of the connections: queues take turns. */
  readonly share: Pick<FairShare, 'run'>;
  readonly clock: Clock;
  readonly broker: Broker;
  /** Called each time a partition's consumer has become ready. */
  partitionReady(): void;
  readonly logger: Logger;
}

type TransferConsumer = Consumer<LedgerQueue | 'inventory.transfers'>;

export interface TransferConsumers {
  readonly partitions: ReadonlyMap<LedgerPartition, TransferConsumer>;
  /** Of the queue that the release before the partitions has. */
  readonly unpartitioned: TransferConsumer;
}

/** Requested and withdrawn transfers → the ledger. Partitions are consumed by the replica that they are assigned to. */
export function consumeTransfers({ database, share, clock, broker, partitionReady, logger }: Parts): TransferConsumers {
  const lagSince = createStageLag('settle');
  const consumerOf = (queue: LedgerQueue | 'inventory.transfers', isUnassigned: boolean): TransferConsumer =>
    new Consumer({
      broker,
      availability: database.availability,
      queue,
      isUnassigned,
      becameReady: partitionReady,
      prefetch: PREFETCH_MESSAGES,
      batchEntriesAtMost: TRANSFERS_PER_COMMIT_AT_MOST,
      batchCostAtMost: WORK_PER_COMMIT_AT_MOST,
      costOf: (event) => ('assets' in event ? workOf(event) : 1),
      inTurn: (work) => share.run(queue, work),
      // Its issuances. Of two transfers that want the same certificates the one that came first gets them. A withdrawal
      // needs none, and overtakes a transfer that has to wait for somebody's lock.
      keysOf: (event) => ('assets' in event ? issuancesOf(event.assets) : []),
      // No two sales channels can want the same certificates, so their transfers need no order.
      laneOf: (event) => ('salesChannelId' in event ? event.salesChannelId : ''),
      async handle(entries, options) {
        const requested = entries.flatMap((entry) =>
          entry.type === 'tasks.transfer.requested.v1' ? [entry.event] : [],
        );
        const withdrawn = entries.flatMap((entry) =>
          entry.type === 'tasks.transfer.withdrawn.v1' ? [entry.event] : [],
        );
        await settleTransfers(database, clock, requested, withdrawn, options);
        for (const { taskId } of requested) lagSince(timeOfId(taskId));
      },
      logger,
    });
  return {
    partitions: new Map(ledgerPartitions.map((partition) => [partition, consumerOf(ledgerQueue(partition), true)])),
    unpartitioned: consumerOf('inventory.transfers', false),
  };
}
