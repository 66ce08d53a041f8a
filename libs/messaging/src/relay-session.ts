import { createConnection, raw, sql, type Timeouts, type PreparingClient } from '@saleschannel/database';
import { OUTBOX_CHANNEL } from './outbox.ts';

/**
 * Writers pass committed rows to the relay or wake it. The poll finds rows of a process that crashed in between, of a
 * commit whose answer was lost, and of a lost NOTIFY. Under traffic, such a row is late by this much.
 */
const POLL_MS = 1_000;
/**
 * The poll interval of an idle outbox doubles up to this share of the session's maximum silence, because the session
 * must send a statement well before that. Even if the wakes of both tasks and the ledger are lost, a trade then ends
 * within the 20 seconds by which the loss of one replica may delay it.
 */
const MAX_POLL_SHARE = 0.4;

/** Interval between reads of the outbox, which grows while it is idle. */
export class PollInterval {
  readonly #minMs: number;
  readonly #maxMs: number;
  #nextMs: number;

  /** @param fixedMs replaces the usual interval in tests */
  constructor(maxSilenceMs: number, fixedMs: number | undefined) {
    this.#maxMs = fixedMs ?? maxSilenceMs * MAX_POLL_SHARE;
    this.#minMs = this.#nextMs = fixedMs ?? Math.min(POLL_MS, this.#maxMs);
  }

  /** Returns to the shortest interval. */
  reset(): void {
    this.#nextMs = this.#minMs;
  }

  /** Returns the interval after a read. @param isQuiet whether the read found nothing */
  next(isQuiet: boolean): number {
    const pollMs = isQuiet ? this.#nextMs : this.#minMs;
    this.#nextMs = isQuiet ? Math.min(pollMs * 2, this.#maxMs) : this.#minMs;
    return pollMs;
  }
}

/** Key of the advisory lock of the active relay. Advisory locks belong to one database, so one constant is enough. */
const RELAY_LOCK = 7_301_001;

const tryLock = sql`select pg_try_advisory_lock(${RELAY_LOCK}) as "isLocked"`;
const unlock = sql`select pg_advisory_unlock(${RELAY_LOCK})`;
const listen = sql`listen ${raw(OUTBOX_CHANNEL)}`;
const unlisten = sql`unlisten ${raw(OUTBOX_CHANNEL)}`;

interface SessionOptions {
  readonly databaseUrl: string;
  readonly service: string;
  readonly timeouts: Partial<Timeouts>;
  /** The server ends a session that is silent for longer. */
  readonly maxSilenceMs: number;
  /** Called when another process has committed rows. */
  onNotification(): void;
}

/** Opens the session of a relay, which holds the lock while the relay is active. */
export async function openSession(options: SessionOptions): Promise<PreparingClient> {
  const client = createConnection(options.databaseUrl, {
    applicationName: `${options.service}-relay`,
    // If a crash of the server undoes a deletion, the message is only published twice.
    settings: [`idle_session_timeout=${options.maxSilenceMs}`, 'synchronous_commit=off'],
    timeouts: options.timeouts,
  });
  client.on('notification', () => options.onNotification());
  await client.connect();
  return client;
}

/** Returns false while another replica holds the lock. */
export async function acquireLock(client: PreparingClient): Promise<boolean> {
  const [lock] = await client.run<{ isLocked: boolean }>(tryLock);
  return lock?.isLocked === true;
}

export async function startListening(client: PreparingClient): Promise<void> {
  await client.run(listen);
}

/** Stops listening, and leaves the lock to another replica. */
export async function releaseLock(client: PreparingClient): Promise<void> {
  await client.run(unlisten);
  await client.run(unlock);
}
