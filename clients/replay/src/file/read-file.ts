import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { normalizeText, quote, readErrorCode, readErrorMessage } from '../text.ts';
import { RowError, type RowProblem } from './ranges.ts';
import { splitRecords, type RawRecord } from './records.ts';
import { optionalColumns, readRow, requiredColumns, type Column, type Row } from './row.ts';

/** The file as a whole cannot be read. */
export class FileError extends Error {
  override name = 'FileError';
}

export interface FileContent {
  readonly rows: readonly Row[];
  /** Unusable rows. */
  readonly bad: readonly RowProblem[];
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws FileError */
export async function readFile(path: string): Promise<FileContent> {
  try {
    return await readRows(createReadStream(path));
  } catch (error) {
    if (error instanceof FileError) throw new FileError(`${path}: ${error.message}`, { cause: error });
    if (readErrorCode(error) === undefined) throw error;
    throw new FileError(`${path} cannot be read: ${readErrorMessage(error)}`, { cause: error });
  }
}

/**
 * Reads a CSV stream into usable rows, and others with their reasons.
 * @throws FileError without a header that has the required columns
 */
export async function readRows(chunks: AsyncIterable<Buffer>): Promise<FileContent> {
  const rows: Row[] = [];
  const bad: RowProblem[] = [];
  let header: Header | undefined;
  for await (const record of splitRecords(withoutByteOrderMark(chunks))) {
    if (!header) {
      header = parseHeader(record);
      continue;
    }
    try {
      rows.push(parseRow(record, header));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      bad.push({ line: record.line, reason: error.message });
    }
  }
  if (!header) throw new FileError('the file is empty');
  return { rows, bad };
}

async function* withoutByteOrderMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    const isMarked = isFirst && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    if (isFirst && (chunk[0] === 0xff || chunk[0] === 0xfe))
      throw new FileError('the file is UTF-16; save it as UTF-8');
    isFirst = false;
    yield isMarked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
  }
}

interface Header {
  /** Index of each column. */
  readonly columns: ReadonlyMap<string, number>;
  /** Cells per row. */
  readonly width: number;
}

function parseHeader(record: RawRecord): Header {
  const names = parseNames(record);
  const known: readonly string[] = [...requiredColumns, ...optionalColumns];
  const twice = known.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice) throw new FileError(`the header contains ${twice} twice`);
  const missing = requiredColumns.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new FileError(`the header lacks ${missing.join(', ')}; it has ${names.map(quote).join(', ')}`);
  return { columns: new Map(names.map((name, index) => [name, index])), width: names.length };
}

function parseNames(record: RawRecord): string[] {
  try {
    return parseCells(record).map((name) => normalizeText(name).toLowerCase());
  } catch (error) {
    if (error instanceof RowError) throw new FileError(`the header cannot be read: ${error.message}`);
    throw error;
  }
}

function parseRow(record: RawRecord, { columns, width }: Header): Row {
  const cells = parseCells(record);
  if (cells.length !== width) throw new RowError(`the row has ${cells.length} cells, but the header has ${width}`);
  return readRow(record.line, (column: Column) => {
    const index = columns.get(column);
    return index === undefined ? undefined : cells[index];
  });
}

/** @throws RowError */
function parseCells(record: RawRecord): string[] {
  if ('reason' in record) throw new RowError(record.reason);
  const text = decodeText(record.bytes);
  if (text.includes('\0')) throw new RowError('the row contains a NUL character');
  try {
    const [cells = []] = parse(text.replace(/\r$/, ''), {
      record_delimiter: ['\n'],
      relax_column_count: true,
      relax_quotes: true,
    });
    return cells;
  } catch (error) {
    throw new RowError(`the row is not CSV: ${readErrorMessage(error)}`);
  }
}

function decodeText(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RowError('the row is not valid UTF-8');
  }
}
