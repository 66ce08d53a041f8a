/** A longer record is an error of its line, and not kept in memory. */
export const MAX_RECORD_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** Start of a record: byte offset in the file, and line number from 1. */
export interface Position {
  readonly byte: number;
  readonly line: number;
}

export interface RawRecord {
  /** First line of the record. */
  readonly line: number;
  /** Without the line end. Undefined if longer than {@link MAX_RECORD_BYTES}. */
  readonly bytes: Buffer | undefined;
  /** Start of the next record. */
  readonly next: Position;
}

interface Boundary {
  /** Returns the index of the line feed that ends the current record, or -1 if it continues after the chunk. */
  end(chunk: Buffer, from: number): number;
  /** Line feeds inside the current record so far. */
  innerLines: number;
  /** Makes the next line feed end the record, even inside quotation marks. */
  giveUp(): void;
}

const linesOnly = (): Boundary => ({
  end: (chunk, from) => chunk.indexOf(LINE_FEED, from),
  innerLines: 0,
  giveUp: () => undefined,
});

/**
 * Finds record ends by RFC 4180: a line feed between quotation marks belongs to the field, and a quotation mark opens a
 * field only at its start.
 */
function csvRecords(): Boundary {
  let state: 'start' | 'plain' | 'quoted' | 'closed' | 'given-up' = 'start';
  const boundary: Boundary = {
    innerLines: 0,
    giveUp: () => (state = 'given-up'),
    end(chunk, from) {
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at];
        if (state === 'quoted') {
          if (byte === QUOTE) state = 'closed';
          else if (byte === LINE_FEED) boundary.innerLines += 1;
        } else if (byte === LINE_FEED) {
          state = 'start';
          return at;
        } else if (state !== 'given-up') {
          // A second quotation mark after "closed" is an escaped one.
          if (byte === QUOTE) state = state === 'plain' ? 'plain' : 'quoted';
          else state = byte === COMMA ? 'start' : 'plain';
        }
      }
      return -1;
    },
  };
  return boundary;
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN);

/**
 * Splits chunks of a file into records: lines of NDJSON, or records of CSV (RFC 4180), without blank lines. Keeps at
 * most one record in memory. Own code, because an import must continue at any record after a crash, and an unclosed
 * quotation mark must cost one record rather than the rest of the file.
 */
export class RecordSplitter {
  #byte: number;
  #line: number;
  #boundary: Boundary;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(format: 'ndjson' | 'csv', start: Position) {
    this.#byte = start.byte;
    this.#line = start.line;
    this.#boundary = format === 'csv' ? csvRecords() : linesOnly();
  }

  *push(chunk: Buffer): Generator<RawRecord> {
    for (let at = 0; at < chunk.length;) {
      const end = this.#boundary.end(chunk, at);
      this.#take(chunk.subarray(at, end === -1 ? chunk.length : end));
      const stop = end === -1 ? chunk.length : end + 1;
      this.#byte += stop - at;
      at = stop;
      if (end !== -1) yield* this.#record();
    }
  }

  /** Yields the last record if it has no line end. */
  *finish(): Generator<RawRecord> {
    if (this.#size > 0) yield* this.#record();
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size > MAX_RECORD_BYTES) {
      this.#parts = [];
      this.#boundary.giveUp();
    } else {
      this.#parts.push(piece);
    }
  }

  *#record(): Generator<RawRecord> {
    const line = this.#line;
    const isTooLong = this.#size > MAX_RECORD_BYTES;
    const [first, ...others] = this.#parts;
    const whole = first && others.length === 0 ? first : Buffer.concat(this.#parts);
    this.#line += 1 + this.#boundary.innerLines;
    this.#boundary.innerLines = 0;
    this.#parts = [];
    this.#size = 0;
    const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    if (!isTooLong && isBlank(bytes)) return;
    yield { line, bytes: isTooLong ? undefined : bytes, next: { byte: this.#byte, line: this.#line } };
  }
}
