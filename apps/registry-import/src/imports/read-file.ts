import type { Database } from '@saleschannel/database';
import { createLineReader } from '../domain/import-lines.ts';
import type { ImportRecord, LineFailure } from '../domain/import-record.ts';
import { RecordSplitter, type Position, type RawRecord } from '../domain/record-splitter.ts';
import type { ImportRun } from '../store/import-leases.ts';
import { CHUNK_BYTES, readChunk } from '../store/uploads.ts';

export interface FileLine {
  readonly line: number;
  readonly read: ImportRecord | LineFailure;
}

export interface LineBatch {
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
export async function* readBatches(database: Database, run: ImportRun): AsyncGenerator<LineBatch> {
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
