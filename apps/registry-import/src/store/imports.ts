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
} from '@saleschannel/database';
import type { LineFailure } from '../domain/import-record.ts';

/** What the registry sees of an import. Counts are int8 as text. */
export interface ImportProgress {
  readonly importId: string;
  readonly status: string;
  readonly linesRead: string;
  readonly linesApplied: string;
  readonly linesFailed: string;
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

// To the registry an import that is being uploaded is pending.
export const progressColumns = sql`
  id as "importId", case status when 'UPLOADING' then 'PENDING' else status end as status,
  lines_read as "linesRead", lines_applied as "linesApplied", lines_failed as "linesFailed",
  ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('completed_at')} as "completedAt"`;

export const findImport = (em: EntityManager, id: string): Promise<ImportProgress | undefined> =>
  queryFirst(em, sql`select ${progressColumns} from import where id = ${id}`);

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
  // An import counts its lines that failed, in the transaction that stores them.
  const total = sql`(select lines_failed from import where id = ${importId})`;
  return { ...part, total: await evaluated(em, total) };
}

export async function insertErrors(em: EntityManager, importId: string, errors: readonly LineError[]): Promise<void> {
  if (errors.length === 0) return;
  const failed = recordset('failed', { line: 'bigint', code: 'text', detail: 'text' }, errors);
  await query(
    em,
    sql`insert into import_error (import_id, line, code, detail)
        select ${importId}, failed.line, failed.code, failed.detail from ${failed}`,
  );
}
