import { MAX_SERIAL_DIGITS, type SerialRange } from '@saleschannel/primitives';
import { quote } from '../text.ts';

/** A row that was not applied, and why. `line` counts from 1. */
export interface RowProblem {
  readonly line: number;
  readonly reason: string;
}

/** An unusable row. The message states the reason. */
export class RowError extends Error {
  override name = 'RowError';
}

/** Serial ranges of one row, and their format. */
export interface WrittenRanges {
  readonly ranges: readonly SerialRange[];
  /** Distinct numbers of digits. */
  readonly widths: readonly number[];
  /** Number of digits of all serials, if any has a leading zero. It then applies to the whole issuance. */
  readonly fixedWidth: number | undefined;
}

/** Both ends of a range, as written. */
interface WrittenRange {
  readonly start: string;
  readonly end: string;
}

const SEPARATORS = /[\s;,|/]+/u;
/** Matches blanks only from the first blank, because matching from each blank takes quadratic time. */
const DASH = /(?<!\s)\s*[-–—]\s*/gu;

/** Ranges in the start and end cells of a row, in order. @throws RowError */
export function parseRanges(startCell: string | undefined, endCell: string | undefined): WrittenRanges {
  const written = splitRanges(startCell, endCell);
  const ranges = written.map(parseRange);
  const texts = written.flatMap(({ start, end }) => [start, end]);
  const widths = [...new Set(texts.map((text) => text.length))];
  const hasLeadingZeros = texts.some((text) => text.length > 1 && text.startsWith('0'));
  if (hasLeadingZeros && widths.length > 1)
    throw new RowError('serials with leading zeros must all have the same number of digits');
  if (hasOverlap(ranges)) throw new RowError('the ranges of the row overlap');
  return { ranges, widths, fixedWidth: hasLeadingZeros ? widths[0] : undefined };
}

/** Pairs the values of the two cells, or splits `a-b` in the first cell if the second is empty. */
function splitRanges(startCell: string | undefined, endCell: string | undefined): WrittenRange[] {
  const ends = splitValues(endCell);
  if (ends.length === 0) {
    const values = splitValues(startCell?.replaceAll(DASH, '-'));
    if (values.length === 0) throw new RowError('start and end are missing');
    return values.map(splitRange);
  }
  const starts = splitValues(startCell);
  if (starts.length === 0) throw new RowError('start is missing');
  if (starts.length !== ends.length)
    throw new RowError(`start has ${starts.length} serials, but end has ${ends.length}`);
  return starts.flatMap((start, index) => {
    const end = ends[index];
    return end === undefined ? [] : [{ start, end }];
  });
}

const splitValues = (cell: string | undefined): string[] =>
  cell?.split(SEPARATORS).filter((value) => value !== '') ?? [];

function splitRange(value: string): WrittenRange {
  const [start, end, ...others] = value.split('-');
  if (start === undefined || end === undefined) throw new RowError('end is missing');
  if (others.length > 0) throw new RowError(`${quote(value)} is not a serial range`);
  return { start, end };
}

function parseRange({ start, end }: WrittenRange): SerialRange {
  const range = { first: parseSerial(start, 'start'), last: parseSerial(end, 'end') };
  if (range.last < range.first) throw new RowError(`end ${end} is below start ${start}`);
  return range;
}

function parseSerial(text: string, column: string): bigint {
  if (!/^[0-9]+$/.test(text)) throw new RowError(`${column} ${quote(text)} is not a serial, which has only digits`);
  if (text.length > MAX_SERIAL_DIGITS)
    throw new RowError(`${column} has ${text.length} digits; a serial has at most ${MAX_SERIAL_DIGITS}`);
  return BigInt(text);
}

function hasOverlap(ranges: readonly SerialRange[]): boolean {
  const sorted = ranges.toSorted(compareByFirst);
  return sorted.some(({ first }, index) => {
    const before = sorted[index - 1];
    return before !== undefined && first <= before.last;
  });
}

/** Compares ranges by first serial. */
export const compareByFirst = (a: SerialRange, b: SerialRange): number =>
  a.first < b.first ? -1 : a.first > b.first ? 1 : 0;

export const sumVolumes = (values: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const value of values) total += value;
  return total;
};
