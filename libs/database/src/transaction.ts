import { unavailable } from '@saleschannel/errors';
import type { WorkLimit } from '@saleschannel/runtime';
import { sqlState } from './errors.ts';
import type { Compiled, Executor } from './executor.ts';
import type { PreparingClient } from './preparing-client.ts';
import type { Statement, StatementResult } from './statement-group.ts';

interface Waiting {
  readonly statement: Statement;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Fails with `DIVISION_BY_ZERO` when the transaction has lasted longer than so many milliseconds by the server's clock.
 * A statement that travels with the commit may have waited for a lock.
 */
const IN_TIME = `select 1 / (clock_timestamp() < now() + $1::float8 * interval '1 millisecond')::int`;
const DIVISION_BY_ZERO = '22012';

const tooLate = (): Error => unavailable(new Error('nobody waits for the transaction any more: it was not committed'));

const statementOf = (text: string, values: readonly unknown[] = []): Statement => ({ text, values });

/**
 * A transaction on one connection. Statements that are asked for in one turn of the event loop travel together, in one
 * round trip: those of a `Promise.all`, those that nobody waits for (`send`), `begin` with the first of them and
 * `commit` with the last. They are carried out in the order in which they were asked for, and none after one that
 * failed. The hand-overs between two processes are what a transaction of short statements costs most.
 */
export class Transaction implements Executor {
  readonly #client: PreparingClient;
  readonly #beginning: readonly Statement[];
  readonly #limit: WorkLimit | undefined;
  /** What was left of the limit when the transaction began. */
  #leftMs = 0;
  readonly #sent: Promise<void>[] = [];
  #waiting: Waiting[] = [];
  #hasBegun = false;

  /** @param limit the transaction does not commit after it */
  constructor(client: PreparingClient, lockTimeoutMs?: number, limit?: WorkLimit) {
    this.#client = client;
    this.#limit = limit;
    const begin = statementOf('begin');
    // `set` takes no parameters.
    const lockTimeout = statementOf(`set local lock_timeout = ${Math.trunc(lockTimeoutMs ?? 0)}`);
    this.#beginning = lockTimeoutMs === undefined ? [begin] : [begin, lockTimeout];
  }

  async executeQuery({ sql, parameters }: Compiled): Promise<{ rows: object[]; numAffectedRows: number }> {
    const { rows, count } = await this.#ask(statementOf(sql, parameters));
    return { rows, numAffectedRows: count };
  }

  /** Carries out what nobody waits for. When it fails, the commit does. */
  send(statement: Statement, answered: (rows: object[]) => void): void {
    const sent = this.#ask(statement).then(({ rows }) => answered(rows));
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  /**
   * @throws whatever a statement failed for that nobody has waited for, or DomainError 'unavailable' when nobody waits
   * for the transaction any more
   */
  async commit(): Promise<void> {
    if (!this.#hasBegun && this.#waiting.length === 0) return;
    const checked = this.#checkTime();
    const committed = this.#ask(statementOf('commit'));
    // They fail together with the first of them, which says why.
    for (const each of [checked, committed]) each.catch(() => undefined);
    await Promise.all(this.#sent);
    await checked;
    if ((await committed).command !== 'COMMIT') throw new Error('the transaction had failed before its commit');
  }

  async rollback(): Promise<void> {
    // What still waits is not to be done any more.
    this.#waiting = [];
    if (this.#hasBegun) await this.#ask(statementOf('rollback'), true);
  }

  /** A commit that travels alone needs no check of its own: nothing can hold it up on the server. */
  async #checkTime(): Promise<void> {
    if (!this.#limit || this.#waiting.length === 0) return;
    const leftMs = this.#hasBegun ? this.#leftMs : this.#limit.deadline - Date.now();
    try {
      await this.#ask(statementOf(IN_TIME, [leftMs]));
    } catch (error) {
      throw sqlState(error) === DIVISION_BY_ZERO ? tooLate() : error;
    }
  }

  get #isLate(): boolean {
    return this.#limit !== undefined && (Date.now() >= this.#limit.deadline || this.#limit.isCancelled());
  }

  #ask(statement: Statement, isRollback = false): Promise<StatementResult> {
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
    if (!this.#hasBegun && this.#limit) this.#leftMs = this.#limit.deadline - Date.now();
    const beginning = this.#hasBegun ? [] : this.#beginning;
    this.#hasBegun = true;
    const { results, fault } = await this.#client.together([
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
