import { type ClientConfig, Client } from 'pg';
import { isResponseTimeout, isPlanOutdated, QUERY_TIMEOUT_MESSAGE } from './errors.ts';
import { StatementGroup, type GroupResult, type PreparedStatement, type Statement } from './statement-group.ts';

/**
 * Maximum number of prepared statements per connection, more than any service has. Without it, generated texts could
 * fill the server's memory.
 */
const MAX_STATEMENTS = 500;

/**
 * A plan fits the table at the time of planning, and tables grow: for an empty one, a sequential scan is as cheap as
 * any plan. So statements are prepared again, first after a second, then after twice the previous interval, up to the
 * maximum. (PostgreSQL itself replans after a minute at the earliest, when it has analyzed the table.)
 */
const FIRST_REPLAN_MS = 1_000;
const MAX_REPLAN_MS = 15_000;

interface PlannedStatement extends PreparedStatement {
  /** On the `performance.now()` clock. */
  plannedAt: number;
  validMs: number;
}

/**
 * A connection that prepares every statement at its first use, because parsing and planning take longer than most
 * statements, and sends statements together. Pools create their connections as instances of this class.
 *
 * It closes itself when it is useless, so that its pool replaces it: after a response timeout, because the next user
 * would wait behind that statement, and after an error of an invalid prepared statement, which would fail forever.
 */
export class PreparingClient extends Client {
  readonly #prepared = new Map<string, PlannedStatement>();
  readonly #timeoutMs: number | undefined;

  constructor(config: ClientConfig) {
    super(config);
    this.#timeoutMs = config.query_timeout;
  }

