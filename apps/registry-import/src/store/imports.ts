import {
  countRows,
  isoTimestamp,
  query,
  queryFirst,
  recordset,
  sql,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import type { Page } from '@saleschannel/validation';
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

// To the registry an import that is being uploaded is pending.
export const progressColumns = sql`
  id as "importId", case status when 'UPLOADING' then 'PENDING' else status end as status,
  lines_read as "linesRead", lines_applied as "linesApplied", lines_failed as "linesFailed",
  errors_stored as "errorsStored",
  ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('completed_at')} as "completedAt"`;

export const findImport = (em: EntityManager, id: string): Promise<ImportProgress | undefined> =>
  queryFirst(em, sql`select ${progressColumns} from import where id = ${id}`);

/** Newest first. */
export async function listImports(
  em: EntityManager,
  { limit, offset }: Page,
): Promise<{ total: string; imports: ImportProgress[] }> {
  const total = await countRows(em, sql`from import`);
  const imports: ImportProgress[] = await query(
    em,
    sql`select ${progressColumns} from import order by ordinal desc limit ${limit} offset ${offset}`,
  );
  return { total, imports };
}

/** In the order of the file. */
export async function listErrors(
  em: EntityManager,
  importId: string,
  { limit, offset }: Page,
): Promise<{ total: string; errors: StoredLineError[] }> {
  const total = await countRows(em, sql`from import_error where import_id = ${importId}`);
  const errors: StoredLineError[] = await query(
    em,
    sql`select line, code, detail from import_error
        where import_id = ${importId} order by line limit ${limit} offset ${offset}`,
  );
  return { total, errors };
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
