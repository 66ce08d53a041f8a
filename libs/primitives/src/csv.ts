import { stringify } from 'csv-stringify/sync';

/** What stands in a field. Numbers are text, so they stay exact. Nothing is an empty field. */
type CsvField = string | null | undefined;

/** By the name of its column: what stands in it for a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvField>>;

/**
 * A field that begins with what a spreadsheet takes for a formula (`=`, `+`, `-`, `@`, tab, CR) gets an apostrophe.
 * Whatever breaks a line is quoted, not only what ends a record here.
 */
const options = { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ } as const;

/** A record of CSV (RFC 4180) with its end. */
const csvRecord = (fields: readonly CsvField[]): string => stringify([fields], options);

/** The header record of these columns. */
export const csvHeader = (columns: CsvColumns<never>): string => csvRecord(Object.keys(columns));

/** The record of a row. */
export const csvRow = <Row>(columns: CsvColumns<Row>, row: Row): string =>
  csvRecord(Object.values(columns).map((fieldOf) => fieldOf(row)));
