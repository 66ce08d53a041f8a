import { query, raw, sql, type EntityManager } from '@saleschannel/database';
import type { OutboxRow } from './outbox-rows.ts';

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
export function handOverRows(em: EntityManager, rows: readonly OutboxRow[]): void {
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
