import { createRowReader, readCells, checkHeader, type RowReader } from './csv.ts';
import type { ImportFormat } from './import-format.ts';
import { readRecord, type ImportRecord, type LineFailure, type RecordType } from './import-record.ts';
import { MAX_RECORD_BYTES, type RawRecord } from './record-splitter.ts';

/** The whole file cannot be read, for example because of its header. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  readonly line: number;
  readonly code: LineFailure['code'];

  constructor(line: number, { code, detail }: LineFailure) {
    super(detail);
    this.line = line;
    this.code = code;
  }
}

/** Parses the records of a file. */
export interface LineReader {
  /** Header of a CSV file, once read. */
  readonly columns: readonly string[] | null;
  /** Returns undefined for the header of a CSV file. @throws UnreadableFile for an invalid header */
  read(raw: Pick<RawRecord, 'line' | 'bytes'>): ImportRecord | LineFailure | undefined;
}

const TOO_LONG: LineFailure = {
  code: 'line-too-long',
  detail: `A record must have at most ${MAX_RECORD_BYTES} bytes. Perhaps a quotation mark is not closed.`,
};
const NOT_UTF8: LineFailure = { code: 'encoding', detail: 'The line is not UTF-8.' };
const NOT_JSON: LineFailure = { code: 'json', detail: 'The line is not JSON.' };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer | undefined): string | LineFailure {
  if (!bytes) return TOO_LONG;
  try {
    return decoder.decode(bytes);
  } catch {
    return NOT_UTF8;
  }
}

/** @param columns header of a CSV file, if already read */
export const createLineReader = (source: ImportFormat, columns: readonly string[] | null): LineReader =>
  source.format === 'ndjson' ? jsonReader : new CsvReader(source.type, columns);

const jsonReader: LineReader = {
  columns: null,
  read({ bytes }) {
    const text = decode(bytes);
    return typeof text === 'string' ? readJson(text) : text;
  },
};

function readJson(text: string): ImportRecord | LineFailure {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
  return readRecord(value);
}

class CsvReader implements LineReader {
  readonly #type: RecordType;
  #columns: readonly string[] | null;
  #readRow: RowReader | undefined;

  constructor(type: RecordType, columns: readonly string[] | null) {
    this.#type = type;
    this.#columns = columns;
    this.#readRow = columns ? createRowReader(type, columns) : undefined;
  }

  get columns(): readonly string[] | null {
    return this.#columns;
  }

  read({ line, bytes }: Pick<RawRecord, 'line' | 'bytes'>): ImportRecord | LineFailure | undefined {
    const text = decode(bytes);
    const cells = typeof text === 'string' ? readCells(text) : text;
    if (this.#readRow) return Array.isArray(cells) ? this.#readRow(cells) : cells;
    if (!Array.isArray(cells)) throw new UnreadableFile(line, cells);
    this.#readHeader(line, cells);
    return undefined;
  }

  #readHeader(line: number, cells: readonly string[]): void {
    const names = cells.map((cell) => cell.trim());
    const failure = checkHeader(this.#type, names);
    if (failure) throw new UnreadableFile(line, failure);
    this.#columns = names;
    this.#readRow = createRowReader(this.#type, names);
  }
}
