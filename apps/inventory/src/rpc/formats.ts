import type { RequestOf } from '@saleschannel/grpc';
import {
  certificateIdLead,
  csvHeader,
  csvRow,
  formatCertificateRef,
  formatSerial,
  rangeVolume,
  type CsvColumns,
} from '@saleschannel/primitives';
import type { LineView, TransactionView } from '../store/transaction-views.ts';
import type { ListedBundle } from '../store/inventory-lists.ts';
import { endsOf, listableAssets, renderForChannel } from './messages.ts';

/** The formats in which lists are written (ADR 39). Rows become text here alone, where their numbers are exact. */

type Format = RequestOf<'inventory.ListInventory'>['format'];

/** How a list is written in one format. */
interface ListForm<Row> {
  readonly render: (row: Row) => string;
  /** What stands around the rows. Undefined for JSON. */
  readonly frame: { readonly start: string; readonly between: string; readonly end: string } | undefined;
  /** To be said of the list. */
  readonly about: { readonly format?: 'LIST_FORMAT_CSV' };
}

const asJson = <Row>(render: (row: Row) => string): ListForm<Row> => ({ render, frame: undefined, about: {} });

const asCsv = <Row>(columns: CsvColumns<never>, render: (row: Row) => string): ListForm<Row> => ({
  render,
  frame: { start: csvHeader(columns), between: '', end: '' },
  about: { format: 'LIST_FORMAT_CSV' },
});

const isCsv = (format: Format): boolean => format === 'LIST_FORMAT_CSV';

/** The serials of a bundle as they are written. */
const serialsOf = ({ first, last, issuance: { serialWidth: width } }: ListedBundle) => ({
  start: formatSerial(BigInt(first), { width }),
  end: formatSerial(BigInt(last), { width }),
});

const assetColumns: CsvColumns<ListedBundle> = {
  volume: ({ first, last }) => String(rangeVolume({ first: BigInt(first), last: BigInt(last) })),
  productionFacilityId: ({ issuance }) => issuance.facilityId,
  supplierId: ({ issuance }) => issuance.supplierId,
  methodologyCode: ({ issuance }) => issuance.methodologyCode,
  issuingDate: ({ issuance }) => issuance.issuingDate,
  expirationDate: ({ issuance }) => issuance.expirationDate,
  creditTypeId: ({ issuance }) => issuance.creditTypeId,
  standard: ({ issuance }) => issuance.standard,
  countryCode: ({ issuance }) => issuance.countryCode,
  productionStartDate: ({ issuance }) => issuance.productionStartDate,
  productionEndDate: ({ issuance }) => issuance.productionEndDate,
  vintage: ({ issuance }) => String(issuance.vintage),
  issuanceId: ({ issuance }) => issuance.issuanceId,
  certificates(bundle) {
    const { start, end } = serialsOf(bundle);
    return `${certificateIdLead(bundle.issuance)}${start}-${end}`;
  },
  start: (bundle) => formatCertificateRef(bundle.issuance.issuanceId, serialsOf(bundle).start),
  end: (bundle) => formatCertificateRef(bundle.issuance.issuanceId, serialsOf(bundle).end),
};

/** The bundles of an inventory. In CSV a record for each. */
export const assetForm = (format: Format): ListForm<ListedBundle> =>
  isCsv(format) ? asCsv(assetColumns, (bundle) => csvRow(assetColumns, bundle)) : asJson(listableAssets());

interface TransactionLine {
  readonly transaction: TransactionView;
  readonly line: LineView;
}

const lineColumns: CsvColumns<TransactionLine> = {
  id: ({ transaction }) => transaction.id,
  type: ({ transaction }) => transaction.type,
  sellerId: ({ transaction }) => transaction.sellerId,
  buyerId: ({ transaction }) => transaction.buyerId,
  status: ({ transaction }) => transaction.status,
  createdAt: ({ transaction }) => transaction.createdAt,
  completedAt: ({ transaction }) => transaction.completedAt,
  currency: ({ transaction }) => transaction.currency,
  start: ({ line }) => endsOf(line, line.first, line.last).start,
  end: ({ line }) => endsOf(line, line.first, line.last).end,
  unitPrice: ({ line }) => line.unitPrice,
  volume: ({ line }) => String(rangeVolume({ first: BigInt(line.first), last: BigInt(line.last) })),
};

const recordsOf = (transaction: TransactionView): string =>
  transaction.lines.map((line) => csvRow(lineColumns, { transaction, line })).join('');

/** The transactions of a sales channel. In CSV a record for each of their assets. */
export const transactionForm = (format: Format): ListForm<TransactionView> =>
  isCsv(format) ? asCsv(lineColumns, recordsOf) : asJson(renderForChannel);
