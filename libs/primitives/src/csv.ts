import { stringify } from 'csv-stringify/sync';

/** Value of a field. Null and undefined are empty fields. Numbers are text, so they stay exact. */
type CsvField = string | null | undefined;

/** Functions that return a row's value, by column name. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvField>>;

/**
 * Puts an apostrophe before fields that a spreadsheet would read as formulas (`=`, `+`, `-`, `@`, tab, CR). Quotes
 * fields with a lone CR or LF.
 */
const options = { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ } as const;

/** Formats a CSV record (RFC 4180) with its line end. */
const formatCsvRecord = (fields: readonly CsvField[]): string => stringify([fields], options);

export const formatCsvHeader = (columns: CsvColumns<never>): string => formatCsvRecord(Object.keys(columns));

export const formatCsvRow = <Row>(columns: CsvColumns<Row>, row: Row): string =>
  formatCsvRecord(Object.values(columns).map((readField) => readField(row)));
