import { parse } from 'csv-parse/sync';
import { shorten } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { readRecord, recordMembers, type ImportRecord, type LineFailure, type RecordType } from './import-record.ts';

/** Member of a record for a column: `address.city` is a path of two names. */
interface Column {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
}

/** Parses one CSV record. */
export function readCells(text: string): string[] | LineFailure {
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
export function checkHeader(type: RecordType, names: readonly string[]): LineFailure | undefined {
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
export type RowReader = (cells: readonly string[]) => ImportRecord | LineFailure;

/** Converts cells to the record that a line of NDJSON would have. An empty cell is a missing member. */
export function createRowReader(type: RecordType, names: readonly string[]): RowReader {
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
