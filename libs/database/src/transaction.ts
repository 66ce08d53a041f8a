import { unavailable } from '@saleschannel/errors';
import type { WorkLimit } from '@saleschannel/runtime';
import { sqlState } from './errors.ts';
import type { CompiledQuery, Executor } from './pool.ts';
import type { PreparingClient } from './connection.ts';
import type { Statement, StatementResult } from './statement-group.ts';

interface Waiting {
  readonly statement: Statement;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Fails with `DIVISION_BY_ZERO` if the transaction has lasted longer than the limit in milliseconds, on the server's
 * clock. It precedes the commit, because a statement sent together with the commit may have waited for a lock.
 */
const CHECK_DEADLINE = `select 1 / (clock_timestamp() < now() + $1::float8 * interval '1 millisecond')::int`;
const DIVISION_BY_ZERO = '22012';

const tooLate = (): Error => unavailable(new Error('the transaction was not committed: its caller no longer waits'));

const toStatement = (text: string, values: readonly unknown[] = []): Statement => ({ text, values });

/**
 * A transaction on one connection. Statements of one turn of the event loop are sent together, in one round trip: those
 * of a `Promise.all`, those without a result (`send`), `begin` with the first and `commit` with the last. They run in
 * order, and none runs after a failed one. Round trips are the largest cost of a transaction of short statements.
 */
export class Transaction implements Executor {
  readonly #client: PreparingClient;
  readonly #beginning: readonly Statement[];
  readonly #limit: WorkLimit | undefined;
  /** Time left until the limit when the transaction began. */
  #remainingMs = 0;
  readonly #sent: Promise<void>[] = [];
  #waiting: Waiting[] = [];
  #hasBegun = false;

  /** @param limit deadline and cancellation after which the transaction does not commit */
  constructor(client: PreparingClient, lockTimeoutMs?: number, limit?: WorkLimit) {
    this.#client = client;
    this.#limit = limit;
    const begin = toStatement('begin');
    // `set` takes no parameters.
    const lockTimeout = toStatement(`set local lock_timeout = ${Math.trunc(lockTimeoutMs ?? 0)}`);
    this.#beginning = lockTimeoutMs === undefined ? [begin] : [begin, lockTimeout];
  }

  async executeQuery({ sql, parameters }: CompiledQuery): Promise<{ rows: object[]; numAffectedRows: number }> {
    const { rows, count } = await this.#enqueue(toStatement(sql, parameters));
    return { rows, numAffectedRows: count };
  }

  /** Runs a statement without waiting for its result. Its error fails the commit. */
  send(statement: Statement, onRows: (rows: object[]) => void): void {
    const sent = this.#enqueue(statement).then(({ rows }) => onRows(rows));
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  /** @throws the error of a statement passed to `send`, or DomainError 'unavailable' once the caller no longer waits */
  async commit(): Promise<void> {
    if (!this.#hasBegun && this.#waiting.length === 0) return;
    const checked = this.#checkTime();
    const committed = this.#enqueue(toStatement('commit'));
    // They fail together with the first statement, whose error is thrown.
    for (const each of [checked, committed]) each.catch(() => undefined);
    await Promise.all(this.#sent);
    await checked;
    if ((await committed).command !== 'COMMIT') throw new Error('The transaction had failed before its commit.');
  }

  async rollback(): Promise<void> {
    // Waiting statements must not run any more.
    this.#waiting = [];
    if (this.#hasBegun) await this.#enqueue(toStatement('rollback'), true);
  }

  /** Checks the deadline, unless the commit is sent alone: then nothing can delay it on the server. */
  async #checkTime(): Promise<void> {
    if (!this.#limit || this.#waiting.length === 0) return;
    const remainingMs = this.#hasBegun ? this.#remainingMs : this.#limit.deadline - Date.now();
    try {
      await this.#enqueue(toStatement(CHECK_DEADLINE, [remainingMs]));
    } catch (error) {
      throw sqlState(error) === DIVISION_BY_ZERO ? tooLate() : error;
    }
  }

  get #isLate(): boolean {
    return this.#limit !== undefined && (Date.now() >= this.#limit.deadline || this.#limit.isCancelled());
  }

  #enqueue(statement: Statement, isRollback = false): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject });
      if (this.#waiting.length === 1) process.nextTick(() => void this.#flush(isRollback));
    });
  }

  async #flush(isRollback: boolean): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    if (!isRollback && this.#isLate) {
      const late = tooLate();
      for (const { reject } of waiting) reject(late);
      return;
    }
    if (!this.#hasBegun && this.#limit) this.#remainingMs = this.#limit.deadline - Date.now();
    const beginning = this.#hasBegun ? [] : this.#beginning;
    this.#hasBegun = true;
    const { results, fault } = await this.#client.runTogether([
      ...beginning,
      ...waiting.map(({ statement }) => statement),
    ]);
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const result = results[beginning.length + index];
      if (result) resolve(result);
      else reject(fault);
    }
  }
}
