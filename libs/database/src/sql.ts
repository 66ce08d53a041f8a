import { withSpan } from '@saleschannel/runtime';
import sqlTag, { join, raw, type Sql } from 'sql-template-tag';
import { toUnavailable } from './errors.ts';
import { Transaction } from './transaction.ts';
import type { Executor } from './pool.ts';

/** Runs the statements of one unit of work, on any connection of the pool or in its transaction. */
export class EntityManager {
  readonly databaseUrl: string;
  readonly #pool: Executor;
  #transaction: Executor | undefined;

  constructor(databaseUrl: string, pool: Executor, transaction?: Executor) {
    this.databaseUrl = databaseUrl;
    this.#pool = pool;
    this.#transaction = transaction;
  }

  get executor(): Executor {
    return this.#transaction ?? this.#pool;
  }

  /** Returns another unit of work of the same database, outside of any transaction. */
  fork(): EntityManager {
    return new EntityManager(this.databaseUrl, this.#pool);
  }

  /** Called at the end of the transaction: later statements run outside of it. */
  leaveTransaction(): void {
    this.#transaction = undefined;
  }
}

export { empty, join, raw, type Sql } from 'sql-template-tag';

/**
 * Builds a statement. A value becomes a parameter, another `sql` fragment becomes part of the text:
 *
 *     sql`select ${columns} from trader where id = ${traderId}`
 *
 * Queries rename columns to the names of the code: `sales_channel_id as "salesChannelId"`. Pass sets of rows with
 * {@link recordset}, sets of texts as arrays: `id = any(${ids}::text[])`.
 */
export const sql = sqlTag;

/**
 * Runs one prepared statement. With the `em` of a transaction, it is part of that transaction, and concurrent
 * statements are sent together, in order. Values of numeric and int8 columns are strings.
 * @throws DomainError 'unavailable' if the database is unreachable
 */
export async function query<Row extends object>(em: EntityManager, statement: Sql): Promise<Row[]> {
  const { text, values } = statement;
  return withSpan(
    'query',
    { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } },
    async () => {
      try {
        const { rows } = await em.executor.executeQuery({ sql: text, parameters: values });
        return rows as Row[];
      } catch (error) {
        throw toUnavailable(error);
      }
    },
  );
}

/**
 * Returns the first row of a statement, or undefined.
 * @throws DomainError 'unavailable' if the database is unreachable
 */
export async function queryFirst<Row extends object>(em: EntityManager, statement: Sql): Promise<Row | undefined> {
  const [row] = await query<Row>(em, statement);
  return row;
}

/**
 * Runs a statement without waiting for its result, in the transaction of the `em`. It is sent together with the next
 * statement, at the latest with the commit. Its error fails the transaction.
 * @param onRows receives the rows before the transaction ends
 * @throws Error outside of a transaction
 */
export function send<Row extends object>(
  em: EntityManager,
  { text, values }: Sql,
  onRows?: (rows: Row[]) => void,
): void {
  const transaction = em.executor;
  if (!(transaction instanceof Transaction)) throw new Error('send() needs a transaction.');
  transaction.send({ text, values }, (rows) => onRows?.(rows as Row[]));
}

/**
 * Locks names until the transaction ends, for objects without a row to lock. Locks them in a fixed order, which
 * prevents deadlocks between transactions with the same names.
 */
export async function lockNames(em: EntityManager, names: readonly string[]): Promise<void> {
  await query(
    em,
    sql`select pg_advisory_xact_lock(named.key)
        from (
          select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) as given (name) order by key
          offset 0
        ) as named`,
  );
}

/** Formats a timestamptz as ISO 8601 in UTC with milliseconds, like every API of the system. */
export const isoTimestamp = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/**
 * Condition that a text begins with another, ignoring case. Uses an index on the lower-case text in byte order
 * (`collate "C"`).
 */
export const startsWith = (lowerCaseText: Sql, beginning: string): Sql =>
  sqlTag`(${lowerCaseText} >= lower(${beginning}) and ${lowerCaseText} < lower(${beginning}) || chr(1114111))`;

