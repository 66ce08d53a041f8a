import { query, type EntityManager } from '@saleschannel/database';
import type { ImportFormat } from '../domain/import-header.ts';
import { insertErrors, progressColumns, type ImportProgress } from './imports.ts';

/** Every chunk of a file but the last has this size, so that a place in the file tells its chunk. */
export const CHUNK_BYTES = 256 * 1024;

const INCOMPLETE = {
  code: 'upload-incomplete',
  detail: 'The upload broke off. Nothing of the file was applied: send it again.',
};

const leaseEnd = `clock_timestamp() + ? * interval '1 millisecond'`;

export async function createUpload(
  em: EntityManager,
  id: string,
  { format, type }: ImportFormat,
  leaseMs: number,
): Promise<void> {
  await query(
    em,
    `insert into import (id, format, record_type, status, lease_until) values (?, ?, ?, 'UPLOADING', ${leaseEnd})`,
    [id, format, type, leaseMs],
  );
}

/** False when the upload was given up meanwhile. */
export async function insertChunk(em: EntityManager, id: string, position: number, data: Buffer): Promise<boolean> {
  const rows = await query(
    em,
    `insert into import_chunk (import_id, position, data) select id, ?, ?::bytea from import where id = ? and status = 'UPLOADING' returning position`,
    [position, data, id],
  );
  return rows.length > 0;
}

export async function renewUpload(em: EntityManager, id: string, leaseMs: number): Promise<void> {
  await query(em, `update import set lease_until = ${leaseEnd} where id = ? and status = 'UPLOADING'`, [leaseMs, id]);
}

/** The file is complete: the next free worker takes it. Undefined when the upload was given up meanwhile. */
export async function queueImport(em: EntityManager, id: string): Promise<ImportProgress | undefined> {
  const [row] = await query<ImportProgress>(
    em,
    `update import set status = 'PENDING', lease_until = null where id = ? and status = 'UPLOADING' returning ${progressColumns}`,
    [id],
  );
  return row;
}

/** For the transaction of a caller. */
export async function failUpload(em: EntityManager, id: string): Promise<void> {
  const rows = await query(
    em,
    `update import set status = 'FAILED', completed_at = clock_timestamp() where id = ? and status = 'UPLOADING' returning id`,
    [id],
  );
  if (rows.length === 0) return;
  await query(em, 'delete from import_chunk where import_id = ?', [id]);
  await insertErrors(em, id, [{ line: 1, ...INCOMPLETE }]);
}

/** Uploads whose replica went away in the middle of them. */
export async function findAbandonedUploads(em: EntityManager): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    `select id from import where status = 'UPLOADING' and lease_until < clock_timestamp()`,
  );
  return rows.map((row) => row.id);
}

/** Undefined after the last one. */
export async function readChunk(em: EntityManager, id: string, position: number): Promise<Buffer | undefined> {
  const [row] = await query<{ data: Buffer }>(
    em,
    'select data from import_chunk where import_id = ? and position = ?',
    [id, position],
  );
  return row?.data;
}
