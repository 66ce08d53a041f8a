import type { ClientConfig } from 'pg';
import { PreparingClient } from './preparing-client.ts';

/** How long a connection waits, in milliseconds. Tests shorten it. */
export interface Patience {
  /** For a connection: until it is made, and in a pool until one is free. */
  readonly connectMs: number;
  /** For the end of a statement. 0 waits for ever. */
  readonly statementMs: number;
  /** For a lock. */
  readonly lockMs: number;
  /** For the next statement of an open transaction. */
  readonly idleInTransactionMs: number;
}

/**
 * Nothing in a service is meant to come near. A transaction whose client is cut off holds its locks until
 * `idleInTransactionMs` has passed, so that is shorter than the other limits.
 */
const usualPatience: Patience = {
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 15_000,
};

/**
 * PostgreSQL ends a statement that takes too long. A server that is gone without a word, such as after a takeover
 * behind one address, ends nothing. So the client gives up by itself a little later than the server would.
 */
const CLIENT_PATIENCE_MORE_MS = 2_000;

/** An idle connection is probed by the kernel on both sides after so long, so often, and then it is given up. */
const KEEPALIVE_IDLE_SECONDS = 6;
const KEEPALIVE_INTERVAL_SECONDS = 3;
const KEEPALIVE_COUNT = 3;
/** What was sent and is not acknowledged by the other side's kernel for so long ends the connection. */
const TCP_USER_TIMEOUT_MS = 15_000;
/** So often the server looks, during a statement, whether its client is still there. */
const CLIENT_CHECK_MS = 5_000;

/**
 * Statements are prepared once per connection and keep their plan, perhaps one that was made while a table was still
 * empty. A plan that goes by index, row by row, stays right as a table grows. One that reads all of it does not
 * (measured on batches of 40: 10 to 40 ms instead of 0.3). All that services ask is by key or by page.
 */
const PLANNER_SETTINGS = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'random_page_cost=1.1',
  // Else it would be planned for its values again and again: a small batch always seems cheaper than an average one.
  'plan_cache_mode=force_generic_plan',
];

/**
 * A session whose client is gone without a word must not live on with its locks. PostgreSQL's own defaults would keep
 * it for hours.
 */
const SERVER_SETTINGS = [
  `tcp_keepalives_idle=${KEEPALIVE_IDLE_SECONDS}`,
  `tcp_keepalives_interval=${KEEPALIVE_INTERVAL_SECONDS}`,
  `tcp_keepalives_count=${KEEPALIVE_COUNT}`,
  `tcp_user_timeout=${TCP_USER_TIMEOUT_MS}`,
  `client_connection_check_interval=${CLIENT_CHECK_MS}`,
];

export interface ConnectionOptions {
  readonly patience?: Partial<Patience>;
  /** Further settings of the session, such as `idle_session_timeout=20000`. */
  readonly settings?: readonly string[];
  /** Shown in the server's list of sessions. */
  readonly applicationName?: string;
}

/**
 * How every connection of a service to PostgreSQL is made, of a pool or alone: no side waits for ever for one that is
 * gone.
 */
export function connectionOptions(options: ConnectionOptions = {}): ClientConfig {
  const { connectMs, statementMs, lockMs, idleInTransactionMs } = { ...usualPatience, ...options.patience };
  const settings = [...PLANNER_SETTINGS, ...SERVER_SETTINGS, ...(options.settings ?? [])];
  return {
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_IDLE_SECONDS * 1_000,
    connectionTimeoutMillis: connectMs,
    ...(statementMs > 0
      ? { statement_timeout: statementMs, query_timeout: statementMs + CLIENT_PATIENCE_MORE_MS }
      : {}),
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    ...(options.applicationName === undefined ? {} : { application_name: options.applicationName }),
  };
}

/**
 * The URL of a server with the CAs that vouch for it, as libpq names them. Every connection of that URL believes these
 * alone, and reads them when it is made. Whether there is TLS, and of whom, `sslmode` of the URL says.
 */
export function trusting(url: string, authorities: string | undefined): string {
  if (authorities === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('sslrootcert', authorities);
  return address.href;
}

/** A connection that belongs to no pool, for what needs a session of its own. Not connected yet. */
export function createConnection(url: string, options: ConnectionOptions = {}): PreparingClient {
  const client = new PreparingClient({ connectionString: url, ...connectionOptions(options) });
  // Whatever is under way fails by itself. Without a listener the process would end.
  client.on('error', () => undefined);
  return client;
}
