import { query, type EntityManager } from '@saleschannel/database';
import type { ImportFormat } from '../domain/import-header.ts';
import type { ImportRecord, RecordType } from '../domain/import-record.ts';
import type { Position } from '../domain/record-splitter.ts';
import { insertErrors, type LineError } from './imports.ts';
import { CHUNK_BYTES } from './uploads.ts';

/** An import as its worker goes through it. */
export interface ImportRun {
  readonly id: string;
  readonly source: ImportFormat;
  readonly next: Position;
  /** Header of a CSV file, once it was read. */
  readonly columns: readonly string[] | null;
  /** 0 while the file is read; then the number of the pass over the waiting lines. */
  readonly pass: number;
  readonly passLine: string;
  readonly passApplied: string;
}

/** A line that names a record which may still come. */
export interface WaitingLine extends LineError {
  readonly record: ImportRecord;
}

export interface Lease {
  readonly importId: string;
  readonly owner: string;
  readonly leaseMs: number;
}

interface RunRow {
  id: string;
  format: 'ndjson' | 'csv';
  record_type: RecordType | null;
  next_byte: string;
  next_line: string;
  columns: string[] | null;
  pass: number;
  pass_line: string;
  pass_applied: string;
}

const leaseEnd = `clock_timestamp() + ? * interval '1 millisecond'`;

/**
 * Takes the import whose turn it is, when nobody works on it: a running one, else the oldest. Imports are applied one after another, in every replica, since
 * a file may refer to records of the file before it.
 */
export async function claimNext(em: EntityManager, owner: string, leaseMs: number): Promise<ImportRun | undefined> {
  const [row] = await query<RunRow>(
    em,
    `update import set status = 'RUNNING', lease_owner = ?, lease_until = ${leaseEnd}
     where id = (select id from import where status in ('PENDING', 'RUNNING') order by (status = 'RUNNING') desc, ordinal limit 1)
       and status in ('PENDING', 'RUNNING') and (lease_until is null or lease_until < clock_timestamp() or lease_owner = ?)
     returning id, format, record_type, next_byte, next_line, columns, pass, pass_line, pass_applied`,
    [owner, leaseMs, owner],
  );
  if (!row) return undefined;
  return {
    id: row.id,
    source: { format: row.format, type: row.record_type } as ImportFormat,
    next: { byte: Number(row.next_byte), line: Number(row.next_line) },
    columns: row.columns,
    pass: row.pass,
    passLine: row.pass_line,
    passApplied: row.pass_applied,
  };
}

const isHeld = `id = ? and lease_owner = ? and status = 'RUNNING'`;
const held = ({ importId, owner }: Lease): string[] => [importId, owner];

/** False when the import is another's by now. */
export async function renewLease(em: EntityManager, lease: Lease): Promise<boolean> {
  const rows = await query(em, `update import set lease_until = ${leaseEnd} where ${isHeld} returning id`, [
    lease.leaseMs,
    ...held(lease),
  ]);
  return rows.length > 0;
}

/** Another replica can go on at once. */
export async function releaseLeases(em: EntityManager, owner: string): Promise<void> {
  await query(em, `update import set lease_until = null where lease_owner = ? and status = 'RUNNING'`, [owner]);
}

export interface FileBatch {
  readonly read: number;
  readonly applied: number;
  readonly errors: readonly LineError[];
  readonly waiting: readonly WaitingLine[];
  readonly next: Position;
  readonly columns: readonly string[] | null;
}

/** Records what became of a batch of lines, and where reading goes on. False, and nothing is recorded, when the import is another's by now. */
export async function commitFileBatch(em: EntityManager, lease: Lease, batch: FileBatch): Promise<boolean> {
  const rows = await query(
    em,
    `update import set lines_read = lines_read + ?, lines_applied = lines_applied + ?, lines_failed = lines_failed + ?, next_byte = ?, next_line = ?,
       columns = ?::jsonb, faults = 0, lease_until = ${leaseEnd}
     where ${isHeld} returning id`,
    [
      batch.read,
      batch.applied,
      batch.errors.length,
      batch.next.byte,
      batch.next.line,
      batch.columns && JSON.stringify(batch.columns),
      lease.leaseMs,
      ...held(lease),
    ],
  );
  if (rows.length === 0) return false;
  await insertErrors(em, lease.importId, batch.errors);
  await insertWaiting(em, lease.importId, batch.waiting);
  await query(em, 'delete from import_chunk where import_id = ? and position < ?', [
    lease.importId,
    Math.floor(batch.next.byte / CHUNK_BYTES),
  ]);
  return true;
}

