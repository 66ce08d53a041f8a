import type { Compiled, Executor } from './executor.ts';
import type { PreparingClient } from './preparing-client.ts';
import type { Statement, StatementResult } from './statement-group.ts';

interface Waiting {
  readonly statement: Statement;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

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
  readonly #sent: Promise<StatementResult>[] = [];
  #waiting: Waiting[] = [];
  #hasBegun = false;

  constructor(client: PreparingClient, lockTimeoutMs?: number) {
    this.#client = client;
    const begin = statementOf('begin');
    // `set` takes no parameters.
    const limit = statementOf(`set local lock_timeout = ${Math.trunc(lockTimeoutMs ?? 0)}`);
    this.#beginning = lockTimeoutMs === undefined ? [begin] : [begin, limit];
  }

  async executeQuery({ sql, parameters }: Compiled): Promise<{ rows: object[]; numAffectedRows: number }> {
    const { rows, count } = await this.#ask(statementOf(sql, parameters));
    return { rows, numAffectedRows: count };
  }

  /** Carries out what nobody waits for. When it fails, the commit does. */
  send(statement: Statement): void {
    const sent = this.#ask(statement);
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  /** @throws whatever a statement failed for that nobody has waited for */
  async commit(): Promise<void> {
    if (!this.#hasBegun && this.#waiting.length === 0) return;
    const committed = this.#ask(statementOf('commit'));
    await Promise.all([...this.#sent, committed]);
    if ((await committed).command !== 'COMMIT') throw new Error('the transaction had failed before its commit');
  }

  async rollback(): Promise<void> {
    // What still waits is not to be done any more.
    this.#waiting = [];
    if (this.#hasBegun) await this.#ask(statementOf('rollback'));
  }

  #ask(statement: Statement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject });
      if (this.#waiting.length === 1) process.nextTick(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
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
