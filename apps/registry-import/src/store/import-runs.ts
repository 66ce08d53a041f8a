import type { Actor } from '@saleschannel/contracts';
import { query, queryFirst, recordset, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { Position } from '../domain/record-splitter.ts';
import type { ImportRecord } from '../domain/records.ts';
import type { ImportFormat } from '../domain/upload.ts';
import { insertErrors, storeErrors, CHUNK_BYTES, leaseEnd, type LineError, type StoredLineError } from './imports.ts';

/** A leased import, and the state to continue from. */
export interface ImportRun {
  readonly id: string;
  /** Account holder or registry key that shares turns. */
  readonly holder: string;
  readonly source: ImportFormat;
  /** Null for an import of an old release. */
  readonly actor: Actor | null;
  /** Start of the next record. */
  readonly next: Position;
  /** Header of a CSV file. Null until read. */
  readonly columns: readonly string[] | null;
  /** 0 while the file is read, then the number of the pass over waiting lines. */
  readonly pass: number;
  /** Last line tried in this pass, an int8 as text. */
  readonly passLine: string;
  /** True if this pass has applied a line. */
  readonly passHasProgress: boolean;
  /** An int8 as text. */
  readonly leaseNumber: string;
}

/** A renewable lease of an import. */
export interface Lease {
  readonly importId: string;
  readonly owner: string;
  /** Increases with each lease. An int8 as text. */
  readonly number: string;
  readonly leaseMs: number;
}

/** Account holder or key that shares turns. */
const holder = sql`coalesce(import.holder_id, import.key_id, '')`;
const isUnfinished = sql`import.status in ('PENDING', 'RUNNING')`;
/** Neither leased nor paused after a fault. */
const isFree = sql`(import.lease_until is null or import.lease_until < clock_timestamp())`;

const hasRow = async (em: EntityManager, statement: Sql): Promise<boolean> =>
  (await queryFirst(em, statement)) !== undefined;

/** Reports whether {@link claimNext} may find an import, without a transaction. */
export const hasFreeImport = (em: EntityManager): Promise<boolean> =>
  hasRow(em, sql`select id from import where ${isUnfinished} and ${isFree} limit 1`);

/**
 * Claims a free import of the account holder whose last turn was longest ago. Imports of one holder run one after
 * another, because a file may refer to records of an earlier file. Requires a transaction: claims are serialized.
 * Locked imports are skipped, so that no claim waits for another holder's import.
 */
export async function claimNext(em: EntityManager, owner: string, leaseMs: number): Promise<ImportRun | undefined> {
  await query(em, sql`select pg_advisory_xact_lock(hashtextextended('import-claim', 0))`);
  return queryFirst(
    em,
    sql`update import set status = 'RUNNING', lease_owner = ${owner}, lease_until = ${leaseEnd(leaseMs)},
          lease_number = nextval('import_lease_number')
        where id = (
            select import.id
            from (
              select distinct on (${holder}) id, ${holder} as holder
              from import where ${isUnfinished} order by ${holder}, lease_number is null, ordinal
            ) next
            join import on import.id = next.id and ${isUnfinished} and ${isFree}
            order by (select max(lease_number) from import where ${holder} = next.holder) nulls first, import.ordinal
            limit 1
            for no key update of import skip locked
          )
        returning id, ${holder} as holder, actor, columns, pass, pass_line as "passLine",
          pass_applied > 0 as "passHasProgress", lease_number::text as "leaseNumber",
          jsonb_build_object('format', format, 'type', record_type) as source,
          jsonb_build_object('byte', next_byte, 'line', next_line) as next`,
  );
}

const isHeld = ({ importId, owner, number }: Lease): Sql =>
  sql`id = ${importId} and lease_owner = ${owner} and lease_number = ${number} and status = 'RUNNING'`;

/** Reports whether the lease is valid, and keeps it valid until the transaction ends. */
export const holdsLease = (em: EntityManager, lease: Lease): Promise<boolean> =>
  hasRow(em, sql`select id from import where ${isHeld(lease)} for share`);

/** Returns false if the lease was lost. */
export const renewLease = (em: EntityManager, lease: Lease): Promise<boolean> =>
  hasRow(em, sql`update import set lease_until = ${leaseEnd(lease.leaseMs)} where ${isHeld(lease)} returning id`);

/** Ends the turn of an import if another account holder waits without a running import. Returns false otherwise. */
export const yieldTurn = (em: EntityManager, lease: Lease): Promise<boolean> =>
  hasRow(
    em,
    sql`update import set lease_owner = null, lease_until = null
        where ${isHeld(lease)} and exists (
          select ${holder} from import where ${isUnfinished} and ${isFree}
          except select ${holder} from import where status = 'RUNNING' and not ${isFree}
        ) returning id`,
  );

/** Ends a lease. The import stays RUNNING, and any replica can continue after the pause. */
export async function releaseLease(em: EntityManager, lease: Lease, pauseMs: number): Promise<void> {
  await query(em, sql`update import set lease_owner = null, lease_until = ${leaseEnd(pauseMs)} where ${isHeld(lease)}`);
}

/** A line that refers to a record which a later line may bring. */
export interface WaitingLine extends LineError {
  readonly record: ImportRecord;
}

/** Results of lines that were tried. */
export interface LineOutcomes {
  readonly applied: readonly number[];
  readonly errors: readonly LineError[];
  readonly waiting: readonly WaitingLine[];
}

export interface FileBatch extends LineOutcomes {
  /** Number of lines read. */
  readonly read: number;
  readonly next: Position;
  readonly columns: readonly string[] | null;
}

/** Records the results of a batch, and where to continue. Returns false, without effect, if the lease was lost. */
export async function commitFileBatch(
  em: EntityManager,
  lease: Lease,
  batch: FileBatch,
  maxErrors: number,
): Promise<boolean> {
  const { read, applied, errors, waiting, next, columns } = batch;
  const updated = await queryFirst(
    em,
    sql`update import set
          lines_read = lines_read + ${read}, lines_applied = lines_applied + ${applied.length},
          lines_failed = lines_failed + ${errors.length}, next_byte = ${next.byte}, next_line = ${next.line},
          columns = ${columns && JSON.stringify(columns)}::jsonb, faults = 0, lease_until = ${leaseEnd(lease.leaseMs)}
        where ${isHeld(lease)} returning id`,
  );
  if (!updated) return false;
  await insertErrors(em, lease.importId, errors, maxErrors);
  await insertWaiting(em, lease.importId, waiting);
  const firstNeeded = Math.floor(next.byte / CHUNK_BYTES);
  await query(em, sql`delete from import_chunk where import_id = ${lease.importId} and position < ${firstNeeded}`);
  return true;
}

async function insertWaiting(em: EntityManager, importId: string, lines: readonly WaitingLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map(({ record, ...line }) => ({ ...line, record: JSON.stringify(record) }));
  const waiting = recordset('waiting', { line: 'bigint', record: 'text', code: 'text', detail: 'text' }, rows);
  await query(
    em,
    sql`insert into import_waiting_line (import_id, line, record, code, detail)
        select ${importId}, waiting.line, waiting.record, waiting.code, waiting.detail from ${waiting}`,
  );
}

/** Starts another pass over waiting lines, after the file was read or a pass made progress. */
export const startPass = (em: EntityManager, lease: Lease): Promise<boolean> =>
  hasRow(
    em,
    sql`update import set pass = pass + 1, pass_line = 0, pass_applied = 0 where ${isHeld(lease)} returning id`,
  );

export async function listWaiting(
  em: EntityManager,
  importId: string,
  afterLine: string,
  limit: number,
): Promise<WaitingLine[]> {
  const rows = await query<StoredLineError & { record: string }>(
    em,
    sql`select line, record, code, detail from import_waiting_line
        where import_id = ${importId} and line > ${afterLine} order by line limit ${limit}`,
  );
  return rows.map(({ line, record, ...failure }) => ({
    line: Number(line),
    record: JSON.parse(record) as ImportRecord,
    ...failure,
  }));
}

export interface PassBatch extends LineOutcomes {
  readonly lastLine: number;
}

/** Records the results of waiting lines that were retried. Returns false, without effect, if the lease was lost. */
export async function commitPassBatch(
  em: EntityManager,
  lease: Lease,
  batch: PassBatch,
  maxErrors: number,
): Promise<boolean> {
  const { applied, errors, waiting, lastLine } = batch;
  const updated = await queryFirst(
    em,
    sql`update import set
          lines_applied = lines_applied + ${applied.length}, lines_failed = lines_failed + ${errors.length},
          pass_line = ${lastLine}, pass_applied = pass_applied + ${applied.length}, faults = 0,
          lease_until = ${leaseEnd(lease.leaseMs)}
        where ${isHeld(lease)} returning id`,
  );
  if (!updated) return false;
  await insertErrors(em, lease.importId, errors, maxErrors);
  const tried = [...applied, ...[...errors, ...waiting].map(({ line }) => line)];
  await query(
    em,
    sql`delete from import_waiting_line where import_id = ${lease.importId} and line = any(${tried}::bigint[])`,
  );
  await insertWaiting(em, lease.importId, waiting);
  return true;
}

/**
 * Ends an import. Waiting lines have failed, and so has a line at which the file became unreadable. Returns false,
 * without effect, if the lease was lost.
 */
export async function finishImport(
  em: EntityManager,
  lease: Lease,
  status: 'COMPLETED' | 'FAILED',
  maxErrors: number,
  error?: LineError,
): Promise<boolean> {
  const { importId } = lease;
  const finished = await queryFirst(
    em,
    sql`update import set status = ${status}, completed_at = clock_timestamp(), lease_owner = null, lease_until = null,
          lines_read = lines_read + ${error ? 1 : 0}, lines_failed = lines_failed + ${error ? 1 : 0}
            + (select count(*) from import_waiting_line where import_id = import.id)
        where ${isHeld(lease)} returning id`,
  );
  if (!finished) return false;
  const leftOver = sql`delete from import_waiting_line where import_id = ${importId} returning line, code, detail`;
  await storeErrors(em, importId, leftOver, maxErrors);
  // The reason of the failure is always stored.
  if (error) await insertErrors(em, importId, [error], Number.MAX_SAFE_INTEGER);
  await query(em, sql`delete from import_chunk where import_id = ${importId}`);
  return true;
}

/**
 * Counts an unforeseen fault. Returns the number of consecutive faults and the next line, or undefined if the lease was
 * lost.
 */
export async function countFault(
  em: EntityManager,
  lease: Lease,
): Promise<{ faults: number; nextLine: number } | undefined> {
  const row = await queryFirst<{ faults: number; nextLine: string }>(
    em,
    sql`update import set faults = faults + 1 where ${isHeld(lease)} returning faults, next_line as "nextLine"`,
  );
  return row && { faults: row.faults, nextLine: Number(row.nextLine) };
}
