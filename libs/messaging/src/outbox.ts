import type { IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import { afterCommit, send, sql, type EntityManager, query, raw } from '@saleschannel/database';
import { toBodies } from './envelope.ts';
import { ledgerPartitionOf, type LedgerQueue } from './ledger-partitions.ts';
import type { OutboxRow } from './outbox-rows.ts';
import type { queues } from './topology.ts';

/** PostgreSQL channel (NOTIFY) on which another process wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox';

/** Receives the rows that this process has committed. */
type Receive = (rows: readonly OutboxRow[]) => void;

/** Active relays of this process, by database URL. */
const publishing = new Map<string, Set<Receive>>();

/** Databases with a NOTIFY in flight, and whether another must follow. */
const notifying = new Map<string, { mustRepeat: boolean }>();

/** Registers an active relay. Returns a function that unregisters it. */
export function registerPublishing(databaseUrl: string, receive: Receive): () => void {
  const receivers = publishing.get(databaseUrl) ?? new Set();
  publishing.set(databaseUrl, receivers.add(receive));
  return () => {
    receivers.delete(receive);
    if (receivers.size === 0) publishing.delete(databaseUrl);
  };
}

/**
 * Passes committed rows to the active relay of this process, which then need not read them. If another process has the
 * active relay, wakes it by NOTIFY, outside of the transaction: a commit with NOTIFY holds a lock of the whole
 * PostgreSQL server until it is on disk, and every other such commit of any service waits for it (ADR 29). The relay
 * finds rows of a lost NOTIFY when it polls.
 * @param em outside of any transaction
 */
function handOverRows(em: EntityManager, rows: readonly OutboxRow[]): void {
  const databaseUrl = em.databaseUrl;
  const receivers = publishing.get(databaseUrl);
  if (receivers) for (const receive of receivers) receive(rows);
  else notify(databaseUrl, em);
}

/** Sends one NOTIFY at a time per database. Commits meanwhile share the next one. */
function notify(databaseUrl: string, em: EntityManager): void {
  const inFlight = notifying.get(databaseUrl);
  if (inFlight) {
    inFlight.mustRepeat = true;
    return;
  }
  const state = { mustRepeat: false };
  notifying.set(databaseUrl, state);
  void query(em, sql`notify ${raw(OUTBOX_CHANNEL)}`)
    .catch(() => undefined)
    .finally(() => {
      notifying.delete(databaseUrl);
      if (state.mustRepeat) notify(databaseUrl, em);
    });
}

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
