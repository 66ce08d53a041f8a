import { shorten } from '@saleschannel/primitives/validation';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { MAX_RECORD_BYTES, type RawRecord } from './record-splitter.ts';
import { readRecord, recordMembers, type ImportRecord, type LineFailure, type RecordType } from './records.ts';
import type { ImportFormat } from './upload.ts';

/** Member of a record for a column: `address.city` is a path of two names. */
interface Column {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
}

/** Parses one CSV record. */
function readCells(text: string): string[] | LineFailure {
  try {
    const [cells] = parse(text, { record_delimiter: ['\n'], relax_column_count: true });
    return cells ?? [];
  } catch (error) {
    const isOpen = error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED';
    return {
      code: 'csv',
      detail: isOpen ? 'A quotation mark is not closed.' : 'A quotation mark is misplaced (RFC 4180).',
    };
  }
}

/** Unwraps optional, nullable and transformed schemas. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrap(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrap(schema.in) : schema;
}

const columnsIn = (record: z.ZodObject, parent: readonly string[] = []): Column[] =>
  Object.entries(record.shape).flatMap(([name, member]) => {
    const path = [...parent, name];
    const schema = unwrap(member);
    return schema instanceof z.ZodObject ? columnsIn(schema, path) : [{ path, schema }];
  });

const columnsByName = (type: RecordType): ReadonlyMap<string, Column> =>
  new Map(columnsIn(recordMembers[type]).map((column) => [column.path.join('.'), column]));

const knownColumns: Readonly<Record<RecordType, ReadonlyMap<string, Column>>> = {
  'account-holder': columnsByName('account-holder'),
  'production-facility': columnsByName('production-facility'),
  issuance: columnsByName('issuance'),
};

/** Returns the fault of a CSV header, or undefined for a valid one. */
function checkHeader(type: RecordType, names: readonly string[]): LineFailure | undefined {
  const known = knownColumns[type];
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const shown = shorten(unknown).replaceAll('\0', '');
    const detail = `The header names a column "${shown}" that ${type} records do not have.`;
    return { code: 'unknown-column', detail: `${detail} Known columns: ${[...known.keys()].join(', ')}.` };
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return undefined;
  return { code: 'repeated-column', detail: `The header names the column "${repeated}" twice.` };
}

/** Reads the cells of one record. */
type RowReader = (cells: readonly string[]) => ImportRecord | LineFailure;

/** Converts cells to the record that a line of NDJSON would have. An empty cell is a missing member. */
function createRowReader(type: RecordType, names: readonly string[]): RowReader {
  const columns = names.flatMap((name) => knownColumns[type].get(name) ?? []);
  return (cells) => {
    if (cells.length !== columns.length) {
      const detail = `The record has ${cells.length} cells, the header ${columns.length} columns.`;
      return { code: 'csv-columns', detail };
    }
    const record: Record<string, unknown> = { type };
    columns.forEach(({ path, schema }, index) => {
      const cell = cells[index];
      if (cell) setMember(record, path, toValue(cell, schema));
    });
    return readRecord(record);
  };
}

function setMember(record: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) record[name] = value;
  else setMember((record[name] ??= {}) as Record<string, unknown>, rest, value);
}

/** A cell of the wrong type stays a text, which the validation of the record refuses. */
function toValue(cell: string, schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodBoolean) return cell === 'true' ? true : cell === 'false' ? false : cell;
  if (schema instanceof z.ZodNumber) return /^-?[0-9]{1,15}$/.test(cell) ? Number(cell) : cell;
  return schema instanceof z.ZodArray ? toList(cell) : cell;
}

/** Splits a cell at `;` or `|`, or parses a JSON array. */
function toList(cell: string): unknown {
  if (!cell.startsWith('[')) {
    const items = cell.split(/[;|]/).map((item) => item.trim());
    return items.filter((item) => item !== '');
  }
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

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