const asRows = (lines: readonly WaitingLine[]): string =>
  JSON.stringify(
    lines.map(({ line, code, detail, record }) => ({ line, code, detail, record: JSON.stringify(record) })),
  );

async function insertWaiting(em: EntityManager, importId: string, lines: readonly WaitingLine[]): Promise<void> {
  if (lines.length === 0) return;
  await query(
    em,
    `insert into import_waiting_line (import_id, line, record, code, detail)
     select ?, line, record, code, detail from jsonb_to_recordset(?::jsonb) as waiting (line bigint, record text, code text, detail text)`,
    [importId, asRows(lines)],
  );
}

/** The whole file has been read, or a pass has made progress: the waiting lines are tried (again). */
export async function startPass(em: EntityManager, lease: Lease): Promise<boolean> {
  const rows = await query(
    em,
    `update import set pass = pass + 1, pass_line = 0, pass_applied = 0 where ${isHeld} returning id`,
    held(lease),
  );
  return rows.length > 0;
}

export async function listWaiting(
  em: EntityManager,
  importId: string,
  afterLine: string,
  limit: number,
): Promise<WaitingLine[]> {
  const rows = await query<{ line: string; record: string; code: string; detail: string }>(
    em,
    'select line, record, code, detail from import_waiting_line where import_id = ? and line > ? order by line limit ?',
    [importId, afterLine, limit],
  );
  return rows.map(({ line, record, code, detail }) => ({
    line: Number(line),
    code,
    detail,
    record: JSON.parse(record) as ImportRecord,
  }));
}

export interface PassBatch {
  readonly applied: readonly number[];
  readonly errors: readonly LineError[];
  readonly waiting: readonly WaitingLine[];
  readonly lastLine: number;
}

/** Records what became of waiting lines that were tried again. False, and nothing is recorded, when the import is another's by now. */
export async function commitPassBatch(em: EntityManager, lease: Lease, batch: PassBatch): Promise<boolean> {
  const applied = batch.applied.length;
  const rows = await query(
    em,
    `update import set lines_applied = lines_applied + ?, lines_failed = lines_failed + ?, pass_line = ?, pass_applied = pass_applied + ?, faults = 0,
       lease_until = ${leaseEnd}
     where ${isHeld} returning id`,
    [applied, batch.errors.length, batch.lastLine, applied, lease.leaseMs, ...held(lease)],
  );
  if (rows.length === 0) return false;
  await insertErrors(em, lease.importId, batch.errors);
  const settled = [
    ...batch.applied,
    ...batch.errors.map((error) => error.line),
    ...batch.waiting.map((waiting) => waiting.line),
  ];
  await query(
    em,
    'delete from import_waiting_line where import_id = ? and line in (select jsonb_array_elements_text(?::jsonb)::bigint)',
    [lease.importId, JSON.stringify(settled)],
  );
  await insertWaiting(em, lease.importId, batch.waiting);
  return true;
}

/** Ends an import. Lines that still wait are failed ones. */
export async function finishImport(
  em: EntityManager,
  lease: Lease,
  status: 'COMPLETED' | 'FAILED',
  error?: LineError,
): Promise<boolean> {
  const [row] = await query<{ id: string }>(
    em,
    `update import set status = ?, completed_at = clock_timestamp(), lease_owner = null, lease_until = null,
       lines_failed = lines_failed + (select count(*) from import_waiting_line where import_id = import.id)
     where ${isHeld} returning id`,
    [status, ...held(lease)],
  );
  if (!row) return false;
  await query(
    em,
    `with left_over as (delete from import_waiting_line where import_id = ? returning import_id, line, code, detail)
     insert into import_error (import_id, line, code, detail) select import_id, line, code, detail from left_over`,
    [row.id],
  );
  if (error) await insertErrors(em, row.id, [error]);
  await query(em, 'delete from import_chunk where import_id = ?', [row.id]);
  return true;
}

/** How often in a row working on the import has failed for a reason that nobody foresaw, and the line up to which it had come. */
export async function countFault(em: EntityManager, lease: Lease): Promise<{ faults: number; nextLine: number }> {
  const [row] = await query<{ faults: number; next_line: string }>(
    em,
    `update import set faults = faults + 1 where ${isHeld} returning faults, next_line`,
    held(lease),
  );
  return { faults: row?.faults ?? 0, nextLine: Number(row?.next_line ?? 1) };
}
