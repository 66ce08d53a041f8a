import { parse } from 'csv-parse/sync';
import type { Field, Fields } from './fields.ts';
import type { ImportFormat } from './import-header.ts';
import {
  readRecord,
  readTyped,
  recordFields,
  type ImportRecord,
  type LineFailure,
  type RecordType,
} from './import-record.ts';
import { RECORD_BYTES_AT_MOST, type RawRecord } from './record-splitter.ts';

/** The file as a whole cannot be read, for instance because of its header. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  readonly line: number;
  readonly code: string;

  constructor(line: number, code: string, detail: string) {
    super(detail);
    this.line = line;
    this.code = code;
  }
}

/** Reads one record as it was cut out of the file. */
export type LineReader = (bytes: Buffer | undefined) => ImportRecord | LineFailure;

const TOO_LONG: LineFailure = {
  code: 'line-too-long',
  detail: `A record may have ${RECORD_BYTES_AT_MOST} bytes. Is a quotation mark never closed?`,
};
const NOT_UTF8: LineFailure = { code: 'encoding', detail: 'The line is not UTF-8.' };
const NOT_JSON: LineFailure = { code: 'json', detail: 'The line is not JSON.' };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer | undefined): string | LineFailure {
  if (!bytes) return TOO_LONG;
  try {
    return decoder.decode(bytes);
  } catch {
    return NOT_UTF8;
  }
}

/** @param columns for CSV, the header */
export function lineReader({ format, type }: ImportFormat, columns: readonly string[]): LineReader {
  const read = format === 'ndjson' ? readJsonLine : csvRowReader(type, columns);
  return (bytes) => {
    const text = decoded(bytes);
    return typeof text === 'string' ? read(text) : text;
  };
}

function readJsonLine(text: string): ImportRecord | LineFailure {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
  return readTyped(value);
}

/** The cells of one CSV record. */
function readCells(text: string): string[] | LineFailure {
  try {
    const [cells] = parse(text, { record_delimiter: ['\n'], relax_column_count: true }) as string[][];
    return cells ?? [];
  } catch (error) {
    const isOpen = (error as { code?: string }).code === 'CSV_QUOTE_NOT_CLOSED';
    return {
      code: 'csv',
      detail: isOpen ? 'A quotation mark is not closed.' : 'A quotation mark stands where none may stand (RFC 4180).',
    };
  }
}

interface Column {
  readonly path: readonly string[];
  readonly field: Field;
}

/** `address.city` → the field it stands for. */
function columnsOf(fields: Fields, path: readonly string[] = []): Map<string, Column> {
  return new Map(
    Object.entries(fields).flatMap(([name, field]): [string, Column][] =>
      field.kind === 'object'
        ? [...columnsOf(field.fields, [...path, name])]
        : [[[...path, name].join('.'), { path: [...path, name], field }]],
    ),
  );
}

/**
 * The columns of a CSV file, from its first record.
 * @throws UnreadableFile
 */
export function readColumns({ format, type }: ImportFormat, { line, bytes }: RawRecord): string[] {
  if (format !== 'csv') throw new TypeError('only CSV has columns');
  const text = decoded(bytes);
  const cells = typeof text === 'string' ? readCells(text) : text;
  if (!Array.isArray(cells)) throw new UnreadableFile(line, cells.code, cells.detail);
  const names = cells.map((cell) => cell.trim());
  const known = columnsOf(recordFields[type]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const shown = unknown.replaceAll('\0', '').slice(0, 100).toWellFormed();
    throw new UnreadableFile(
      line,
      'unknown-column',
      `The header names a column "${shown}" that ${type} records do not have. There are: ${[...known.keys()].join(', ')}.`,
    );
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new UnreadableFile(line, 'repeated-column', `The header names the column "${repeated}" twice.`);
  return names;
}

function csvRowReader(type: RecordType, names: readonly string[]): (text: string) => ImportRecord | LineFailure {
  const known = columnsOf(recordFields[type]);
  const columns = names.map((name) => known.get(name) as Column);
  return (text) => {
    const cells = readCells(text);
    if (!Array.isArray(cells)) return cells;
    if (cells.length !== columns.length) {
      return {
        code: 'csv-columns',
        detail: `The record has ${cells.length} cells, the header ${columns.length} columns.`,
      };
    }
    const members: Record<string, unknown> = {};
    columns.forEach((column, index) => setMember(members, column, cells[index] ?? ''));
    return readRecord(type, members);
  };
}

function setMember(members: Record<string, unknown>, { path, field }: Column, cell: string): void {
  if (cell === '') return;
  let parent = members;
  for (const name of path.slice(0, -1)) parent = (parent[name] ??= {}) as Record<string, unknown>;
  parent[path.at(-1) as string] = valueOf(cell, field);
}

/** A cell that is not of its field's type stays a text, which the check of the record then refuses. */
function valueOf(cell: string, field: Field): unknown {
  switch (field.kind) {
    case 'flag':
      return cell === 'true' ? true : cell === 'false' ? false : cell;
    case 'integer':
      return /^-?[0-9]{1,15}$/.test(cell) ? Number(cell) : cell;
    case 'texts':
      return listOf(cell);
    default:
      return cell;
  }
}

/** Items separated by `;` or `|`, or a JSON array when one of them holds such a sign. */
function listOf(cell: string): unknown {
  if (!cell.startsWith('['))
    return cell
      .split(/[;|]/)
      .map((item) => item.trim())
      .filter((item) => item !== '');
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
