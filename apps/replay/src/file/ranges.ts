import { shown } from '../text.ts';

export interface SerialRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** The serial ranges of one row, and how they were written. */
export interface WrittenRanges {
  readonly ranges: readonly SerialRange[];
  /** Numbers of digits that occur, without repetition. */
  readonly widths: readonly number[];
  /** Such serials are of the old form: all of an issuance have the same number of digits. */
  readonly hasLeadingZeros: boolean;
}

/** The row cannot be used, for the reason in the message. */
export class BadRow extends Error {
  override name = 'BadRow';
}

export const SERIAL_DIGITS_AT_MOST = 38;
const SEPARATORS = /[\s;,|/]+/u;
const DASH = /\s*[-–—]\s*/gu;

const valuesOf = (cell: string): string[] =>
  cell
    .trim()
    .split(SEPARATORS)
    .filter((value) => value !== '');

/** Pairs of first and last serial: values at the same places of the two cells, or `a-b` in the first when the second is empty. */
function pairsOf(startCell: string, endCell: string): [string, string][] {
  const ends = valuesOf(endCell);
  if (ends.length === 0) {
    const values = valuesOf(startCell.replaceAll(DASH, '-'));
    if (values.length === 0) throw new BadRow('start and end are missing');
    return values.map((value) => {
      const pair = value.split('-');
      if (pair.length !== 2)
        throw new BadRow(pair.length === 1 ? 'end is missing' : `${shown(value)} is not a serial range`);
      return pair as [string, string];
    });
  }
  const starts = valuesOf(startCell);
  if (starts.length === 0) throw new BadRow('start is missing');
  if (starts.length !== ends.length) throw new BadRow(`start holds ${starts.length} serials, end holds ${ends.length}`);
  return starts.map((start, index) => [start, ends[index]!]);
}

function serialOf(text: string, column: string): bigint {
  if (!/^[0-9]+$/.test(text))
    throw new BadRow(`${column} ${shown(text)} is not a serial: it holds other characters than digits`);
  if (text.length > SERIAL_DIGITS_AT_MOST)
    throw new BadRow(`${column} has ${text.length} digits; a serial has at most ${SERIAL_DIGITS_AT_MOST}`);
  if (text === '0') throw new BadRow(`${column} is 0; serials count from 1`);
  return BigInt(text);
}

const isPadded = (text: string): boolean => text.startsWith('0');

/**
 * The ranges that the start and end cells of a row hold, in their order.
 * @throws BadRow
 */
export function rangesOf(startCell: string, endCell: string): WrittenRanges {
  const pairs = pairsOf(startCell, endCell);
  const ranges = pairs.map(([start, end]) => {
    const range = { first: serialOf(start, 'start'), last: serialOf(end, 'end') };
    if (range.last < range.first) throw new BadRow(`end ${end} is below start ${start}`);
    return range;
  });
  const texts = pairs.flat();
  const widths = [...new Set(texts.map((text) => text.length))];
  const hasLeadingZeros = texts.some(isPadded);
  if (hasLeadingZeros && widths.length > 1)
    throw new BadRow('serials with leading zeros must all have the same number of digits');
  const sorted = ranges.toSorted(byFirst);
  if (sorted.some((range, index) => index > 0 && range.first <= sorted[index - 1]!.last))
    throw new BadRow('the ranges of the row overlap');
  return { ranges, widths, hasLeadingZeros };
}

export const volumeOf = ({ first, last }: SerialRange): bigint => last - first + 1n;
export const byFirst = (a: SerialRange, b: SerialRange): number => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0);
export const totalOf = (values: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const value of values) total += value;
  return total;
};
