import type { IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import { afterCommit, send, sql, type EntityManager } from '@saleschannel/database';
import { toBodies } from './envelope-bodies.ts';
import { ledgerPartitionOf, type LedgerQueue } from './ledger-partitions.ts';
import type { OutboxRow } from './outbox-rows.ts';
import type { queues } from './topology.ts';
import { handOverRows } from './waking.ts';

/**
 * Adds events to the outbox, in the transaction that causes them. Each row is one message, limited in entries and
 * bytes, and is deleted after the broker has confirmed it. The migrations of each service create the table.
 */
export const enqueue = <T extends IntegrationEventType>(
  em: EntityManager,
  type: T,
  events: readonly IntegrationEvent<T>[],
): void => insert(em, type, toBodies(events));

/** Limits the memory of the ledger, which holds many messages of each partition to schedule sales channels fairly. */
const MAX_LEDGER_MESSAGE_BYTES = 128 * 1024;

/** Events about transfers that the ledger consumes. */
type TransferEventType = (typeof queues)[LedgerQueue]['events'][number];

/** An event for the ledger, with the first certificate of its transfer, which determines the partition. */
export interface TransferEvent<T extends TransferEventType> {
  readonly event: IntegrationEvent<T>;
  readonly firstCertificate: string | undefined;
}

/**
 * Like {@link enqueue}, with one partition per message. Entries keep their order within a partition.
 * @param partitions number of partitions in use. Each costs messages and commits of its own
 */
export function enqueueForLedger<T extends TransferEventType>(
  em: EntityManager,
  type: T,
  events: readonly TransferEvent<T>[],
  partitions: number,
): void {
  const byPartition = Map.groupBy(events, ({ firstCertificate }) => ledgerPartitionOf(firstCertificate, partitions));
  const bodies = [...byPartition].flatMap(([partition, partitionEvents]) =>
    toBodies(
      partitionEvents.map(({ event }) => event),
      partition,
      { maxBytes: MAX_LEDGER_MESSAGE_BYTES },
    ),
  );
  insert(em, type, bodies);
}

function insert(em: EntityManager, type: IntegrationEventType, bodies: readonly string[]): void {
  if (bodies.length === 0) return;
  const outside = em.fork();
  let rows: OutboxRow[] = [];
  afterCommit(em, () => handOverRows(outside, rows));
  send<{ id: string }>(
    em,
    sql`insert into outbox (type, body) select ${type}, body from unnest(${bodies}::text[]) as given (body)
        returning id::text`,
    // PostgreSQL inserts, numbers and returns rows in the order of the bodies.
    (inserted) =>
      (rows = inserted.flatMap(({ id }, index) => bodies.slice(index, index + 1).map((body) => ({ id, type, body })))),
  );
}
