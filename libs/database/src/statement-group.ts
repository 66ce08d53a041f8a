import type { Connection, Submittable } from 'pg';
import { prepareValue } from './prepare-value.ts';

/** A statement with numbered parameters, as the `sql` tag makes it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface StatementResult {
  readonly rows: object[];
  /** How many rows it read or changed. */
  readonly count: number;
  /** What was done: `SELECT`, or `ROLLBACK` for a commit of what had failed. */
  readonly command: string;
}

/** What became of a group: the results of the first statements, and the fault of the next one if they are not all. */
export interface GroupResult {
  readonly results: readonly StatementResult[];
  readonly fault?: Error;
}

/** How the texts of a column are read. */
export interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** What a connection knows of a statement that it has prepared. */
export interface PreparedStatement {
  readonly name: string;
  /** Undefined until it has been carried out once, and when it shall be prepared anew. */
  columns: readonly Column[] | undefined;
}

export interface GroupStatement extends Statement {
  /** Undefined for one that is not kept. */
  readonly prepared: PreparedStatement | undefined;
}

/** As much of the driver's connection as sends messages. */
interface Messages {
  readonly stream: { cork(): void; uncork(): void };
  close(what: { type: 'S'; name: string }): void;
  parse(what: { name: string; text: string }): void;
  bind(what: { portal: string; statement: string; values: readonly unknown[]; valueMapper: typeof prepareValue }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: { portal: string; rows: number }): void;
  sync(): void;
}

/** Node's timers take no more. The driver's own timer would count the whole group as one statement. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Statements that travel together: one message there, one back, however many they are, for there is one Sync at their
 * end. The server carries them out in order. After one that fails it skips the others, so a group that begins with
 * `begin` does nothing outside of its transaction, and one that ends with `commit` commits all or nothing (PostgreSQL,
 * "Message Flow", 55.2.4 Pipelining).
 *
 * The driver's own pipelining has a Sync for each statement. Six short statements cost Node a third and the server a
 * third of what they cost with it, and a fifth of what they cost one by one.
 */
export class StatementGroup implements Submittable {
  /** The driver sets it, for its own timer among others. */
  callback: ((error: Error | null, result?: GroupResult) => void) | undefined;
  readonly query_timeout = NEVER_MS;
  readonly #statements: readonly GroupStatement[];
  readonly #parserOf: (dataTypeId: number) => (text: string) => unknown;
  readonly #results: StatementResult[] = [];
  readonly #timer: NodeJS.Timeout | undefined;
  /** What was known of each statement when it was sent: groups that overlap may prepare one of them meanwhile. */
  #known: readonly (readonly Column[] | undefined)[] = [];
  #rows: object[] = [];
  #columns: readonly Column[] | undefined;

  /** @param timeout what is done when a statement is not answered for so many milliseconds */
  constructor(
    statements: readonly GroupStatement[],
    parserOf: (dataTypeId: number) => (text: string) => unknown,
    timeout?: { readonly ms: number; readonly reached: () => void },
  ) {
    this.#statements = statements;
    this.#parserOf = parserOf;
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
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.#columns;
    if (!columns) return this.handleError(new Error('a row came before its columns'));
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

/** A statement that the next one without a name takes the place of. */
const UNNAMED = '';

function send(messages: Messages, { text, values, prepared }: GroupStatement, isKnown: boolean): void {
  const name = prepared?.name ?? UNNAMED;
  if (!isKnown) {
    // Whether an earlier attempt, in a group that failed, had prepared it is not known. To close one that is not there
    // is no error.
    if (prepared) messages.close({ type: 'S', name });
    messages.parse({ name, text });
  }
  messages.bind({ portal: '', statement: name, values, valueMapper: prepareValue });
  if (!isKnown) messages.describe({ type: 'P', name: '' });
  messages.execute({ portal: '', rows: 0 });
}
