import type { Actor } from '@saleschannel/contracts';
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
import type { LineFailure } from '../domain/records.ts';
import type { ImportFormat } from '../domain/upload.ts';

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
const progressColumns = sql`
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

/** Size of every chunk of a file but the last. */
export const CHUNK_BYTES = 256 * 1024;

export const UPLOAD_INCOMPLETE: LineFailure = {
  code: 'upload-incomplete',
  detail: 'The upload broke off. Nothing of the file was applied. Send it again.',
};

/** End of a lease that begins now. */
export const leaseEnd = (leaseMs: number): Sql => sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

interface NewUpload {
  readonly id: string;
  /** Registry key of the sender. */
  readonly keyId: string;
  /** Owner of the key. Null for operators. */
  readonly holderId: string | null;
  readonly source: ImportFormat;
  readonly actor: Actor;
  readonly leaseMs: number;
}

/** Returns false at the limit of unfinished imports of the key. Serializes uploads of one key. */
export async function createUpload(
  em: EntityManager,
  { id, keyId, holderId, source: { format, type }, actor, leaseMs }: NewUpload,
  limit: number,
): Promise<boolean> {
  await query(em, sql`select pg_advisory_xact_lock(hashtextextended(${keyId}, 0))`);
  const created = await queryFirst(
    em,
    sql`insert into import (id, key_id, holder_id, format, record_type, status, actor, lease_until)
        select ${id}, ${keyId}, ${holderId}, ${format}, ${type}, 'UPLOADING', ${JSON.stringify(actor)}::jsonb,
          ${leaseEnd(leaseMs)}
        where (
            select count(*) from import where key_id = ${keyId} and status in ('UPLOADING', 'PENDING', 'RUNNING')
          ) < ${limit}
        returning id`,
  );
  return created !== undefined;
}

/** Returns false if the upload was abandoned meanwhile. */
export async function insertChunk(em: EntityManager, id: string, position: number, data: Buffer): Promise<boolean> {
  const inserted = await queryFirst(
    em,
    sql`insert into import_chunk (import_id, position, data)
        select id, ${position}, ${data}::bytea from import where id = ${id} and status = 'UPLOADING'
        returning position`,
  );
  return inserted !== undefined;
}

export async function renewUpload(em: EntityManager, id: string, leaseMs: number): Promise<void> {
  await query(em, sql`update import set lease_until = ${leaseEnd(leaseMs)} where id = ${id} and status = 'UPLOADING'`);
}

/** Queues a complete file. Returns undefined if the upload was abandoned meanwhile. */
export const queueImport = (em: EntityManager, id: string): Promise<ImportProgress | undefined> =>
  queryFirst(
    em,
    sql`update import set status = 'PENDING', lease_until = null where id = ${id} and status = 'UPLOADING'
        returning ${progressColumns}`,
  );

/** Fails an upload. No effect once the upload is complete. */
export async function failUpload(em: EntityManager, id: string, reason: LineFailure): Promise<void> {
  const failed = await queryFirst(
    em,
    sql`update import set status = 'FAILED', completed_at = clock_timestamp(), lines_read = 1, lines_failed = 1
        where id = ${id} and status = 'UPLOADING'
        returning id`,
  );
  if (!failed) return;
  await query(em, sql`delete from import_chunk where import_id = ${id}`);
  await insertErrors(em, id, [{ line: 1, ...reason }], 1);
}

/** Deletes an upload that repeats another request. No effect once the upload is complete. */
export async function discardUpload(em: EntityManager, id: string): Promise<void> {
  await query(
    em,
    sql`delete from import_chunk using import
        where import_id = import.id and import.id = ${id} and status = 'UPLOADING'`,
  );
  await query(em, sql`delete from import where id = ${id} and status = 'UPLOADING'`);
}

/** Finds uploads whose replica died. */
export async function findAbandonedUploads(em: EntityManager): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select id from import where status = 'UPLOADING' and lease_until < clock_timestamp()`,
  );
  return rows.map(({ id }) => id);
}

/** Returns undefined after the last chunk. */
export async function readChunk(em: EntityManager, id: string, position: number): Promise<Buffer | undefined> {
  const row = await queryFirst<{ data: Buffer }>(
    em,
    sql`select data from import_chunk where import_id = ${id} and position = ${position}`,
  );
  return row?.data;
}
