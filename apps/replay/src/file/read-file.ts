import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { clean, shown } from '../text.ts';
import { BadRow } from './ranges.ts';
import { recordsOf, type RawRecord } from './records.ts';
import { neededColumns, optionalColumns, readRow, type Column, type Row } from './row.ts';

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** A row that was left out. */
export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

export interface FileContent {
  readonly rows: readonly Row[];
  readonly bad: readonly BadLine[];
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The cells of one record. */
function cellsOf(record: RawRecord): string[] {
  if ('reason' in record) throw new BadRow(record.reason);
  let text: string;
  try {
    text = decoder.decode(record.bytes);
  } catch {
    throw new BadRow('the row is not valid UTF-8');
  }
  if (text.includes('\0')) throw new BadRow('the row holds a NUL character');
  try {
    const [cells] = parse(text.replace(/\r$/, ''), {
      record_delimiter: ['\n'],
      relax_column_count: true,
      relax_quotes: true,
    }) as string[][];
    return cells ?? [];
  } catch (error) {
    throw new BadRow(`the row is not CSV: ${(error as Error).message}`);
  }
}

type Columns = ReadonlyMap<string, number>;

function columnsOf(record: RawRecord): { columns: Columns; width: number } {
  let names: string[];
  try {
    names = cellsOf(record).map((name) => clean(name).toLowerCase());
  } catch (error) {
    if (error instanceof BadRow) throw new UnreadableFile(`the header cannot be read: ${error.message}`);
    throw error;
  }
  const known: readonly string[] = [...neededColumns, ...optionalColumns];
  const twice = known.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice) throw new UnreadableFile(`the header names the column ${twice} twice`);
  const missing = neededColumns.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new UnreadableFile(`the header lacks ${missing.join(', ')}; it has ${names.map(shown).join(', ')}`);
  return { columns: new Map(names.map((name, index) => [name, index])), width: names.length };
}

function rowOf(record: RawRecord, { columns, width }: { columns: Columns; width: number }): Row {
  const cells = cellsOf(record);
  if (cells.length !== width) throw new BadRow(`the row has ${cells.length} cells, the header has ${width}`);
  return readRow(record.line, (column: Column) => cells[columns.get(column) ?? -1] ?? '');
}

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    const isMarked = isFirst && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    if (isFirst && (chunk[0] === 0xff || chunk[0] === 0xfe))
      throw new UnreadableFile('the file is UTF-16; save it as UTF-8');
    isFirst = false;
    yield isMarked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
  }
}

/**
 * The rows of a CSV stream that can be used, and the others with their reasons.
 * @throws UnreadableFile when there is no header with the needed columns
 */
export async function readRows(chunks: AsyncIterable<Buffer>): Promise<FileContent> {
  const rows: Row[] = [];
  const bad: BadLine[] = [];
  let header: ReturnType<typeof columnsOf> | undefined;
  for await (const record of recordsOf(withoutMark(chunks))) {
    if (!header) {
      header = columnsOf(record);
      continue;
    }
    try {
      rows.push(rowOf(record, header));
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      bad.push({ line: record.line, reason: error.message });
    }
  }
  if (!header) throw new UnreadableFile('the file is empty');
  return { rows, bad };
}

/** @throws UnreadableFile */
export async function readFile(path: string): Promise<FileContent> {
  try {
    return await readRows(createReadStream(path));
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UnreadableFile(`${path}: ${error.message}`, { cause: error });
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UnreadableFile(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
