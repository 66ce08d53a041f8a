import { shown } from '../text.ts';
import { BadRow, byFirst, type SerialRange } from './ranges.ts';
import type { Row } from './row.ts';

/** The rows of one issuance, in the order of the file. */
export interface Batch {
  readonly registry: string;
  readonly batch: string;
  readonly rows: readonly Row[];
  /** From the least start to the greatest end of the rows. */
  readonly range: SerialRange;
  /** Digits of every serial when the batch is of the old form; 0 for plain numbers. */
  readonly width: number;
}

/** The API's limit for one issuance. */
export const ISSUANCE_VOLUME_AT_MOST = BigInt(Number.MAX_SAFE_INTEGER);

interface Taken extends SerialRange {
  readonly row: Row;
}

/** Collects the rows of one batch, and refuses those that contradict the ones before them. */
class BatchBuilder {
  readonly rows: Row[] = [];
  readonly #width: number;
  /** By first serial; ranges of one list never overlap. */
  readonly #issued: Taken[] = [];
  readonly #moved: Taken[] = [];
  range: SerialRange | undefined;

  constructor(width: number) {
    this.#width = width;
  }

  get width(): number {
    return this.#width;
  }

  /** @throws BadRow */
  add(row: Row): void {
    if (this.#width > 0 && row.widths.some((width) => width !== this.#width)) {
      throw new BadRow(
        `serials of batch ${shown(row.batch)} have leading zeros, so they all must have ${this.#width} digits`,
      );
    }
    for (const range of row.ranges) this.#assertFree(row, range);
    const range = row.ranges.reduce(widened, this.range ?? row.ranges[0]!);
    if (range.last - range.first >= ISSUANCE_VOLUME_AT_MOST) {
      throw new BadRow(
        `with it batch ${shown(row.batch)} would span more than ${ISSUANCE_VOLUME_AT_MOST} certificates, the most that one issuance may have`,
      );
    }
    this.range = range;
    const list = row.kind === 'issuance' ? this.#issued : this.#moved;
    for (const range of row.ranges) list.splice(placeOf(list, range), 0, { ...range, row });
    this.rows.push(row);
  }

  /** Two rows may share certificates only if one says that they were issued, and the other what became of them. */
  #assertFree(row: Row, range: SerialRange): void {
    const isIssuance = row.kind === 'issuance';
    for (const other of overlapping(isIssuance ? this.#issued : this.#moved, range)) throw overlap(range, other);
    for (const other of overlapping(isIssuance ? this.#moved : this.#issued, range)) {
      const isWithin = isIssuance ? contains(range, other) : contains(other, range);
      if (!isWithin) throw overlap(range, other);
    }
  }
}

const overlap = (range: SerialRange, other: Taken): BadRow =>
  new BadRow(`${range.first}–${range.last} overlaps ${other.first}–${other.last} of line ${other.row.line}`);
const contains = (outer: SerialRange, inner: SerialRange): boolean =>
  outer.first <= inner.first && inner.last <= outer.last;
const widened = (range: SerialRange, by: SerialRange): SerialRange => ({
  first: by.first < range.first ? by.first : range.first,
  last: by.last > range.last ? by.last : range.last,
});

/** Index of the first range that begins behind this one's first serial. */
function placeOf(list: readonly SerialRange[], range: SerialRange): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byFirst(list[middle]!, range) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* overlapping(list: readonly Taken[], range: SerialRange): Generator<Taken> {
  const place = placeOf(list, range);
  const before = list[place - 1];
  if (before && before.last >= range.first) yield before;
  for (let at = place; at < list.length && list[at]!.first <= range.last; at++) yield list[at]!;
}

/** Names an issuance among all registries. */
export const batchKey = ({ registry, batch }: { readonly registry: string; readonly batch: string }): string =>
  JSON.stringify([registry, batch]);

/**
 * The issuances of a file. Of two rows that contradict each other the later one is bad.
 * @param rows in the order of the file
 */
export function batchesOf(rows: readonly Row[], onBad: (line: number, reason: string) => void): Batch[] {
  const builders = new Map<string, BatchBuilder>();
  const padded = new Map<string, number>();
  for (const row of rows) {
    const key = batchKey(row);
    if (row.hasLeadingZeros && !padded.has(key)) padded.set(key, row.widths[0]!);
  }
  for (const row of rows) {
    const key = batchKey(row);
    const builder = builders.get(key) ?? new BatchBuilder(padded.get(key) ?? 0);
    builders.set(key, builder);
    try {
      builder.add(row);
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      onBad(row.line, error.message);
    }
  }
  return [...builders.values()].flatMap(({ rows, range, width }) => {
    const [first] = rows;
    return first && range ? [{ registry: first.registry, batch: first.batch, rows, range, width }] : [];
  });
}
