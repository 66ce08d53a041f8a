import { serviceActor, recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { EntityManager, Database } from '@saleschannel/database';
import type { Context } from '../context.ts';
import { createLineReader } from '../domain/import-lines.ts';
import { RecordSplitter, type Position, type RawRecord } from '../domain/record-splitter.ts';
import type { ImportRecord, LineFailure } from '../domain/records.ts';
import {
  yieldTurn,
  commitFileBatch,
  commitPassBatch,
  listWaiting,
  startPass,
  finishImport,
  type ImportRun,
  type Lease,
} from '../store/import-runs.ts';
import { CHUNK_BYTES, readChunk, type LineError } from '../store/imports.ts';
import { applyLines, LeaseLost } from './apply-lines.ts';

export interface FileLine {
  readonly line: number;
  readonly read: ImportRecord | LineFailure;
}

interface LineBatch {
  readonly lines: readonly FileLine[];
  readonly next: Position;
  /** Header of a CSV file. */
  readonly columns: readonly string[] | null;
}

/** Large enough to spread the fixed cost of calls and commits. */
const LINES_PER_BATCH = 2_000;
/** Batches double in size from here, so that small files show progress. */
const FIRST_BATCH_LINES = 50;
/** Memory limit for a batch of long lines. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads the remaining lines of an import in batches, one batch ahead: two batches and a chunk of the file are in
 * memory.
 * @throws UnreadableFile
 */
async function* readBatches(database: Database, run: ImportRun): AsyncGenerator<LineBatch> {
  const batches = cutBatches(database, run);
  try {
    for (let next = batches.next(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = batches.next();
      // Awaited after this batch. Until then, its failure must not be an unhandled rejection.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await batches.return(undefined);
  }
}

async function* cutBatches(database: Database, run: ImportRun): AsyncGenerator<LineBatch> {
  const reader = createLineReader(run.source, run.columns);
  let { next } = run;
  let lines: FileLine[] = [];
  let bytes = 0;
  let maxLines = FIRST_BATCH_LINES;
  for await (const records of readRecords(database, run)) {
    for (const raw of records) {
      const read = reader.read(raw);
      if (!read) continue;
      lines.push({ line: raw.line, read });
      next = raw.next;
      bytes += raw.bytes?.length ?? 0;
      if (lines.length < maxLines && bytes < BATCH_BYTES) continue;
      yield { lines, next, columns: reader.columns };
      maxLines = Math.min(maxLines * 2, LINES_PER_BATCH);
      lines = [];
      bytes = 0;
    }
  }
  if (lines.length > 0) yield { lines, next, columns: reader.columns };
}

/** Reads records chunk by chunk. */
async function* readRecords(database: Database, { id, source, next }: ImportRun): AsyncGenerator<Iterable<RawRecord>> {
  let skip = next.byte % CHUNK_BYTES;
  let splitter = new RecordSplitter(source.format, next);
  for (let position = Math.floor(next.byte / CHUNK_BYTES); ; position++) {
    let chunk = await readChunk(database.em(), id, position);
    if (!chunk) break;
    if (next.byte === 0 && position === 0 && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
      skip = BYTE_ORDER_MARK.length;
      splitter = new RecordSplitter(source.format, { byte: skip, line: 1 });
    }
    chunk = chunk.subarray(skip);
    skip = 0;
    yield splitter.push(chunk);
  }
  yield splitter.finish();
}

/** Ends an import and records it in the audit trail. Returns false, without effect, if the lease was lost. */
export async function endImport(
  em: EntityManager,
  lease: Lease,
  status: 'COMPLETED' | 'FAILED',
  maxErrors: number,
  error?: LineError,
): Promise<boolean> {
  if (!(await finishImport(em, lease, status, maxErrors, error))) return false;
  const act = { action: 'registry-import.import.ended', subject: { type: 'import', id: lease.importId } } as const;
  await recordAudit(em, [
    { ...act, scopes: [REGISTRY_SCOPE], actor: serviceActor('registry-import'), after: { status } },
  ]);
  return true;
}

const LINES_PER_PASS_BATCH = 2_000;
/** Turn of one account holder while others wait. */
const LINES_PER_TURN = 5_000;

/**
 * Continues an import to its end, or to the end of its turn. Each batch is applied, then recorded. After a crash at
 * most one batch is applied again, without effect, because records have natural keys. An ended lease applies nothing:
 * transactions here check it, and the ledger refuses all but the newest number.
 * @returns true if the import has ended
 * @throws UnreadableFile
 * @throws LeaseLost
 * @throws DomainError if a service cannot be reached
 */
export async function runImport(context: Context, run: ImportRun, lease: Lease, signal: AbortSignal): Promise<boolean> {
  const commit = async (write: (em: EntityManager) => Promise<boolean>): Promise<void> => {
    signal.throwIfAborted();
    if (!(await context.database.transaction(write))) throw new LeaseLost('The lease has ended.');
  };
  const { errorsStored } = context.quotas;
  const work = { lease, holder: run.holder, actor: run.actor ?? serviceActor('registry-import') };
  let turnLines = 0;
  const isTurnOver = async (lines: number): Promise<boolean> => {
    turnLines += lines;
    return turnLines >= LINES_PER_TURN && yieldTurn(context.database.em(), lease);
  };
  if (run.pass === 0) {
    for await (const { lines, ...position } of readBatches(context.database, run)) {
      const outcomes = await applyLines(context, lines, work, signal);
      await commit((em) => commitFileBatch(em, lease, { ...outcomes, ...position, read: lines.length }, errorsStored));
      if (await isTurnOver(lines.length)) return false;
    }
    await commit((em) => startPass(em, lease));
  }
  let { passLine, passHasProgress: hasProgress } = run;
  for (;;) {
    const waiting = await listWaiting(context.database.em(), run.id, passLine, LINES_PER_PASS_BATCH);
    const last = waiting.at(-1);
    if (last) {
      const lines = waiting.map(({ line, record }) => ({ line, read: record }));
      const outcomes = await applyLines(context, lines, work, signal);
      await commit((em) => commitPassBatch(em, lease, { ...outcomes, lastLine: last.line }, errorsStored));
      passLine = String(last.line);
      hasProgress ||= outcomes.applied.length > 0;
      if (await isTurnOver(lines.length)) return false;
    } else if (hasProgress) {
      await commit((em) => startPass(em, lease));
      passLine = '0';
      hasProgress = false;
    } else {
      await commit((em) => endImport(em, lease, 'COMPLETED', errorsStored));
      return true;
    }
  }
}
