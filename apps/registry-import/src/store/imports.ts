import {
  evaluated,
  isoTimestamp,
  Keyset,
  query,
  queryFirst,
  recordset,
  sql,
  totalOf,
  type EntityManager,
  type PageAsked,
  type PageOf,
  type Sql,
} from '@saleschannel/database';
import type { LineFailure } from '../domain/import-record.ts';

/** What the registry sees of an import. Counts are int8 as text. */
export interface ImportProgress {
  readonly importId: string;
  readonly status: string;
  readonly linesRead: string;
  readonly linesApplied: string;
  readonly linesFailed: string;
  /** Errors that can be read. Further ones are counted in `linesFailed` alone. */
  readonly errorsStored: string;
  readonly createdAt: string;
  /** Null until it has ended. */
  readonly completedAt: string | null;
}

/** A line of the file that failed. */
export interface LineError extends LineFailure {
  readonly line: number;
}

/** A line as it is stored: the line is an int8 as text. */
export interface StoredLineError extends LineFailure {
  readonly line: string;
}

// To the registry an import that is being uploaded is pending, and one that waits for its next turn is running.
export const progressColumns = sql`
  id as "importId",
  case when status = 'UPLOADING' then 'PENDING' when status = 'PENDING' and lease_number is not null then 'RUNNING'
    else status end as status,
  lines_read as "linesRead", lines_applied as "linesApplied", lines_failed as "linesFailed",
  errors_stored as "errorsStored",
  ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('completed_at')} as "completedAt"`;

export const findImport = (em: EntityManager, id: string): Promise<ImportProgress | undefined> =>
  queryFirst(em, sql`select ${progressColumns} from import where id = ${id}`);

/** How many imports have not ended, an int8 as text. */
export async function countUnfinished(em: EntityManager): Promise<string> {
  const row = await queryFirst<{ unfinished: string }>(
    em,
    sql`select count(*)::text as unfinished from import where status in ('UPLOADING', 'PENDING', 'RUNNING')`,
  );
  return row?.unfinished ?? '0';
}

const newestFirst = new Keyset('imports', [{ column: 'import.ordinal', type: 'bigint' }], { descending: true });

/** A page of the imports, newest first. */
export const pageOfImports = async (em: EntityManager, asked: PageAsked): Promise<PageOf<ImportProgress>> => ({
  ...(await newestFirst.page<ImportProgress>(
    em,
    asked,
    ({ key, after, order, rows }) =>
      sql`select ${progressColumns}, ${key} from import where ${after} order by ${order} ${rows}`,
  )),
  total: await totalOf(em, 'import', ['']),
});

const byLine = new Keyset('import-errors', [{ column: 'import_error.line', type: 'bigint' }]);

/** A page of the lines of an import that failed, in the order of the file. */
export async function pageOfErrors(
  em: EntityManager,
  importId: string,
  asked: PageAsked,
): Promise<PageOf<StoredLineError>> {
  const part = await byLine.page<StoredLineError>(
    em,
    { ...asked, scope: importId },
    ({ key, after, order, rows }) =>
      sql`select line, code, detail, ${key} from import_error
          where import_id = ${importId} and ${after} order by ${order} ${rows}`,
  );
  // An import counts the errors that it stores, in the transaction that stores them.
  const total = sql`(select errors_stored from import where id = ${importId})`;
  return { ...part, total: await evaluated(em, total) };
}

/** Stores the errors of lines, as far as there is room for them. The first ones are kept. */
export async function insertErrors(
  em: EntityManager,
  importId: string,
  errors: readonly LineError[],
  atMost: number,
): Promise<void> {
  if (errors.length === 0) return;
  const failed = recordset('failed', { line: 'bigint', code: 'text', detail: 'text' }, errors);
  await storeErrors(em, importId, sql`select failed.line, failed.code, failed.detail from ${failed}`, atMost);
}

/** @param given a statement that returns line, code and detail */
export async function storeErrors(em: EntityManager, importId: string, given: Sql, atMost: number): Promise<void> {
  await query(
    em,
    sql`with given as (${given}), stored as (
          insert into import_error (import_id, line, code, detail)
          select ${importId}, line, code, detail from given order by line
          limit (select greatest(0, ${atMost}::bigint - errors_stored) from import where id = ${importId})
          returning line
        )
        update import set errors_stored = errors_stored + (select count(*) from stored) where id = ${importId}`,
  );
}
