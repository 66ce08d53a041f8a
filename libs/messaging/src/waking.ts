import { query, raw, sql, type EntityManager } from '@saleschannel/database';

/** Channel of PostgreSQL's NOTIFY on which another process wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox';

/** What wakes the relays of this process that publish at the moment, by the URLs of their databases. */
const publishing = new Map<string, Set<() => void>>();

/** Databases that are being notified, and whether once more is needed. */
const notifying = new Map<string, { isOnceMore: boolean }>();

/** Registers a relay that publishes now. Returns what ends it. */
export function registerPublishing(databaseUrl: string, wake: () => void): () => void {
  const wakes = publishing.get(databaseUrl) ?? new Set();
  publishing.set(databaseUrl, wakes.add(wake));
  return () => {
    wakes.delete(wake);
    if (wakes.size === 0) publishing.delete(databaseUrl);
  };
}

/**
 * Wakes the relay after a commit: by a call where it is in this process, else by NOTIFY. Not in the transaction itself,
 * for a commit with NOTIFY holds a lock of the whole PostgreSQL server until it is on disk, and every other such commit
 * of any service waits with it (ADR 29). What is lost here the relay finds when it looks by itself, within a second.
 * @param em outside of any transaction
 */
export function wakeRelay(em: EntityManager): void {
  const databaseUrl = String(em.config.get('clientUrl'));
  const wakes = publishing.get(databaseUrl);
  if (wakes) for (const wake of wakes) wake();
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
      if (state.isOnceMore) wakeRelay(em);
    });
}
