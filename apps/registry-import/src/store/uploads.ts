import type { Actor } from '@saleschannel/contracts';
import { query, queryFirst, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { ImportFormat } from '../domain/import-format.ts';
import type { LineFailure } from '../domain/import-record.ts';
import { insertErrors, progressColumns, type ImportProgress } from './imports.ts';

/** Size of every chunk of a file but the last. */
export const CHUNK_BYTES = 256 * 1024;

export const UPLOAD_INCOMPLETE: LineFailure = {
  code: 'upload-incomplete',
  detail: 'The upload broke off. Nothing of the file was applied. Send it again.',
};

/** End of a lease that begins now. */
export const leaseEnd = (leaseMs: number): Sql => sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

export interface NewUpload {
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
