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
import type { Expansions } from '../domain/expansion.ts';
import type { NamedTransaction } from '../operations/with-names.ts';
import type { OwnedBundleView } from '../store/bundle-views.ts';
import type { Holding } from '../store/holding-lists.ts';
import type { ListedBundle } from '../store/inventory-lists.ts';
import type { LineView, TransactionView } from '../store/transaction-views.ts';
import { expandedColumns, expandedMembers, type ExpandedTransaction } from './expansion-messages.ts';
import {
  certificateIdOf,
  channelMembersOf,
  endsOf,
  holderMembersOf,
  holdingTexts,
  listableAssets,
  registryMembersOf,
  volumeOf,
  type Frame,
} from './messages.ts';

/** The formats in which lists are written (ADR 39). Rows become text here alone, where their numbers are exact. */

export type Format = RequestOf<'inventory.ListInventory'>['format'];

/** How a list is written in one format. */
export interface ListForm<Row> {
  readonly render: (row: Row) => string;
  /** What stands around the rows. Undefined for JSON. */
  readonly frame: Frame | undefined;
  /** To be said of the list. */
  readonly about: { readonly format?: 'LIST_FORMAT_CSV'; readonly expanded?: true };
}

export const asJson = <Row>(render: (row: Row) => string): ListForm<Row> => ({ render, frame: undefined, about: {} });

export const asCsv = <Row>(columns: CsvColumns<never>, render: (row: Row) => string): ListForm<Row> => ({
  render,
  frame: { start: csvHeader(columns), between: '', end: '' },
  about: { format: 'LIST_FORMAT_CSV' },
});

export const isCsv = (format: Format): boolean => format === 'LIST_FORMAT_CSV';

/** The serials of a bundle as they are written. */
const serialsOf = ({
  first,
  last,
  issuance: { serialWidth: width },
}: Pick<ListedBundle, 'first' | 'last' | 'issuance'>) => ({
  start: formatSerial(BigInt(first), { width }),
  end: formatSerial(BigInt(last), { width }),
});

const assetColumns = {
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
} satisfies CsvColumns<ListedBundle>;

/** The bundles of an inventory. In CSV a record for each. */
export const assetForm = (format: Format): ListForm<ListedBundle> =>
  isCsv(format) ? asCsv(assetColumns, (bundle) => csvRow(assetColumns, bundle)) : asJson(listableAssets());

const holdingColumns: CsvColumns<Holding> = {
  issuanceId: ({ issuance }) => issuance.issuanceId,
  vintage: ({ issuance }) => String(issuance.vintage),
  productionFacilityId: ({ issuance }) => issuance.facilityId,
  productionFacilityCode: ({ issuance }) => issuance.facilityCode,
  productionFacilityName: ({ issuance }) => issuance.facilityName,
  methodologyCode: ({ issuance }) => issuance.methodologyCode,
  countryCode: ({ issuance }) => issuance.countryCode,
  issuingDate: ({ issuance }) => issuance.issuingDate,
  expirationDate: ({ issuance }) => issuance.expirationDate,
  volume: assetColumns.volume,
  certificates: assetColumns.certificates,
  start: assetColumns.start,
  end: assetColumns.end,
  state: ({ state }) => state,
  salesChannelId: ({ trader }) => trader?.salesChannelId ?? null,
  traderId: ({ trader }) => trader?.traderId ?? null,
};

/** The bundles of an account holder. In CSV a record for each. */
export const holdingForm = (format: Format): ListForm<Holding> =>
  isCsv(format) ? asCsv(holdingColumns, (holding) => csvRow(holdingColumns, holding)) : asJson(holdingTexts());

const ownerTypeOf = ({ salesChannelId }: OwnedBundleView): string =>
  salesChannelId === null ? 'ACCOUNT_HOLDER' : 'TRADER';

const statusOf = ({ state }: OwnedBundleView): string => (state === 'OFFRAMPED' ? 'HELD' : state);

const certificateColumns: CsvColumns<OwnedBundleView> = {
  certificateId: certificateIdOf,
  issuanceId: ({ issuanceId }) => issuanceId,
  start: (bundle) => endsOf(bundle, bundle.first, bundle.last).start,
  end: (bundle) => endsOf(bundle, bundle.first, bundle.last).end,
  volume: ({ first, last }) => String(rangeVolume({ first: BigInt(first), last: BigInt(last) })),
  ownerType: ownerTypeOf,
  ownerId: ({ ownerId }) => ownerId,
  salesChannelId: ({ salesChannelId }) => salesChannelId,
  status: statusOf,
  expirationDate: ({ expirationDate }) => expirationDate,
};

const renderCertificate = (bundle: OwnedBundleView): string =>
  JSON.stringify({
    certificateId: certificateIdOf(bundle),
    issuanceId: bundle.issuanceId,
    ...endsOf(bundle, bundle.first, bundle.last),
    volume: volumeOf(bundle),
    ownerType: ownerTypeOf(bundle),
    ownerId: bundle.ownerId,
    salesChannelId: bundle.salesChannelId,
    status: statusOf(bundle),
    expirationDate: bundle.expirationDate,
  });

