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
import { listIssuanceIds } from '../domain/selection.ts';
import { estimateTransferCost } from '../domain/transfer.ts';
import { settleTransfers } from '../operations/settle-transfers.ts';

/** Per queue. Sales channels take turns within these messages. */
const PREFETCH_MESSAGES = 150;
/** Larger batches cost less per transfer, and delay the first one longer. */
const MAX_TRANSFERS_PER_COMMIT = 400;
/**
 * In selections. A thousand selections take a third of a second. Keeps a transaction far below its statement timeout,
 * and bounds how long a small transfer waits for the current batch.
 */
const MAX_COST_PER_COMMIT = 2_000;

interface Dependencies {
  readonly database: Database;
  /** Lets queues take turns with the connections. */
  readonly share: Pick<FairShare, 'run'>;
  readonly clock: Clock;
  readonly broker: Broker;
  /** Called whenever the consumer of a partition becomes ready. */
  partitionReady(): void;
  readonly logger: Logger;
}

type TransferConsumer = Consumer<LedgerQueue | 'inventory.transfers'>;

export interface TransferConsumers {
  readonly partitions: ReadonlyMap<LedgerPartition, TransferConsumer>;
  /** For the queue of releases without partitions. */
  readonly unpartitioned: TransferConsumer;
}

/** Creates the consumers of requested and withdrawn transfers. A replica consumes the partitions assigned to it. */
export function consumeTransfers({
  database,
  share,
  clock,
  broker,
  partitionReady,
  logger,
}: Dependencies): TransferConsumers {
  const lagSince = createStageLag('settle');
  const createConsumer = (queue: LedgerQueue | 'inventory.transfers', isUnassigned: boolean): TransferConsumer =>
    new Consumer({
      broker,
      availability: database.availability,
      queue,
      isUnassigned,
      onReady: partitionReady,
      prefetch: PREFETCH_MESSAGES,
      maxBatchEntries: MAX_TRANSFERS_PER_COMMIT,
      maxBatchCost: MAX_COST_PER_COMMIT,
      costOf: (event) => ('assets' in event ? estimateTransferCost(event) : 1),
      runInTurn: (work) => share.run(queue, work),
      // Transfers of one issuance keep their order: the first one gets the certificates. A withdrawal has no key, so it
      // overtakes transfers that wait for a lock.
      keysOf: (event) => ('assets' in event ? listIssuanceIds(event.assets) : []),
      // Sales channels never compete for certificates, so their transfers need no common order.
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
    partitions: new Map(ledgerPartitions.map((partition) => [partition, createConsumer(ledgerQueue(partition), true)])),
    unpartitioned: createConsumer('inventory.transfers', false),
  };
}
