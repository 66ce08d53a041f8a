import { stringify } from 'csv-stringify/sync';

/** Null and undefined are empty fields. Numbers are text, so they stay exact. */
type CsvField = string | null | undefined;

/** Column name → value of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvField>>;

/**
 * Fields that a spreadsheet would read as formulas (`=`, `+`, `-`, `@`, tab, CR) get an apostrophe. CR and LF are
 * quoted even alone.
 */
const options = { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ } as const;

/** Formats a CSV record (RFC 4180) with its line end. */
const csvRecord = (fields: readonly CsvField[]): string => stringify([fields], options);

export const formatCsvHeader = (columns: CsvColumns<never>): string => csvRecord(Object.keys(columns));

export const formatCsvRow = <Row>(columns: CsvColumns<Row>, row: Row): string =>
  csvRecord(Object.values(columns).map((fieldOf) => fieldOf(row)));
