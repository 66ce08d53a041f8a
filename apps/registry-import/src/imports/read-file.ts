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

const LINES_PER_BATCH = 200;
/** Keeps a batch of long lines within a message to the ledger. */
const BATCH_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of an import from where it stands, in batches. A chunk of the file is in memory at a time.
 * @throws UnreadableFile
 */
export async function* readBatches(database: Database, run: ImportRun): AsyncGenerator<LineBatch> {
  const reader = createLineReader(run.source, run.columns);
  let { next } = run;
  let lines: FileLine[] = [];
  let bytes = 0;
  for await (const raw of readRecords(database, run)) {
    const read = reader.read(raw);
    if (!read) continue;
    lines.push({ line: raw.line, read });
    next = raw.next;
    bytes += raw.bytes?.length ?? 0;
    if (lines.length < LINES_PER_BATCH && bytes < BATCH_BYTES) continue;
    yield { lines, next, columns: reader.columns };
    lines = [];
    bytes = 0;
  }
  if (lines.length > 0) yield { lines, next, columns: reader.columns };
}

async function* readRecords(database: Database, { id, source, next }: ImportRun): AsyncGenerator<RawRecord> {
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
    yield* splitter.push(chunk);
  }
  yield* splitter.finish();
}
