import { Client, type ClientConfig } from 'pg';
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
