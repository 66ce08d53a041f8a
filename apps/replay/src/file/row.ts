import { clean, shown } from '../text.ts';
import { dayOf, yearOf } from './dates.ts';
import { BadRow, rangesOf, totalOf, volumeOf, type SerialRange, type WrittenRanges } from './ranges.ts';

export const kinds = ['issuance', 'retirement', 'cancellation'] as const;
export type Kind = (typeof kinds)[number];

export const neededColumns = ['registry', 'kind', 'batch', 'start', 'end', 'quantity'] as const;
export const optionalColumns = ['date', 'vintage', 'project', 'country', 'beneficiary', 'purpose'] as const;
export type Column = (typeof neededColumns)[number] | (typeof optionalColumns)[number];

/** One row of the file that can be used. Texts are clean, and empty when their cell is. */
export interface Row extends WrittenRanges {
  readonly line: number;
  readonly registry: string;
  readonly kind: Kind;
  readonly batch: string;
  readonly volume: bigint;
  /** `YYYY-MM-DD`; undefined when the cell is empty or in no known form. */
  readonly day: string | undefined;
  readonly vintage: number;
  readonly project: string;
  readonly country: string;
  readonly beneficiary: string;
  readonly purpose: string;
}

/** Whole numbers, also as `1,234` and `1234.0`. */
const QUANTITY = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.0+)?$/;

function quantityOf(cell: string): bigint {
  if (cell === '') throw new BadRow('quantity is missing');
  if (!QUANTITY.test(cell)) throw new BadRow(`quantity ${shown(cell)} is not a whole number`);
  return BigInt(cell.replace(/\..*/, '').replaceAll(',', ''));
}

function kindOf(cell: string): Kind {
  const kind = kinds.find((name) => name === cell.toLowerCase());
  if (!kind)
    throw new BadRow(cell === '' ? 'kind is missing' : `kind ${shown(cell)} is not one of ${kinds.join(', ')}`);
  return kind;
}

function vintageOf(cell: string, day: string | undefined): number {
  const year = cell === '' && day ? yearOf(day) : yearOf(cell);
  if (year === undefined)
    throw new BadRow(cell === '' ? 'there is neither a vintage nor a date' : `vintage ${shown(cell)} is not a year`);
  return year;
}

/** How the reasons name the sum that the quantity should be. */
const sumText = (ranges: readonly SerialRange[]): string =>
  ranges.length === 1 ? 'end − start + 1' : `the sum of its ${ranges.length} ranges`;

/**
 * Checks one row by itself.
 * @param cell the text of a column, empty for a column that the file lacks
 * @throws BadRow with the first thing that is wrong
 */
export function readRow(line: number, cell: (column: Column) => string): Row {
  const text = (column: Column): string => clean(cell(column));
  // Registries differ in how they write their own names, not in upper and lower case.
  const registry = text('registry').toLowerCase();
  if (registry === '') throw new BadRow('registry is missing');
  const kind = kindOf(text('kind'));
  const batch = text('batch');
  if (batch === '') throw new BadRow('batch is missing');
  const written = rangesOf(cell('start'), cell('end'));
  const volume = totalOf(written.ranges.map(volumeOf));
  const quantity = quantityOf(text('quantity'));
  if (quantity !== volume) throw new BadRow(`quantity is ${quantity}, but ${sumText(written.ranges)} is ${volume}`);
  const day = dayOf(text('date'));
  return {
    line,
    registry,
    kind,
    batch,
    ...written,
    volume,
    day,
    vintage: vintageOf(text('vintage'), day),
    project: text('project'),
    country: text('country'),
    beneficiary: text('beneficiary'),
    purpose: text('purpose'),
  };
}