/** The active bundles of the registry. In CSV a record for each. */
export const certificateForm = (format: Format): ListForm<OwnedBundleView> =>
  isCsv(format) ? asCsv(certificateColumns, (bundle) => csvRow(certificateColumns, bundle)) : asJson(renderCertificate);

interface TransactionLine<View extends TransactionView = TransactionView> {
  readonly transaction: View;
  readonly line: LineView;
}

const lineColumns = {
  start: ({ line }: TransactionLine) => endsOf(line, line.first, line.last).start,
  end: ({ line }: TransactionLine) => endsOf(line, line.first, line.last).end,
  unitPrice: ({ line }: TransactionLine) => line.unitPrice,
  volume: ({ line }: TransactionLine) => String(rangeVolume({ first: BigInt(line.first), last: BigInt(line.last) })),
};

/** A record for each line of a transaction, which says the transaction again. */
const perLine = <View extends TransactionView>(columns: CsvColumns<View>): CsvColumns<TransactionLine<View>> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, fieldOf]) => [name, ({ transaction }) => fieldOf(transaction)]),
  );

const channelColumns: CsvColumns<TransactionLine> = {
  id: ({ transaction }) => transaction.id,
  type: ({ transaction }) => transaction.type,
  sellerId: ({ transaction }) => transaction.sellerId,
  buyerId: ({ transaction }) => transaction.buyerId,
  status: ({ transaction }) => transaction.status,
  createdAt: ({ transaction }) => transaction.createdAt,
  completedAt: ({ transaction }) => transaction.completedAt,
  currency: ({ transaction }) => transaction.currency,
  ...lineColumns,
};

const holderColumns: CsvColumns<TransactionLine<NamedTransaction>> = {
  transactionId: ({ transaction }) => transaction.id,
  type: ({ transaction }) => transaction.type,
  status: ({ transaction }) => transaction.status,
  salesChannelId: ({ transaction }) => transaction.salesChannelId,
  salesChannelName: ({ transaction }) => transaction.salesChannelName,
  sellerId: ({ transaction }) => transaction.sellerId,
  sellerName: ({ transaction }) => transaction.sellerName,
  buyerId: ({ transaction }) => transaction.buyerId,
  buyerName: ({ transaction }) => transaction.buyerName,
  createdAt: ({ transaction }) => transaction.createdAt,
  completedAt: ({ transaction }) => transaction.completedAt,
  currency: ({ transaction }) => transaction.currency,
  ...lineColumns,
};

const registryColumns: CsvColumns<TransactionLine> = {
  transactionId: ({ transaction }) => transaction.id,
  type: ({ transaction }) => transaction.type,
  status: ({ transaction }) => transaction.status,
  salesChannelId: ({ transaction }) => transaction.salesChannelId,
  sellerId: ({ transaction }) => transaction.sellerId,
  buyerId: ({ transaction }) => transaction.buyerId,
  createdAt: ({ transaction }) => transaction.createdAt,
  completedAt: ({ transaction }) => transaction.completedAt,
  currency: ({ transaction }) => transaction.currency,
  ...lineColumns,
};

/** How one kind of reader sees transactions. */
interface TransactionLook<View extends TransactionView> {
  readonly columns: CsvColumns<TransactionLine<View>>;
  readonly membersOf: (transaction: View) => object;
}

const formOf =
  <View extends ExpandedTransaction>({ columns, membersOf }: TransactionLook<View>) =>
  (format: Format, expand: Expansions): ListForm<View> => {
    const said = expand.length === 0 ? {} : { expanded: true as const };
    if (!isCsv(format)) {
      const form = asJson<View>((transaction) =>
        JSON.stringify({ ...membersOf(transaction), ...expandedMembers(expand, transaction) }),
      );
      return { ...form, about: { ...form.about, ...said } };
    }
    const all: CsvColumns<TransactionLine<View>> = { ...columns, ...perLine<View>(expandedColumns(expand)) };
    const form = asCsv<View>(all, (transaction) =>
      transaction.lines.map((line) => csvRow(all, { transaction, line })).join(''),
    );
    return { ...form, about: { ...form.about, ...said } };
  };

/** The transactions of a sales channel. In CSV a record for each of their assets. */
export const transactionForm = formOf<ExpandedTransaction>({ columns: channelColumns, membersOf: channelMembersOf });

/** The transactions of an account holder, in the same way. */
export const holderTransactionForm = formOf<NamedTransaction>({ columns: holderColumns, membersOf: holderMembersOf });

/** All transactions, for the registry, in the same way. */
export const registryTransactionForm = formOf<ExpandedTransaction>({
  columns: registryColumns,
  membersOf: registryMembersOf,
});
