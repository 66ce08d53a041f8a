import { createRequire } from 'node:module';
import type { Connection, Submittable } from 'pg';

/** A statement with numbered parameters, as the `sql` tag builds it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface StatementResult {
  readonly rows: object[];
  /** Number of rows read or changed. */
  readonly count: number;
  /** The command: `SELECT`, or `ROLLBACK` for a commit of a failed transaction. */
  readonly command: string;
}

/** Results of the statements up to the first failed one, and its error unless all succeeded. */
export interface GroupResult {
  readonly results: readonly StatementResult[];
  readonly fault?: Error;
}

/** Name and parser of a result column. */
export interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** State of a prepared statement on one connection. */
export interface PreparedStatement {
  readonly name: string;
  /** Undefined until its first execution, and when it must be prepared again. */
  columns: readonly Column[] | undefined;
}

export interface GroupStatement extends Statement {
  /** Undefined for a statement that is not kept prepared. */
  readonly prepared: PreparedStatement | undefined;
}

/** The used part of a driver module without types. */
interface DriverUtilities {
  prepareValue(value: unknown): string | Buffer | null;
}

/** The driver's own conversion of a value to a parameter. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as DriverUtilities;

/** The driver's methods that send messages. */
interface Messages {
  readonly stream: { cork(): void; uncork(): void };
  close(what: { type: 'S'; name: string }): void;
  parse(what: { name: string; text: string }): void;
  bind(what: { portal: string; statement: string; values: readonly unknown[]; valueMapper: typeof prepareValue }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: { portal: string; rows: number }): void;
  sync(): void;
}

/** Maximum of Node's timers, which disables the driver's own timer: it would time the whole group as one statement. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends statements together in one round trip, with a single Sync at the end. The server runs them in order and skips
 * those after a failed one, so a group that begins with `begin` has no effect outside of its transaction, and a group
 * that ends with `commit` commits all or nothing (PostgreSQL, "Message Flow", 55.2.4 Pipelining).
 *
 * The driver's own pipelining sends a Sync per statement. Compared with it, a group of six short statements costs Node
 * and the server a third, and compared with statements sent one by one, a fifth.
 */
export class StatementGroup implements Submittable {
  /** Set by the driver, for its own timer among others. */
  callback: ((error: Error | null, result?: GroupResult) => void) | undefined;
  readonly query_timeout = MAX_TIMER_MS;
  readonly #statements: readonly GroupStatement[];
  readonly #findParser: (dataTypeId: number) => (text: string) => unknown;
  readonly #results: StatementResult[] = [];
  readonly #timer: NodeJS.Timeout | undefined;
  /** Columns known when each statement was sent. An overlapping group may prepare the same statement meanwhile. */
  #known: readonly (readonly Column[] | undefined)[] = [];
  #rows: object[] = [];
  #columns: readonly Column[] | undefined;

  /** @param timeout limit in milliseconds for the answer of each statement, and a callback for its end */
  constructor(
    statements: readonly GroupStatement[],
    findParser: (dataTypeId: number) => (text: string) => unknown,
    timeout?: { readonly ms: number; readonly reached: () => void },
  ) {
    this.#statements = statements;
    this.#findParser = findParser;
    if (timeout) this.#timer = setTimeout(timeout.reached, timeout.ms);
  }

  submit(connection: Connection): void {
    const messages = connection as unknown as Messages;
    this.#known = this.#statements.map(({ prepared }) => prepared?.columns);
    this.#columns = this.#known[0];
    messages.stream.cork();
    try {
      for (const [index, statement] of this.#statements.entries())
        send(messages, statement, this.#known[index] !== undefined);
      messages.sync();
    } finally {
      messages.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#findParser(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.#columns;
    if (!columns) return this.handleError(new Error('A row arrived before its columns.'));
    for (let index = 0; index < columns.length; index++) {
      const [column, text] = [columns[index] as Column, fields[index] ?? null];
      row[column.name] = text === null ? null : column.parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const prepared = this.#statements[this.#results.length]?.prepared;
    if (prepared) prepared.columns = this.#columns ?? [];
    const words = text.split(' ');
    this.#results.push({ rows: this.#rows, count: Number(words.at(-1)) || 0, command: words[0] ?? text });
    this.#rows = [];
    this.#columns = this.#known[this.#results.length];
    this.#timer?.refresh();
  }

  handleError(error: Error): void {
    this.#end({ results: this.#results, fault: error });
  }

  handleReadyForQuery(): void {
    this.#end({ results: this.#results });
  }

  #end(result: GroupResult): void {
    clearTimeout(this.#timer);
    this.callback?.(null, result);
    this.callback = undefined;
  }
}

/** Name of a statement that the next unnamed one replaces. */
const UNNAMED = '';

function send(messages: Messages, { text, values, prepared }: GroupStatement, isKnown: boolean): void {
  const name = prepared?.name ?? UNNAMED;
  if (!isKnown) {
    // A failed group may have prepared it. Closing a missing statement is no error.
    if (prepared) messages.close({ type: 'S', name });
    messages.parse({ name, text });
  }
  messages.bind({ portal: '', statement: name, values, valueMapper: prepareValue });
  if (!isKnown) messages.describe({ type: 'P', name: '' });
  messages.execute({ portal: '', rows: 0 });
}
