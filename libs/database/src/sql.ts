import type { EntityManager } from '@mikro-orm/postgresql';
import { withSpan } from '@saleschannel/runtime';
import { CompiledQuery, type Kysely } from 'kysely';
import sqlTag, { raw, type Sql } from 'sql-template-tag';
import { asUnavailable } from './errors.ts';

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

/** What runs statements: the transaction of the entity manager, or its pool. */
function executorOf(em: EntityManager): Kysely<unknown> {
  const transaction = em.getTransactionContext() as Kysely<unknown> | undefined;
  return transaction ?? (em.getConnection() as unknown as { getClient(): Kysely<unknown> }).getClient();
}

/**
 * Runs one statement, prepared by the server. Inside a transaction's `em` it is part of it. Rows come with numeric and
 * int8 as strings.
 * @throws DomainError 'unavailable' when the database cannot be reached
 */
export async function query<Row extends object>(em: EntityManager, statement: Sql): Promise<Row[]> {
  const { text, values } = statement;
  return withSpan(
    'query',
    { kind: 'client', attributes: { 'db.system': 'postgresql', 'db.query.text': text } },
    async () => {
      try {
        const { rows } = await executorOf(em).executeQuery<Row>(CompiledQuery.raw(text, values));
        return rows;
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

/** A timestamptz as ISO 8601 in UTC with milliseconds, as every API of the system shows it. */
export const isoTimestamp = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/**
 * A condition that an index on the lower-case text in byte order (`collate "C"`) finds: it begins so, without regard to
 * case.
 */
export const startsWith = (lowerCaseText: Sql, beginning: string): Sql =>
  sqlTag`(${lowerCaseText} >= lower(${beginning}) and ${lowerCaseText} < lower(${beginning}) || chr(1114111))`;

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
 * Rows as a part of a statement's `from`, passed as one parameter however many they are:
 *
 *     sql`update task set status = outcome.status
 *         from ${recordset('outcome', { taskId: 'text', status: 'text' }, outcomes)} where task.id = outcome."taskId"`
 *
 * Members that are no column are ignored. A missing member is null.
 */
export function recordset<const Columns extends Readonly<Record<string, ColumnType>>>(
  alias: string,
  columns: Columns,
  rows: readonly RecordOf<Columns>[],
): Sql {
  const names = Object.keys(columns);
  const definition = names.map((name) => `"${name}" ${columns[name]}`).join(', ');
  const text = JSON.stringify(rows.map((row) => membersOf(row, names)));
  return sql`jsonb_to_recordset(${text}::jsonb) as ${raw(`${alias}(${definition})`)}`;
}

/** The members that are columns. Picked one by one, they take less time than a replacer that JSON.stringify calls. */
function membersOf(row: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name of names) {
    const value = row[name];
    members[name] = typeof value === 'bigint' ? String(value) : value;
  }
  return members;
}
