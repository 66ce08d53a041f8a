import type { SerialForm, SerialRange } from '@saleschannel/primitives';
import { quote } from '../text.ts';
import { compareByFirst, RowError, type RowProblem } from './ranges.ts';
import type { Row } from './row.ts';

/** Rows of one issuance, which registries call a batch. */
export interface Batch {
  readonly registry: string;
  readonly batch: string;
  /** In file order. */
  readonly rows: readonly Row[];
  /** Row with the lowest serial. */
  readonly lead: Row;
  /** From the lowest start to the highest end. */
  readonly range: SerialRange;
  /** Format of the serials. */
  readonly form: SerialForm;
}

/** API limit per issuance. */
const ISSUANCE_VOLUME_AT_MOST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Groups rows into issuances. Of two contradicting rows, the later row is bad.
 * @param rows in file order
 */
export function groupBatches(rows: readonly Row[]): { batches: Batch[]; bad: RowProblem[] } {
  const widths = new Map<string, number>();
  for (const row of rows) {
    const key = batchKey(row);
    if (row.fixedWidth !== undefined && !widths.has(key)) widths.set(key, row.fixedWidth);
  }
  const builders = new Map<string, BatchBuilder>();
  const bad: RowProblem[] = [];
  for (const row of rows) {
    const key = batchKey(row);
    const builder = builders.get(key) ?? new BatchBuilder(widths.get(key) ?? 0);
    builders.set(key, builder);
    try {
      builder.add(row);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      bad.push({ line: row.line, reason: error.message });
    }
  }
  return { batches: [...builders.values()].flatMap((builder) => builder.batch() ?? []), bad };
}

/** Identifies an issuance across registries. */
const batchKey = ({ registry, batch }: Row): string => JSON.stringify([registry, batch]);

/** Range so far, and the row with its lowest serial. */
type Span = Pick<Batch, 'range' | 'lead'>;

/** A range occupied by a row. */
interface OccupiedRange extends SerialRange {
  readonly row: Row;
}

/** Collects the rows of one batch, and refuses rows that contradict earlier rows. */
class BatchBuilder {
  readonly #rows: Row[] = [];
  /** Digits per serial, or 0 for plain numbers. */
  readonly #width: number;
  /** Sorted by first serial, without overlaps. */
  readonly #issued: OccupiedRange[] = [];
  readonly #moved: OccupiedRange[] = [];
  #span: Span | undefined;

  constructor(width: number) {
    this.#width = width;
  }

  /** @throws RowError */
  add(row: Row): void {
    if (this.#width > 0 && row.widths.some((width) => width !== this.#width)) {
      const batch = quote(row.batch);
      throw new RowError(`serials of batch ${batch} have leading zeros, so they all must have ${this.#width} digits`);
    }
    for (const range of row.ranges) this.#assertFree(row, range);
    this.#span = this.#spanWith(row);
    const list = row.kind === 'issuance' ? this.#issued : this.#moved;
    for (const range of row.ranges) list.splice(insertionIndex(list, range), 0, { ...range, row });
    this.#rows.push(row);
  }

  /** Undefined without usable rows. */
  batch(): Batch | undefined {
    if (!this.#span) return undefined;
    const { registry, batch } = this.#span.lead;
    return { registry, batch, rows: this.#rows, ...this.#span, form: { width: this.#width } };
  }

  /** Rows may overlap only if one issues certificates and the other moves them. */
  #assertFree(row: Row, range: SerialRange): void {
    const isIssuance = row.kind === 'issuance';
    for (const other of overlapping(isIssuance ? this.#issued : this.#moved, range)) throw overlapError(range, other);
    for (const other of overlapping(isIssuance ? this.#moved : this.#issued, range)) {
      const isWithin = isIssuance ? contains(range, other) : contains(other, range);
      if (!isWithin) throw overlapError(range, other);
    }
  }

  #spanWith(row: Row): Span | undefined {
    const span = row.ranges.reduce<Span | undefined>((before, range) => widen(before, range, row), this.#span);
    if (span && span.range.last - span.range.first >= ISSUANCE_VOLUME_AT_MOST)
      throw new RowError(
        `with this row, batch ${quote(row.batch)} would span more than ${ISSUANCE_VOLUME_AT_MOST} certificates, ` +
          'the maximum of an issuance',
      );
    return span;
  }
}

function widen(span: Span | undefined, by: SerialRange, row: Row): Span {
  if (!span) return { range: by, lead: row };
  const { first, last } = span.range;
  return {
    lead: by.first < first ? row : span.lead,
    range: { first: by.first < first ? by.first : first, last: by.last > last ? by.last : last },
  };
}

const overlapError = (range: SerialRange, other: OccupiedRange): RowError =>
  new RowError(`${range.first}–${range.last} overlaps ${other.first}–${other.last} of line ${other.row.line}`);

const contains = (outer: SerialRange, inner: SerialRange): boolean =>
  outer.first <= inner.first && inner.last <= outer.last;

function* overlapping(list: readonly OccupiedRange[], range: SerialRange): Generator<OccupiedRange> {
  const index = insertionIndex(list, range);
  const before = list[index - 1];
  if (before && before.last >= range.first) yield before;
  for (let at = index; ; at++) {
    const other = list[at];
    if (!other || other.first > range.last) return;
    yield other;
  }
}

/** Index of the first range that begins after this range. Binary search, because a batch may have many ranges. */
function insertionIndex(list: readonly SerialRange[], range: SerialRange): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other && compareByFirst(other, range) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
