import { countCertificates, type SerialRange } from '@saleschannel/primitives';
import { normalizeText, quote } from '../text.ts';
import { parseRanges, RowError, sumVolumes, type WrittenRanges } from './ranges.ts';

export const kinds = ['issuance', 'retirement', 'cancellation'] as const;
export type Kind = (typeof kinds)[number];

export const requiredColumns = ['registry', 'kind', 'batch', 'start', 'end', 'quantity'] as const;
export const optionalColumns = ['date', 'vintage', 'project', 'country', 'beneficiary', 'purpose'] as const;
export type Column = (typeof requiredColumns)[number] | (typeof optionalColumns)[number];

/** A usable row. Texts are clean, and undefined if their cell is empty. */
export interface Row extends WrittenRanges {
  readonly line: number;
  /** In lower case. */
  readonly registry: string;
  readonly kind: Kind;
  readonly batch: string;
  readonly volume: bigint;
  /** `YYYY-MM-DD`. Undefined for unknown date formats too. */
  readonly day: string | undefined;
  readonly vintage: number;
  readonly project: string | undefined;
  readonly country: string | undefined;
  readonly beneficiary: string | undefined;
  readonly purpose: string | undefined;
}

/** Whole numbers, also as `1,234` and `1234.0`. */
const QUANTITY = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.0+)?$/;

/**
 * Validates one row.
 * @param cell text of a column, undefined if the file lacks it
 * @throws RowError with the first error
 */
export function readRow(line: number, cell: (column: Column) => string | undefined): Row {
  const text = (column: Column): string | undefined => {
    const value = cell(column);
    return value === undefined ? undefined : normalizeText(value) || undefined;
  };
  const needed = (column: Column): string => {
    const value = text(column);
    if (value === undefined) throw new RowError(`${column} is missing`);
    return value;
  };
  // Registries vary the case of their own names.
  const registry = needed('registry').toLowerCase();
  const kind = parseKind(needed('kind'));
  const batch = needed('batch');
  const written = parseRanges(cell('start'), cell('end'));
  const volume = sumVolumes(written.ranges.map(countCertificates));
  const quantity = parseQuantity(needed('quantity'));
  if (quantity !== volume) throw new RowError(`quantity is ${quantity}, but ${sumText(written.ranges)} is ${volume}`);
  const date = text('date');
  const day = date === undefined ? undefined : parseDay(date);
  return {
    line,
    registry,
    kind,
    batch,
    ...written,
    volume,
    day,
    vintage: parseVintage(text('vintage'), day),
    project: text('project'),
    country: text('country'),
    beneficiary: text('beneficiary'),
    purpose: text('purpose'),
  };
}

function parseKind(cell: string): Kind {
  const kind = kinds.find((name) => name === cell.toLowerCase());
  if (!kind) throw new RowError(`kind ${quote(cell)} is not one of ${kinds.join(', ')}`);
  return kind;
}

function parseQuantity(cell: string): bigint {
  if (!QUANTITY.test(cell)) throw new RowError(`quantity ${quote(cell)} is not a whole number`);
  return BigInt(cell.replace(/\..*/, '').replaceAll(',', ''));
}

/** Expression for the expected quantity in messages. */
const sumText = (ranges: readonly SerialRange[]): string =>
  ranges.length === 1 ? 'end − start + 1' : `the sum of its ${ranges.length} ranges`;

/** Year of the vintage cell, or else of the day. */
function parseVintage(cell: string | undefined, day: string | undefined): number {
  const source = cell ?? day;
  const year = source === undefined ? undefined : parseYear(source);
  if (year !== undefined) return year;
  throw new RowError(cell === undefined ? 'vintage and date are missing' : `vintage ${quote(cell)} is not a year`);
}

const ISO = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ].*)?$/;
const AMERICAN = /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?: +\d{1,2}:\d{2}(?::\d{2})?(?: *[AP]M)?)?$/i;
const YEAR = /(?<!\d)(?:19|2\d)\d{2}(?!\d)/;
const YEAR_AT_LEAST = 1900;

/** A period in API format. */
interface Period {
  readonly start: string;
  readonly end: string;
}

/** Day of a date cell as `YYYY-MM-DD`. Accepts ISO 8601, `M/D/YYYY` and `MM/DD/YYYY`, and ignores the time. */
export function parseDay(cell: string): string | undefined {
  const { year, month, day } = (ISO.exec(cell) ?? AMERICAN.exec(cell))?.groups ?? {};
  if (!year || !month || !day || Number(year) < YEAR_AT_LEAST) return undefined;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  // JavaScript parses 30 February as 1 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** Year of a vintage cell, the first year if there are several. */
export function parseYear(cell: string): number | undefined {
  const [year] = YEAR.exec(cell) ?? [];
  return year === undefined ? undefined : Number(year);
}

/** @param day as `YYYY-MM-DD` */
export const toDayPeriod = (day: string): Period => ({ start: `${day}T00:00:00.000Z`, end: `${day}T23:59:59.999Z` });

export const toYearPeriod = (year: number): Period => ({
  start: `${year}-01-01T00:00:00.000Z`,
  end: `${year}-12-31T23:59:59.999Z`,
});
