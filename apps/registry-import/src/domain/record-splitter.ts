/** Longer records are an error of their line, and are not held in memory. */
export const RECORD_BYTES_AT_MOST = 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** Where a record begins: bytes from the start of the file, and the line from 1. */
export interface Position {
  readonly byte: number;
  readonly line: number;
}

export interface RawRecord {
  /** The line on which it begins. */
  readonly line: number;
  /** Without its line end. Undefined when it is longer than {@link RECORD_BYTES_AT_MOST}. */
  readonly bytes: Buffer | undefined;
  /** Where reading goes on after this record. */
  readonly next: Position;
}

interface Boundary {
  /** Index of the line feed that ends the current record, or -1 when it goes on after the chunk. */
  end(chunk: Buffer, from: number): number;
  /** Line feeds inside the current record so far. */
  innerLines: number;
  /** From now on the next line feed ends the record, also inside quotation marks. */
  giveUp(): void;
}

const linesOnly = (): Boundary => ({
  end: (chunk, from) => chunk.indexOf(LINE_FEED, from),
  innerLines: 0,
  giveUp: () => undefined,
});

/**
 * RFC 4180: a line feed between quotation marks belongs to the field. A quotation mark opens a field only at its start.
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
          // Two quotation marks in a quoted field stand for one: "closed" was too early.
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
 * Cuts a file that comes in chunks into records: lines of NDJSON, or records of CSV (RFC 4180). Blank lines are left
 * out. It can begin at any record, and holds no more than one. It is written by hand because an import goes on at any
 * record after a crash, and because a quotation mark that is never closed must cost one record, not the rest of a file.
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

  /** The last record, when no line end follows it. */
  *finish(): Generator<RawRecord> {
    if (this.#size > 0) yield* this.#record();
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size > RECORD_BYTES_AT_MOST) {
      this.#parts = [];
      this.#boundary.giveUp();
    } else {
      this.#parts.push(piece);
    }
  }

  *#record(): Generator<RawRecord> {
    const line = this.#line;
    const isTooLong = this.#size > RECORD_BYTES_AT_MOST;
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
