import { createConnection, raw, sql, type Timeouts, type PreparingClient } from '@saleschannel/database';
import { OUTBOX_CHANNEL } from './waking.ts';

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