  /**
   * Runs statements in order, in one round trip. Statements after a failed one are skipped.
   * @returns the results up to the first error, and that error
   */
  runTogether(statements: readonly Statement[]): Promise<GroupResult> {
    const group = new StatementGroup(
      // Not spread: statements of the `sql` tag have getters.
      statements.map(({ text, values }) => ({ text, values, prepared: this.#prepare(text) })),
      (dataTypeId) => this.getTypeParser(dataTypeId, 'text') as (text: string) => unknown,
      this.#timeoutMs === undefined
        ? undefined
        : { ms: this.#timeoutMs, reached: () => group.handleError(new Error(QUERY_TIMEOUT_MESSAGE)) },
    );
    return new Promise((resolve) => {
      group.callback = (_error, result = { results: [] }) => {
        if (result.fault) this.#endIfUseless(result.fault);
        resolve(result);
      };
      super.query(group);
    });
  }

  /** Returns the rows of one statement. */
  async run<Row extends object>(statement: Statement): Promise<Row[]> {
    const { results, fault } = await this.runTogether([statement]);
    if (fault) throw fault;
    return (results[0]?.rows ?? []) as Row[];
  }

  // Passes all of the driver's many overloads on.
  // eslint-disable-next-line typescript/no-explicit-any
  override query(...args: any[]): any {
    const pass = super.query.bind(this) as (...all: unknown[]) => unknown;
    const result = pass(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      this.#endIfUseless(error);
      throw error;
    });
  }

  #endIfUseless(fault: unknown): void {
    if (isResponseTimeout(fault) || isPlanOutdated(fault)) this.end().catch(() => undefined);
  }

  #prepare(text: string): PreparedStatement | undefined {
    const [known, now] = [this.#prepared.get(text), performance.now()];
    if (known && now - known.plannedAt > known.validMs) {
      known.columns = undefined;
      known.plannedAt = now;
      known.validMs = Math.min(known.validMs * 2, MAX_REPLAN_MS);
    }
    if (known || this.#prepared.size >= MAX_STATEMENTS) return known;
    const name = `s${this.#prepared.size}`;
    const prepared: PlannedStatement = { name, columns: undefined, plannedAt: now, validMs: FIRST_REPLAN_MS };
    this.#prepared.set(text, prepared);
    return prepared;
  }
}

/** Timeouts of a connection, in milliseconds. Tests shorten them. */
export interface Timeouts {
  /** Limit for a new connection, and for a free connection of a pool. */
  readonly connectMs: number;
  /** Limit for a statement. 0 means none. */
  readonly statementMs: number;
  /** Limit for a lock. */
  readonly lockMs: number;
  /** Limit for the next statement of an open transaction. */
  readonly idleInTransactionMs: number;
}

/**
 * Far longer than services need. The transaction of a disconnected client holds its locks for `idleInTransactionMs`, so
 * that limit is shorter than the one for statements.
 */
const defaultTimeouts: Timeouts = {
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 15_000,
};

/**
 * The client's own statement timeout is longer than the server's by this much. It ends statements that a lost server,
 * as in a takeover behind one address, does not cancel.
 */
const CLIENT_TIMEOUT_MARGIN_MS = 2_000;

/** TCP keepalive of an idle connection, on both sides: delay of the first probe, interval, and number of probes. */
const KEEPALIVE_IDLE_SECONDS = 6;
const KEEPALIVE_INTERVAL_SECONDS = 3;
const KEEPALIVE_COUNT = 3;
/** Data that stay unacknowledged for this long end the connection. */
const TCP_USER_TIMEOUT_MS = 15_000;
/** Interval of the server's check, during a statement, that its client is still connected. */
const CLIENT_CHECK_MS = 5_000;

/**
 * A connection prepares a statement once and keeps its plan, possibly one made for an empty table. A plan with an index
 * stays right as the table grows, a plan with a sequential scan does not (measured on batches of 40: 10 to 40 ms
 * instead of 0.3). Services only query by key or by page.
 */
const PLANNER_SETTINGS = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'random_page_cost=1.1',
  // Otherwise each execution is planned for its values, because a small batch always seems cheaper than an average one.
  'plan_cache_mode=force_generic_plan',
];

/** Sessions of disconnected clients must release their locks. PostgreSQL's defaults would keep them for hours. */
const SERVER_SETTINGS = [
  `tcp_keepalives_idle=${KEEPALIVE_IDLE_SECONDS}`,
  `tcp_keepalives_interval=${KEEPALIVE_INTERVAL_SECONDS}`,
  `tcp_keepalives_count=${KEEPALIVE_COUNT}`,
  `tcp_user_timeout=${TCP_USER_TIMEOUT_MS}`,
  `client_connection_check_interval=${CLIENT_CHECK_MS}`,
];

export interface ConnectionOptions {
  readonly timeouts?: Partial<Timeouts>;
  /** Additional session settings, such as `idle_session_timeout=20000`. */
  readonly settings?: readonly string[];
  /** Shown in the server's list of sessions. */
  readonly applicationName?: string;
}

/** Returns the options of every connection to PostgreSQL, pooled or not. Neither side waits forever for a lost peer. */
export function connectionOptions(options: ConnectionOptions = {}): ClientConfig {
  const { connectMs, statementMs, lockMs, idleInTransactionMs } = { ...defaultTimeouts, ...options.timeouts };
  const settings = [...PLANNER_SETTINGS, ...SERVER_SETTINGS, ...(options.settings ?? [])];
  return {
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_IDLE_SECONDS * 1_000,
    connectionTimeoutMillis: connectMs,
    ...(statementMs > 0
      ? { statement_timeout: statementMs, query_timeout: statementMs + CLIENT_TIMEOUT_MARGIN_MS }
      : {}),
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    ...(options.applicationName === undefined ? {} : { application_name: options.applicationName }),
  };
}

/**
 * Adds the CA file to a server URL, with the parameter of libpq. Connections of that URL trust only these CAs, and read
 * them when they connect. `sslmode` in the URL decides whether TLS is used and what is verified.
 */
export function withAuthorities(url: string, authorities: string | undefined): string {
  if (authorities === undefined) return url;
  const address = new URL(url);
  address.searchParams.set('sslrootcert', authorities);
  return address.href;
}

/** Creates a connection outside of any pool, for work that needs its own session. It is not connected yet. */
export function createConnection(url: string, options: ConnectionOptions = {}): PreparingClient {
  const client = new PreparingClient({ connectionString: url, ...connectionOptions(options) });
  // The pending statement fails with the same error. Without a listener, the process would end.
  client.on('error', () => undefined);
  return client;
}
