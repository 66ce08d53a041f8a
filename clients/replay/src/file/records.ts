/**
 * Splits a CSV file into records, whose cells csv-parse reads. csv-parse itself would read on to the end of the file
 * after an unclosed quotation mark, so one typing error would lose all later rows.
 */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_BREAK = Buffer.from('\n');

/** One line of a file. `line` counts from 1. */
interface Line {
  readonly line: number;
  /** Without the line feed. Undefined if the line is too long to keep. */
  readonly bytes: Buffer | undefined;
}

/** Splits a stream into lines, in constant memory. */
async function* splitLines(chunks: AsyncIterable<Buffer>, lineBytesAtMost: number): AsyncGenerator<Line> {
  let line = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer): void => {
    size += part.length;
    if (size <= lineBytesAtMost) parts.push(part);
    else parts = [];
  };
  const finish = (): Line => {
    const bytes = size > lineBytesAtMost ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { line: line++, bytes };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, to));
      yield finish();
      from = to + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (size > 0) yield finish();
}

/** Includes line breaks. */
const RECORD_BYTES_AT_MOST = 1024 * 1024;
/** Quoted cells may hold line breaks. More lines than this mean an unclosed quotation mark. */
const RECORD_LINES_AT_MOST = 200;

/** One record as written, or its error. `line` is its first line, from 1. */
export type RawRecord =
  { readonly line: number; readonly bytes: Buffer } | { readonly line: number; readonly reason: string };

/** Parser state within a record. */
type Cell = 'start' | 'plain' | 'quoted' | 'broken';

/** A record that may continue on the next line. */
interface OpenRecord {
  /** First line. */
  readonly line: number;
  readonly parts: Buffer[];
  /** Further lines, to be read again if this is not a record. */
  readonly others: Line[];
  size: number;
  cell: Cell | 'too-long';
}

/** Records of a file. An unclosed quotation mark costs only its own line; later lines are read again. */
export async function* splitRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const reader = new RecordReader();
  for await (const line of splitLines(chunks, RECORD_BYTES_AT_MOST)) yield* reader.take(line);
  yield* reader.end();
}

class RecordReader {
  #open: OpenRecord | undefined;

  /** Records that end with a line. Several, if lines of a broken record are read again. */
  *take(line: Line): Generator<RawRecord> {
    const waiting = [line];
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!this.#open && isBlank(next)) continue;
      const record = appendLine(this.#open, next);
      this.#open = undefined;
      if (record.cell === 'start') yield { line: record.line, bytes: Buffer.concat(record.parts) };
      else if (record.cell === 'quoted' && isWithinLimits(record)) this.#open = record;
      else {
        yield { line: record.line, reason: describeFault(record) };
        waiting.unshift(...record.others);
      }
    }
  }

  /** Records at the end of the file: a record with an open quotation mark, and the lines after its first line. */
  *end(): Generator<RawRecord> {
    for (let record = this.#open; record; record = this.#open) {
      this.#open = undefined;
      yield { line: record.line, reason: 'a quotation mark is not closed' };
      for (const line of record.others) yield* this.take(line);
    }
  }
}

const isBlank = ({ bytes }: Line): boolean =>
  bytes?.every((byte) => byte === SPACE || byte === CARRIAGE_RETURN) ?? false;

/** Adds a line to the record, or starts a new record. */
function appendLine(record: OpenRecord | undefined, next: Line): OpenRecord {
  const { line, bytes } = next;
  if (!record) {
    if (!bytes) return { line, parts: [], others: [], size: 0, cell: 'too-long' };
    return { line, parts: [bytes], others: [], size: bytes.length, cell: cellAfter(bytes, 'start') };
  }
  record.others.push(next);
  if (bytes) {
    record.parts.push(LINE_BREAK, bytes);
    record.size += bytes.length;
    record.cell = cellAfter(bytes, 'quoted');
  } else record.cell = 'too-long';
  return record;
}

/**
 * Parser state after a line (RFC 4180): `start` if the record ends here. Quotation marks within a plain cell are text.
 */
function cellAfter(bytes: Buffer, before: Cell): Cell {
  let cell = before;
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at];
    if (cell === 'quoted') {
      if (byte !== QUOTE) continue;
      const next = at + 1 < end ? bytes[at + 1] : COMMA;
      if (next !== QUOTE && next !== COMMA) return 'broken';
      if (next === COMMA) cell = 'plain';
      else at++;
    } else if (byte === COMMA) cell = 'start';
    else cell = cell === 'start' && byte === QUOTE ? 'quoted' : 'plain';
  }
  return cell === 'quoted' ? 'quoted' : 'start';
}

const isWithinLimits = ({ others, size }: OpenRecord): boolean =>
  others.length < RECORD_LINES_AT_MOST && size <= RECORD_BYTES_AT_MOST;

function describeFault({ cell, others }: OpenRecord): string {
  if (others.length > 0) return 'a quotation mark is not closed';
  return cell === 'too-long'
    ? `the line is longer than ${RECORD_BYTES_AT_MOST} bytes`
    : 'text after a closing quotation mark';
}
