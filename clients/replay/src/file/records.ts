const LINE_FEED = 0x0a;

/** One line of a file. `line` counts from 1. */
interface Line {
  readonly line: number;
  /** Without the line feed at its end. Undefined when the line is too long to keep. */
  readonly bytes: Buffer | undefined;
}

/** Cuts a stream into lines. The memory it takes does not grow with the file. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, lineBytesAtMost: number): AsyncGenerator<Line> {
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

/**
 * Cuts a CSV file into records, whose cells csv-parse then reads. csv-parse could cut the file too, but it reads on to
 * the end when a quotation mark is never closed: one typing error would cost all rows after it.
 */

const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_BREAK = Buffer.from('\n');

/** Of one record, its line breaks included. */
const RECORD_BYTES_AT_MOST = 1024 * 1024;
/** A quoted cell may hold line breaks. One with more lines than this was not meant to be open. */
const RECORD_LINES_AT_MOST = 200;

/** One record of a CSV file as it was written, or what is wrong with it. `line` counts from 1 and is its first line. */
export type RawRecord =
  { readonly line: number; readonly bytes: Buffer } | { readonly line: number; readonly reason: string };

/** Where the reading of cells stands. */
type Cell = 'start' | 'plain' | 'quoted' | 'broken';

/** A record that may go on in the next line. */
interface OpenRecord {
  /** Its first line. */
  readonly line: number;
  readonly parts: Buffer[];
  /** The lines behind the first one. They are read again when this turns out to be no record. */
  readonly others: Line[];
  size: number;
  cell: Cell | 'too-long';
}

/** The records of a file. A quotation mark that is never closed costs only its own line: the others are read again. */
export async function* recordsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const reader = new RecordReader();
  for await (const line of linesOf(chunks, RECORD_BYTES_AT_MOST)) yield* reader.take(line);
  yield* reader.end();
}

class RecordReader {
  #open: OpenRecord | undefined;

  /** The records that end with a line. There may be several, since lines are read again when a record is broken. */
  *take(line: Line): Generator<RawRecord> {
    const waiting = [line];
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!this.#open && isBlank(next)) continue;
      const record = withLine(this.#open, next);
      this.#open = undefined;
      if (record.cell === 'start') yield { line: record.line, bytes: Buffer.concat(record.parts) };
      else if (record.cell === 'quoted' && isWithinLimits(record)) this.#open = record;
      else {
        yield { line: record.line, reason: faultOf(record) };
        waiting.unshift(...record.others);
      }
    }
  }

  /** What is left at the end of the file: a record with an open quotation mark, and the lines behind its first one. */
  *end(): Generator<RawRecord> {
    for (let record = this.#open; record; record = this.#open) {
      this.#open = undefined;
      yield { line: record.line, reason: 'a quotation mark is never closed' };
      for (const line of record.others) yield* this.take(line);
    }
  }
}

const isBlank = ({ bytes }: Line): boolean =>
  bytes?.every((byte) => byte === SPACE || byte === CARRIAGE_RETURN) ?? false;

/** The record with one more line, or a new record that begins with this line. */
function withLine(record: OpenRecord | undefined, next: Line): OpenRecord {
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
 * Where the reading of cells stands after a line, by the rules of RFC 4180: `start` when the record ends here. A
 * quotation mark within a plain cell is text.
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

function faultOf({ cell, others }: OpenRecord): string {
  if (others.length > 0) return 'a quotation mark is never closed';
  return cell === 'too-long'
    ? `the line is longer than ${RECORD_BYTES_AT_MOST} bytes`
    : 'text stands behind a closing quotation mark';
}