/**
 * Condition that a name contains a text, ignoring case and accents. Uses an index on `name_parts(scope,
 * folded_name(name))`. Both are functions of the service's database.
 * @param scope as in the index, so that only names of one tenant are read
 * @param requestedScope value of `scope`
 */
export const nameContains = (
  { name, scope }: { readonly name: Sql; readonly scope: Sql },
  requestedScope: string,
  part: string,
): Sql => foldedNameContains({ folded: sqlTag`folded_name(${name})`, scope }, requestedScope, part);

/** Like {@link nameContains}, for a name stored folded, with an index on `name_parts(scope, folded)`. */
export const foldedNameContains = (
  { folded, scope }: { readonly folded: Sql; readonly scope: Sql },
  requestedScope: string,
  part: string,
): Sql =>
  sqlTag`(
    name_parts(${scope}, ${folded}) @> name_parts(${requestedScope}::text, folded_name(${part}::text))
    and ${foldedContains(folded, part)}
  )`;

/** Like {@link foldedNameContains} without an index, for few rows, or for rows found by another index. */
export const foldedContains = (folded: Sql, part: string): Sql =>
  sqlTag`position(folded_name(${part}::text) in ${folded}) > 0`;

/** SHA-256 of a name and its value, for an index without room for long values. Names contain no equals sign. */
export const pairDigest = (name: Sql, value: Sql): Sql =>
  sqlTag`sha256(convert_to(${name} || '=' || ${value}, 'UTF8'))`;

interface ColumnTypes {
  text: string;
  uuid: string;
  timestamptz: string;
  boolean: boolean;
  int: number;
  bigint: string | bigint | number;
  numeric: string | bigint;
  jsonb: unknown;
}

/** The type of a {@link recordset}'s column. */
export type ColumnType = keyof ColumnTypes;

type RecordOf<Columns extends Readonly<Record<string, ColumnType>>> = {
  readonly [Name in keyof Columns]?: ColumnTypes[Columns[Name]] | null | undefined;
};

/**
 * Builds a member of a statement's `from` that holds any number of rows, passed as one array per column:
 *
 *     sql`update task set status = outcome.status
 *         from ${recordset('outcome', { taskId: 'text', status: 'text' }, outcomes)} where task.id = outcome."taskId"`
 *
 * Members that are not columns are ignored. A missing member is null. (With JSON, the server would parse each row into
 * a tree first, which took a tenth of its time for a transfer.)
 * @throws Error for a text that is not well-formed Unicode, which UTF-8 cannot hold
 */
export function recordset<const Columns extends Readonly<Record<string, ColumnType>>>(
  alias: string,
  columns: Columns,
  rows: readonly RecordOf<Columns>[],
): Sql {
  const names = Object.keys(columns);
  const arrays = names.map((name) => {
    const type = columns[name] as ColumnType;
    return sql`${toArray(rows, name, type)}::${raw(`${type}[]`)}`;
  });
  return sql`unnest(${join(arrays)}) as ${raw(`${alias}(${names.map((name) => `"${name}"`).join(', ')})`)}`;
}

/** Formats the values of one column as a PostgreSQL array. Numbers and booleans need no quotes. */
function toArray(rows: readonly Readonly<Record<string, unknown>>[], name: string, type: ColumnType): string {
  const members = rows.map((row) => {
    const value = row[name] ?? null;
    if (value === null) return 'null';
    if (type === 'jsonb') return quote(JSON.stringify(value));
    return typeof value === 'string' ? quote(value) : String(value as bigint);
  });
  return `{${members.join(',')}}`;
}

function quote(text: string): string {
  if (!text.isWellFormed()) throw new Error('A text with half a surrogate pair cannot be stored.');
  if (!/["\\]/.test(text)) return `"${text}"`;
  // JSON.stringify is faster. It escapes quotes and backslashes alike, but control characters differently.
  return /[^ -\uffff]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : JSON.stringify(text);
}
