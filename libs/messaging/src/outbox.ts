import type { IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import { afterCommit, send, sql, type EntityManager } from '@saleschannel/database';
import { bodiesOf } from './envelope-bodies.ts';
import { ledgerPartitionOf, type LedgerQueue } from './ledger-partitions.ts';
import type { OutboxRow } from './outbox-rows.ts';
import type { queues } from './topology.ts';
import { handOver } from './waking.ts';

/**
 * Puts events into the outbox, in the transaction that makes them true. A row is one message, bounded in entries and in
 * bytes. It is deleted when the broker has confirmed it. The table is part of each service's migrations.
 */
export const enqueue = <T extends IntegrationEventType>(
  em: EntityManager,
  type: T,
  events: readonly IntegrationEvent<T>[],
): void => insert(em, type, bodiesOf(events));

/**
 * The ledger holds many messages of each partition, so that it can let sales channels take turns. This bounds what they
 * take of its memory.
 */
const LEDGER_MESSAGE_BYTES_AT_MOST = 128 * 1024;

/** What the ledger is told of a transfer. */
type TransferEventType = (typeof queues)[LedgerQueue]['events'][number];

/** An event for the ledger, with the first certificate that its transfer names: by that it finds its partition. */
export interface TransferEvent<T extends TransferEventType> {
  readonly event: IntegrationEvent<T>;
  readonly firstCertificate: string | undefined;
}

/**
 * As {@link enqueue} does, with messages of one partition each, and in each the order of the entries.
 * @param partitions how many of the partitions are used. Each costs messages and commits of its own
 */
export function enqueueForLedger<T extends TransferEventType>(
  em: EntityManager,
  type: T,
  events: readonly TransferEvent<T>[],
  partitions: number,
): void {
  const byPartition = Map.groupBy(events, ({ firstCertificate }) => ledgerPartitionOf(firstCertificate, partitions));
  const bodies = [...byPartition].flatMap(([partition, some]) =>
    bodiesOf(
      some.map(({ event }) => event),
      partition,
      { bytesAtMost: LEDGER_MESSAGE_BYTES_AT_MOST },
    ),
  );
  insert(em, type, bodies);
}

function insert(em: EntityManager, type: IntegrationEventType, bodies: readonly string[]): void {
  if (bodies.length === 0) return;
  const outside = em.fork();
  let rows: OutboxRow[] = [];
  afterCommit(em, () => handOver(outside, rows));
  send<{ id: string }>(
    em,
    sql`insert into outbox (type, body) select ${type}, body from unnest(${bodies}::text[]) as given (body)
        returning id::text`,
    // Rows are inserted, numbered and returned in the order of their bodies.
    (inserted) =>
      (rows = inserted.flatMap(({ id }, place) => bodies.slice(place, place + 1).map((body) => ({ id, type, body })))),
  );
}
