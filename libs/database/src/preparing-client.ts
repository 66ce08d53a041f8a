import { Client, type ClientConfig } from 'pg';
import { isAnswerMissing, isPlanOutdated, QUERY_TIMEOUT_MESSAGE } from './errors.ts';
import { StatementGroup, type GroupResult, type PreparedStatement, type Statement } from './statement-group.ts';

/**
 * Texts that a connection keeps prepared at most: more than any service has. So generated ones cannot fill the server's
 * memory.
 */
const STATEMENTS_AT_MOST = 500;

/**
 * A plan is made for the table as it is, and tables grow: the plan of an empty one may read all of it, for then nothing
 * is dearer than anything else. So statements are prepared anew, first after a second, then each time after twice as
 * long, and at last this often. (PostgreSQL itself looks again after a minute at the earliest, when it has analyzed.)
 */
const PLAN_FIRST_MS = 1_000;
const PLAN_AT_MOST_MS = 15_000;

interface PlannedStatement extends PreparedStatement {
  /** Of performance.now(). */
  plannedAt: number;
  heldMs: number;
}

/**
 * A connection that prepares every statement at its first use, for parsing and planning take longer than most
 * statements themselves, and sends statements together. The pool makes its connections of this class.
 *
 * One that is of no more use is ended, so that its pool replaces it: one whose statement was not answered in time, for
 * whoever got it next would wait behind that statement, and one whose prepared statement is outdated, for it would
 * refuse that statement for as long as it is used.
 */
export class PreparingClient extends Client {
  readonly #prepared = new Map<string, PlannedStatement>();
  readonly #answerMs: number | undefined;

  constructor(config: ClientConfig) {
    super(config);
    this.#answerMs = config.query_timeout;
  }

  /**
   * Carries statements out in order, in one round trip. Those behind one that fails are skipped.
   * @returns the results up to the first fault, and that fault
   */
  together(statements: readonly Statement[]): Promise<GroupResult> {
    const group = new StatementGroup(
      // Not spread: those of the `sql` tag have getters.
      statements.map(({ text, values }) => ({ text, values, prepared: this.#preparedOf(text) })),
      (dataTypeId) => this.getTypeParser(dataTypeId, 'text') as (text: string) => unknown,
      this.#answerMs === undefined
        ? undefined
        : { ms: this.#answerMs, reached: () => group.handleError(new Error(QUERY_TIMEOUT_MESSAGE)) },
    );
    return new Promise((resolve) => {
      group.callback = (_error, result = { results: [] }) => {
        if (result.fault) this.#endIfUseless(result.fault);
        resolve(result);
      };
      super.query(group);
    });
  }

  /** The rows of one statement. */
  async run<Row extends object>(statement: Statement): Promise<Row[]> {
    const { results, fault } = await this.together([statement]);
    if (fault) throw fault;
    return (results[0]?.rows ?? []) as Row[];
  }

  // The driver's overloads are many. All pass through.
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
    if (isAnswerMissing(fault) || isPlanOutdated(fault)) this.end().catch(() => undefined);
  }

  #preparedOf(text: string): PreparedStatement | undefined {
    const [known, now] = [this.#prepared.get(text), performance.now()];
    if (known && now - known.plannedAt > known.heldMs) {
      known.columns = undefined;
      known.plannedAt = now;
      known.heldMs = Math.min(known.heldMs * 2, PLAN_AT_MOST_MS);
    }
    if (known || this.#prepared.size >= STATEMENTS_AT_MOST) return known;
    const name = `s${this.#prepared.size}`;
    const prepared: PlannedStatement = { name, columns: undefined, plannedAt: now, heldMs: PLAN_FIRST_MS };
    this.#prepared.set(text, prepared);
    return prepared;
  }
}
