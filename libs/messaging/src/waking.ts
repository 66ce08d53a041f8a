import { query, raw, sql, type EntityManager } from '@saleschannel/database';
import type { OutboxRow } from './outbox-rows.ts';

/** Channel of PostgreSQL's NOTIFY on which another process wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox';

/** Gets the rows that this process has committed. */
type Receive = (rows: readonly OutboxRow[]) => void;

/** The relays of this process that publish at the moment, by the URLs of their databases. */
const publishing = new Map<string, Set<Receive>>();

/** Databases that are being notified, and whether once more is needed. */
const notifying = new Map<string, { isOnceMore: boolean }>();

/** Registers a relay that publishes now. Returns what ends it. */
export function registerPublishing(databaseUrl: string, receive: Receive): () => void {
  const receivers = publishing.get(databaseUrl) ?? new Set();
  publishing.set(databaseUrl, receivers.add(receive));
  return () => {
    receivers.delete(receive);
    if (receivers.size === 0) publishing.delete(databaseUrl);
  };
}

/**
 * Gives committed rows to the relay where it is in this process, which then need not read them. Otherwise wakes it by
 * NOTIFY. Not in the transaction itself, for a commit with NOTIFY holds a lock of the whole PostgreSQL server until it
 * is on disk, and every other such commit of any service waits with it (ADR 29). The relay finds lost rows when it
 * polls.
 * @param em outside of any transaction
 */
export function handOver(em: EntityManager, rows: readonly OutboxRow[]): void {
  const databaseUrl = String(em.config.get('clientUrl'));
  const receivers = publishing.get(databaseUrl);
  if (receivers) for (const receive of receivers) receive(rows);
  else notify(databaseUrl, em);
}

/** One at a time for each database: what is committed meanwhile shares the next one. */
function notify(databaseUrl: string, em: EntityManager): void {
  const underWay = notifying.get(databaseUrl);
  if (underWay) {
    underWay.isOnceMore = true;
    return;
  }
  const state = { isOnceMore: false };
  notifying.set(databaseUrl, state);
  void query(em, sql`notify ${raw(OUTBOX_CHANNEL)}`)
    .catch(() => undefined)
    .finally(() => {
      notifying.delete(databaseUrl);
      if (state.isOnceMore) notify(databaseUrl, em);
    });
}
