import type { ListPart } from '@saleschannel/database';
import type { RequestOf, ResponseOf } from '@saleschannel/grpc';
import {
  formatCertificateId,
  formatCsvHeader,
  formatCertificateRef,
  formatSerial,
  countCertificates,
  type CsvColumns,
} from '@saleschannel/primitives';
import type { BundleView } from '../store/bundle-views.ts';
import type { BundleSum } from '../store/summaries.ts';

/** JSON documents, and lists in JSON or CSV (ADR 39). Rows become text only here, where their numbers are exact. */

type JsonDocument = ResponseOf<'inventory.GetTransaction'>;
type JsonChunk = ResponseOf<'inventory.ListInventory'>;
type JsonRows = ResponseOf<'inventory.PageTransactions'>;

declare global {
  interface JSON {
    /** Makes `stringify` write exactly this text. TypeScript's library does not declare it yet. */
    rawJSON(text: string): unknown;
  }
}

/** A JSON number with exactly these digits, never converted to floating point. */
export const toExactNumber = (text: string): unknown => JSON.rawJSON(text);

export const toTextDocument = (text: string): JsonDocument => ({ data: Buffer.from(text) });

export const toJsonDocument = (value: object): JsonDocument => toTextDocument(JSON.stringify(value));

export type Format = RequestOf<'inventory.ListInventory'>['format'];

/** Text around and between the rows of a list. */
interface Frame {
  readonly start: string;
  readonly between: string;
  readonly end: string;
}

/** How a list is written in one format. */
export interface ListForm<Row> {
  readonly render: (row: Row) => string;
  readonly frame: Frame;
  /** Members of the first message of the list. */
  readonly header: { readonly format?: 'LIST_FORMAT_CSV'; readonly expanded?: true };
}

export const createJsonForm = <Row>(render: (row: Row) => string): ListForm<Row> => ({
  render,
  frame: { start: '[', between: ',', end: ']' },
  header: {},
});

export const createCsvForm = <Row>(columns: CsvColumns<never>, render: (row: Row) => string): ListForm<Row> => ({
  render,
  frame: { start: formatCsvHeader(columns), between: '', end: '' },
  header: { format: 'LIST_FORMAT_CSV' },
});

export const isCsv = (format: Format): boolean => format === 'LIST_FORMAT_CSV';

/** Every process between the ledger and a slow reader buffers a few chunks. */
const CHUNK_CHARACTERS = 65_536;

/**
 * Writes a list in chunks, from pages of rows.
 * @param more members of the first chunk, in addition to the header of the form
 */
export async function* toChunks<Row, More extends object>(
  { render, frame, header }: ListForm<Row>,
  pages: AsyncIterable<readonly Row[]>,
  more: More,
): AsyncGenerator<JsonChunk & Partial<More>> {
  let first: Partial<More> = { ...header, ...more };
  let text = frame.start;
  let isFirstRow = true;
  const flush = (): JsonChunk & Partial<More> => {
    const chunk = { ...first, ...toTextDocument(text) };
    first = {};
    text = '';
    return chunk;
  };
  for await (const rows of pages) {
    for (const row of rows) {
      text += (isFirstRow ? '' : frame.between) + render(row);
      isFirstRow = false;
      if (text.length >= CHUNK_CHARACTERS) yield flush();
    }
  }
  text += frame.end;
  yield flush();
}

/** Writes one page of a list. */
export const toRows = <Row>(
  { rows, next }: ListPart<Row>,
  { render, frame, header }: ListForm<Row>,
): JsonRows & ListForm<Row>['header'] => ({
  data: Buffer.from(frame.start + rows.map(render).join(frame.between) + frame.end),
  next,
  ...header,
});

/** The issuance of a certificate, as far as its written form needs it. */
interface SerialIssuance {
  readonly issuanceId: string;
  readonly serialWidth: number;
}

/** `<issuance id>_<serial>`, with the serial in the written form of its issuance. */
export const toCertificateRef = ({ issuanceId, serialWidth: width }: SerialIssuance, serial: string | bigint): string =>
  formatCertificateRef(issuanceId, formatSerial(BigInt(serial), { width }));

/** The members `start` and `end` of a range. */
export const toRangeEnds = (issuance: SerialIssuance, first: string | bigint, last: string | bigint) => ({
  start: toCertificateRef(issuance, first),
  end: toCertificateRef(issuance, last),
});

interface SerialRange {
  readonly first: string | bigint;
  readonly last: string | bigint;
}

/** Number of certificates in a range. */
export const toVolume = ({ first, last }: SerialRange): bigint =>
  countCertificates({ first: BigInt(first), last: BigInt(last) });

/** Number of certificates in all ranges, as a JSON number. */
export const toTotalVolume = (ranges: readonly SerialRange[]): unknown =>
  toExactNumber(String(ranges.reduce((sum, range) => sum + toVolume(range), 0n)));

/** The members `start`, `end` and `volume` of a range. */
export const toRange = (issuance: SerialIssuance, first: string | bigint, last: string | bigint) => ({
  ...toRangeEnds(issuance, first, last),
  volume: toExactNumber(String(toVolume({ first, last }))),
});

/** Certificate id of a whole bundle. */
export const toCertificateId = ({ first, last, serialWidth, ...view }: BundleView): string =>
  formatCertificateId({ ...view, first: BigInt(first), last: BigInt(last), form: { width: serialWidth } });

/** Sums of bundles: in all, and by each facet. */
export function toSummaryDocument<Facet extends string>(
  sums: readonly BundleSum<Facet>[],
  facets: readonly Facet[],
): JsonDocument {
  const toSize = ({ bundles, volume }: BundleSum<Facet>) => ({ bundles, volume: toExactNumber(volume) });
  const selectFacet = (facet: Facet) =>
    sums
      .filter((sum) => sum.facet === facet && sum.value !== null)
      .map((sum) => ({ value: sum.value, ...toSize(sum) }));
  const all = sums.find(({ facet }) => facet === null);
  return toJsonDocument({
    ...(all ? toSize(all) : { bundles: 0, volume: 0 }),
    facets: Object.fromEntries(facets.map((facet) => [facet, selectFacet(facet)])),
  });
}
