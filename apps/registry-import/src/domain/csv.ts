import { parse } from 'csv-parse/sync';
import { shorten } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { readRecord, recordMembers, type ImportRecord, type LineFailure, type RecordType } from './import-record.ts';

/** The member of a record that a column stands for: `address.city` is a path of two names. */
interface Column {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
}

/** The cells of one CSV record. */
export function readCells(text: string): string[] | LineFailure {
  try {
    const [cells] = parse(text, { record_delimiter: ['\n'], relax_column_count: true });
    return cells ?? [];
  } catch (error) {
    const isOpen = error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED';
    return {
      code: 'csv',
      detail: isOpen ? 'A quotation mark is not closed.' : 'A quotation mark stands where none may stand (RFC 4180).',
    };
  }
}

/** What a schema checks, without what makes it optional or changes the value afterwards. */
function checkOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return checkOf(schema.unwrap());
  return schema instanceof z.ZodPipe ? checkOf(schema.in) : schema;
}

const columnsIn = (record: z.ZodObject, parent: readonly string[] = []): Column[] =>
  Object.entries(record.shape).flatMap(([name, member]) => {
    const path = [...parent, name];
    const schema = checkOf(member);
    return schema instanceof z.ZodObject ? columnsIn(schema, path) : [{ path, schema }];
  });

const columnsByName = (type: RecordType): ReadonlyMap<string, Column> =>
  new Map(columnsIn(recordMembers[type]).map((column) => [column.path.join('.'), column]));

const knownColumns: Readonly<Record<RecordType, ReadonlyMap<string, Column>>> = {
  'account-holder': columnsByName('account-holder'),
  'production-facility': columnsByName('production-facility'),
  issuance: columnsByName('issuance'),
};

/** What is wrong with the names in the header of a CSV file. Undefined when nothing is. */
export function wrongHeader(type: RecordType, names: readonly string[]): LineFailure | undefined {
  const known = knownColumns[type];
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const shown = shorten(unknown).replaceAll('\0', '');
    const detail = `The header names a column "${shown}" that ${type} records do not have.`;
    return { code: 'unknown-column', detail: `${detail} There are: ${[...known.keys()].join(', ')}.` };
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return undefined;
  return { code: 'repeated-column', detail: `The header names the column "${repeated}" twice.` };
}

/** Reads the cells of one record. */
export type RowReader = (cells: readonly string[]) => ImportRecord | LineFailure;

/** Reads cells as if they stood in a line of NDJSON. An empty cell is a missing member. */
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
      if (cell) setMember(record, path, valueOf(cell, schema));
    });
    return readRecord(record);
  };
}

function setMember(record: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) record[name] = value;
  else setMember((record[name] ??= {}) as Record<string, unknown>, rest, value);
}

/** A cell that is not of its member's type stays a text, which the check of the record then refuses. */
function valueOf(cell: string, schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodBoolean) return cell === 'true' ? true : cell === 'false' ? false : cell;
  if (schema instanceof z.ZodNumber) return /^-?[0-9]{1,15}$/.test(cell) ? Number(cell) : cell;
  return schema instanceof z.ZodArray ? listOf(cell) : cell;
}

/** Items separated by `;` or `|`, or a JSON array when one of them holds such a sign. */
function listOf(cell: string): unknown {
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
