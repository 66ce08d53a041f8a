import type { Database } from '@saleschannel/database';
import { createLineReader } from '../domain/import-lines.ts';
import type { ImportRecord, LineFailure } from '../domain/import-record.ts';
import { RecordSplitter, type Position, type RawRecord } from '../domain/record-splitter.ts';
import type { ImportRun } from '../store/import-runs.ts';
import { CHUNK_BYTES, readChunk } from '../store/uploads.ts';

export interface FileLine {
  readonly line: number;
  readonly read: ImportRecord | LineFailure;
}

export interface LineBatch {
  readonly lines: readonly FileLine[];
  readonly next: Position;
  /** Of a CSV file. */
  readonly columns: readonly string[] | null;
}

/** What a batch costs whatever its size (questions, commits) is little for each of so many lines. */
const LINES_PER_BATCH = 2_000;
/** The first batch is small and each is twice as large as the one before, so that progress is seen of small files. */
const LINES_OF_FIRST_BATCH = 50;
/** Bounds the memory that a batch of long lines takes. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of an import from where it stands, in batches. While one is worked on the next one is read: two batches and
 * a chunk of the file are in memory at a time.
 * @throws UnreadableFile
 */
export async function* readBatches(database: Database, run: ImportRun): AsyncGenerator<LineBatch> {
  const batches = cutBatches(database, run);
  try {
    for (let next = batches.next(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = batches.next();
      // It is awaited when this batch is done. Its failure must not be an unhandled rejection before.
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
  let linesAtMost = LINES_OF_FIRST_BATCH;
  for await (const records of readRecords(database, run)) {
    for (const raw of records) {
      const read = reader.read(raw);
      if (!read) continue;
      lines.push({ line: raw.line, read });
      next = raw.next;
      bytes += raw.bytes?.length ?? 0;
      if (lines.length < linesAtMost && bytes < BATCH_BYTES) continue;
      yield { lines, next, columns: reader.columns };
      linesAtMost = Math.min(linesAtMost * 2, LINES_PER_BATCH);
      lines = [];
      bytes = 0;
    }
  }
  if (lines.length > 0) yield { lines, next, columns: reader.columns };
}

/** The records that end in one chunk of the file after the other. */
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
