import { Client, type QueryResult } from 'pg';
import { isAnswerMissing, isPlanOutdated } from './errors.ts';

/**
 * Texts that a connection keeps prepared at most: more than any service has. So generated ones cannot fill the server's
 * memory.
 */
const STATEMENTS_AT_MOST = 500;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= STATEMENTS_AT_MOST) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

const beginsTransaction = (text: unknown): boolean =>
  typeof text === 'string' && /^(begin|start transaction)/.test(text);

const nothing: QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * A connection that prepares every statement with parameters at its first use: parsing and planning take longer than
 * most statements themselves. The pool below MikroORM makes its connections of this class.
 *
 * It also sees to it that a connection that died goes back to its pool, to be replaced:
 * - One whose statement was not answered in time is ended. The server may be gone or still at work, and whoever got
 *   this connection next would wait behind that statement.
 * - One whose prepared statement is outdated is ended too: it would refuse that statement for as long as it is used.
 * - A rollback always succeeds. Where it cannot be sent, the server has rolled back or will, for its client is gone. A
 *   transaction that cannot begin fails at its next statement instead. Kysely keeps a connection for ever whose `begin`
 *   or `rollback` failed (its issue 1990), and a pool that has lost all its places serves nobody.
 */
export class PreparingClient extends Client {
  #beginFault: Error | undefined;

  // The driver's overloads are many. The pool uses (text, values) with or without a callback, and everything else
  // passes through.
  // eslint-disable-next-line typescript/no-explicit-any
  override query(...args: any[]): any {
    const [text, values, ...rest] = args as [unknown, unknown, ...unknown[]];
    if (this.#beginFault) return text === 'rollback' ? Promise.resolve(nothing) : Promise.reject(this.#beginFault);
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
    const pass = super.query.bind(this) as (...all: unknown[]) => unknown;
    const result = name === undefined ? pass(...args) : pass({ name, text, values }, ...rest);
    return result instanceof Promise ? result.catch((error: unknown) => this.#fail(text, error as Error)) : result;
  }

  #fail(text: unknown, error: Error): unknown {
    const [isRollback, isBegin] = [text === 'rollback', beginsTransaction(text)];
    if (isRollback || isBegin || isAnswerMissing(error) || isPlanOutdated(error)) this.end().catch(() => undefined);
    if (isBegin) this.#beginFault = error;
    if (isRollback || isBegin) return nothing;
    throw error;
  }
}
