import type { EntityManager } from './entity-manager.ts';
import { withSpan } from '@saleschannel/runtime';
import sqlTag, { join, raw, type Sql } from 'sql-template-tag';
import { asUnavailable } from './errors.ts';
import { Transaction } from './transaction.ts';

export { empty, join, raw, type Sql } from 'sql-template-tag';

/**
 * The one way to write a statement. A value becomes a parameter, another `sql` fragment becomes a part of the text:
 *
 *     sql`select ${columns} from trader where id = ${traderId}`
 *
 * Columns get the names of the code in the query: `sales_channel_id as "salesChannelId"`. Sets of rows are passed with
 * {@link recordset}, sets of texts as arrays: `id = any(${ids}::text[])`.
 */
export const sql = sqlTag;

/**
 * Runs one statement, prepared by the server. Inside a transaction's `em` it is part of it, and statements that are
 * asked for at once travel together, in this order. Rows come with numeric and int8 as strings.
 * @throws DomainError 'unavailable' when the database cannot be reached
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
        throw asUnavailable(error);
      }
    },
  );
}

/** The first row of a statement, or undefined. @throws DomainError 'unavailable' when the database cannot be reached */
export async function queryFirst<Row extends object>(em: EntityManager, statement: Sql): Promise<Row | undefined> {
  const [row] = await query<Row>(em, statement);
  return row;
}

/**
 * Runs a statement whose answer is not needed, in the transaction of the `em`: it travels with the next one, the commit
 * at the latest. What it fails for, the transaction fails for.
 * @param answered gets its rows before the transaction ends
 * @throws Error outside of a transaction
 */
export function send<Row extends object>(
  em: EntityManager,
  { text, values }: Sql,
  answered?: (rows: Row[]) => void,
): void {
  const transaction = em.executor;
  if (!(transaction instanceof Transaction)) throw new Error('there is no transaction that would answer for it');
  transaction.send({ text, values }, (rows) => answered?.(rows as Row[]));
}

/** A timestamptz as ISO 8601 in UTC with milliseconds, as every API of the system shows it. */
export const isoTimestamp = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/**
 * A condition that an index on the lower-case text in byte order (`collate "C"`) finds: it begins so, without regard to
 * case.
 */
export const startsWith = (lowerCaseText: Sql, beginning: string): Sql =>
  sqlTag`(${lowerCaseText} >= lower(${beginning}) and ${lowerCaseText} < lower(${beginning}) || chr(1114111))`;

/**
 * A condition that an index on `name_parts(scope, folded_name(name))` finds: the name has the text anywhere in it,
 * without regard to case and accents. Both are functions of the service's database.
 * @param scope as the index writes it, so that only names of one tenant are read
 * @param wantedScope the value of `scope` that is asked for
 */
export const hasInName = (
  { name, scope }: { readonly name: Sql; readonly scope: Sql },
  wantedScope: string,
  part: string,
): Sql => hasInFolded({ folded: sqlTag`folded_name(${name})`, scope }, wantedScope, part);

/** The same for a name that is stored folded, with an index on `name_parts(scope, folded)`. */
export const hasInFolded = (
  { folded, scope }: { readonly folded: Sql; readonly scope: Sql },
  wantedScope: string,
  part: string,
): Sql =>
  sqlTag`(
    name_parts(${scope}, ${folded}) @> name_parts(${wantedScope}::text, folded_name(${part}::text))
    and ${foldedContains(folded, part)}
  )`;

/** The same without an index: for few rows, or for rows that another index leads to. */
export const foldedContains = (folded: Sql, part: string): Sql =>
  sqlTag`position(folded_name(${part}::text) in ${folded}) > 0`;

/** SHA-256 of a name and its value, for an index that has no room for long values. No name has an equals sign. */
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
 * Rows as a part of a statement's `from`, passed as one array for each column however many they are:
 *
 *     sql`update task set status = outcome.status
 *         from ${recordset('outcome', { taskId: 'text', status: 'text' }, outcomes)} where task.id = outcome."taskId"`
 *
 * Members that are no column are ignored. A missing member is null. (As JSON the server would read each row into a tree
 * first, which took a tenth of its time for a transfer.)
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
    return sql`${arrayOf(rows, name, type)}::${raw(`${type}[]`)}`;
  });
  return sql`unnest(${join(arrays)}) as ${raw(`${alias}(${names.map((name) => `"${name}"`).join(', ')})`)}`;
}

/** The values of one column, as PostgreSQL writes an array. Numbers and booleans need no quotes. */
function arrayOf(rows: readonly Readonly<Record<string, unknown>>[], name: string, type: ColumnType): string {
  const members = rows.map((row) => {
    const value = row[name] ?? null;
    if (value === null) return 'null';
    if (type === 'jsonb') return quoted(JSON.stringify(value));
    return typeof value === 'string' ? quoted(value) : String(value as bigint);
  });
  return `{${members.join(',')}}`;
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new Error('a text with half a surrogate pair cannot be stored');
  if (!/["\\]/.test(text)) return `"${text}"`;
  // JSON writes quotes and backslashes alike and faster, and control characters in another way.
  return /[^ -\uffff]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : JSON.stringify(text);
}
