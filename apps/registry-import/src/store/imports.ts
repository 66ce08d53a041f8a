import {
  evaluate,
  isoTimestamp,
  Keyset,
  query,
  queryFirst,
  recordset,
  sql,
  readTotal,
  type EntityManager,
  type PageRequest,
  type PageWithTotal,
  type Sql,
} from '@saleschannel/database';
import type { LineFailure } from '../domain/import-record.ts';

/** An import as the registry sees it. Counts are int8 as text. */
export interface ImportProgress {
  readonly importId: string;
  readonly status: string;
  readonly linesRead: string;
  readonly linesApplied: string;
  readonly linesFailed: string;
  /** Stored errors. Further ones only count in `linesFailed`. */
  readonly errorsStored: string;
  readonly createdAt: string;
  /** Null until it has ended. */
  readonly completedAt: string | null;
}

/** A failed line of the file. */
export interface LineError extends LineFailure {
  readonly line: number;
}

/** A stored error, whose line is an int8 as text. */
export interface StoredLineError extends LineFailure {
  readonly line: string;
}

// Uploads are shown as pending, and imports between turns as running.
export const progressColumns = sql`
  id as "importId",
  case when status = 'UPLOADING' then 'PENDING' when status = 'PENDING' and lease_number is not null then 'RUNNING'
    else status end as status,
  lines_read as "linesRead", lines_applied as "linesApplied", lines_failed as "linesFailed",
  errors_stored as "errorsStored",
  ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('completed_at')} as "completedAt"`;

export const findImport = (em: EntityManager, id: string): Promise<ImportProgress | undefined> =>
  queryFirst(em, sql`select ${progressColumns} from import where id = ${id}`);

/** Counts unfinished imports, as an int8 in text. */
export async function countUnfinished(em: EntityManager): Promise<string> {
  const row = await queryFirst<{ unfinished: string }>(
    em,
    sql`select count(*)::text as unfinished from import where status in ('UPLOADING', 'PENDING', 'RUNNING')`,
  );
  return row?.unfinished ?? '0';
}

const newestFirst = new Keyset('imports', [{ column: 'import.ordinal', type: 'bigint' }], { descending: true });

/** Returns a page of imports, newest first. */
export const listImports = async (em: EntityManager, page: PageRequest): Promise<PageWithTotal<ImportProgress>> => ({
  ...(await newestFirst.page<ImportProgress>(
    em,
    page,
    ({ key, after, order, rows }) =>
      sql`select ${progressColumns}, ${key} from import where ${after} order by ${order} ${rows}`,
  )),
  total: await readTotal(em, 'import', ['']),
});

const byLine = new Keyset('import-errors', [{ column: 'import_error.line', type: 'bigint' }]);

/** Returns a page of failed lines, in the order of the file. */
export async function listErrors(
  em: EntityManager,
  importId: string,
  page: PageRequest,
): Promise<PageWithTotal<StoredLineError>> {
  const part = await byLine.page<StoredLineError>(
    em,
    { ...page, scope: importId },
    ({ key, after, order, rows }) =>
      sql`select line, code, detail, ${key} from import_error
          where import_id = ${importId} and ${after} order by ${order} ${rows}`,
  );
  // The count is updated in the transaction that stores errors.
  const total = sql`(select errors_stored from import where id = ${importId})`;
  return { ...part, total: await evaluate(em, total) };
}

/** Stores errors up to the limit, in the order of lines. */
export async function insertErrors(
  em: EntityManager,
  importId: string,
  errors: readonly LineError[],
  limit: number,
): Promise<void> {
  if (errors.length === 0) return;
  const failed = recordset('failed', { line: 'bigint', code: 'text', detail: 'text' }, errors);
  await storeErrors(em, importId, sql`select failed.line, failed.code, failed.detail from ${failed}`, limit);
}

/** @param rows statement that returns line, code and detail */
export async function storeErrors(em: EntityManager, importId: string, rows: Sql, limit: number): Promise<void> {
  await query(
    em,
    sql`with failed as (${rows}), stored as (
          insert into import_error (import_id, line, code, detail)
          select ${importId}, line, code, detail from failed order by line
          limit (select greatest(0, ${limit}::bigint - errors_stored) from import where id = ${importId})
          returning line
        )
        update import set errors_stored = errors_stored + (select count(*) from stored) where id = ${importId}`,
  );
}
