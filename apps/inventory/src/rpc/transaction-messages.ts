import { formatCsvRow, formatInstant, computeTotalPrice, type CsvColumns } from '@saleschannel/primitives';
import type { Expansion, Expansions } from '../domain/list-requests.ts';
import type { NamedTransaction } from '../operations/read-transactions.ts';
import type { LineView, TransactionView } from '../store/transaction-views.ts';
import {
  toCertificateRef,
  createCsvForm,
  toExactNumber,
  isCsv,
  createJsonForm,
  toRange,
  toTotalVolume,
  toVolume,
  type Format,
  type ListForm,
} from './messages.ts';

/** Transactions as sales channels, account holders and the registry see them, in JSON and CSV. */

const toAssets = ({ lines }: TransactionView): object[] =>
  lines.map((line) => {
    const { start, end, volume } = toRange(line, line.first, line.last);
    return { start, end, unitPrice: line.unitPrice === null ? null : toExactNumber(line.unitPrice), volume };
  });

export const toChannelMembers = (transaction: TransactionView): object => ({
  id: transaction.id,
  type: transaction.type,
  sellerId: transaction.sellerId,
  buyerId: transaction.buyerId,
  status: transaction.status,
  createdAt: transaction.createdAt,
  completedAt: transaction.completedAt,
  assets: toAssets(transaction),
  currency: transaction.currency,
});

/** The sales channel's view with the members that only some transactions have. */
export const toDetailMembers = (transaction: TransactionView): object => ({
  ...toChannelMembers(transaction),
  reason: transaction.reason,
  retirement: toRetirement(transaction),
});

export const toRegistryMembers = (transaction: TransactionView): object => ({
  transactionId: transaction.id,
  type: transaction.type,
  status: transaction.status,
  salesChannelId: transaction.salesChannelId,
  sellerId: transaction.sellerId,
  buyerId: transaction.buyerId,
  createdAt: transaction.createdAt,
  completedAt: transaction.completedAt,
  assets: toAssets(transaction),
  currency: transaction.currency,
  retirement: toRetirement(transaction),
});

/** The registry's view with the names of the parties, for an account holder that has to decide. */
export const toHolderMembers = (transaction: NamedTransaction): object => {
  const { sellerName, buyerName, salesChannelName } = transaction;
  return { ...toRegistryMembers(transaction), sellerName, buyerName, salesChannelName };
};

function toRetirement({ retirement }: TransactionView): object | null {
  if (!retirement) return null;
  const { consumptionPeriodStart: start, consumptionPeriodEnd: end, ...rest } = retirement;
  return { ...rest, consumptionPeriod: { start: start && formatInstant(start), end: end && formatInstant(end) } };
}

/** A transaction with everything that its expansions need. */
export type ExpandedTransaction = TransactionView & Partial<Pick<NamedTransaction, 'sellerName' | 'buyerName'>>;

/** Decimal text. Null if an asset has no price. */
const sumPrice = ({ lines }: TransactionView): string | null =>
  computeTotalPrice(lines.map((line) => ({ unitPrice: line.unitPrice, volume: toVolume(line) }))) ?? null;

/** Totals of a transaction. The price is decimal text, because a double cannot hold every price exactly. */
export const toTotals = (transaction: TransactionView): object => ({
  volume: toTotalVolume(transaction.lines),
  price: sumPrice(transaction),
  currency: transaction.currency,
});

/** JSON members that `$expand` adds. */
const expansionMembers: Readonly<Record<Expansion, (transaction: ExpandedTransaction) => object>> = {
  names: ({ sellerName = null, buyerName = null }) => ({ sellerName, buyerName }),
  reference: ({ notes }) => ({ externalReference: notes?.externalReference ?? null }),
  metadata: ({ notes }) => ({ metadata: notes?.metadata ?? {} }),
  retirement: (transaction) => ({ retirement: toRetirement(transaction) }),
  totals: (transaction) => ({ totals: toTotals(transaction) }),
};

const toInstant = (text: string | undefined): string | undefined => (text === undefined ? text : formatInstant(text));

/** CSV columns that `$expand` adds. */
const expansionColumns: Readonly<Record<Expansion, CsvColumns<ExpandedTransaction>>> = {
  names: { sellerName: ({ sellerName }) => sellerName, buyerName: ({ buyerName }) => buyerName },
  reference: { externalReference: ({ notes }) => notes?.externalReference },
  metadata: { metadata: ({ notes }) => (notes?.metadata ? JSON.stringify(notes.metadata) : null) },
  retirement: {
    beneficiaryName: ({ retirement }) => retirement?.['beneficiaryName'],
    beneficiaryLocation: ({ retirement }) => retirement?.['beneficiaryLocation'],
    beneficiaryType: ({ retirement }) => retirement?.['beneficiaryType'],
    consumptionCountryCode: ({ retirement }) => retirement?.['consumptionCountryCode'],
    usageType: ({ retirement }) => retirement?.['usageType'],
    consumptionPeriodStart: ({ retirement }) => toInstant(retirement?.['consumptionPeriodStart']),
    consumptionPeriodEnd: ({ retirement }) => toInstant(retirement?.['consumptionPeriodEnd']),
    retirementPurpose: ({ retirement }) => retirement?.['retirementPurpose'],
  },
  totals: {
    totalVolume: ({ lines }) => String(lines.reduce((sum, line) => sum + toVolume(line), 0n)),
    totalPrice: sumPrice,
  },
};

/** A CSV record: one line of a transaction. */
interface TransactionLine<View extends TransactionView = TransactionView> {
  readonly transaction: View;
  readonly line: LineView;
}

const lineColumns: CsvColumns<TransactionLine> = {
  start: ({ line }) => toCertificateRef(line, line.first),
  end: ({ line }) => toCertificateRef(line, line.last),
  unitPrice: ({ line }) => line.unitPrice,
  volume: ({ line }) => String(toVolume(line)),
};

/** Repeats columns of a transaction in the record of each line. */
const repeatPerLine = <View extends TransactionView>(columns: CsvColumns<View>): CsvColumns<TransactionLine<View>> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, toField]) => [name, ({ transaction }) => toField(transaction)]),
  );

const channelColumns: CsvColumns<TransactionView> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  sellerId: ({ sellerId }) => sellerId,
  buyerId: ({ buyerId }) => buyerId,
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
  completedAt: ({ completedAt }) => completedAt,
  currency: ({ currency }) => currency,
};

const holderColumns: CsvColumns<NamedTransaction> = {
  transactionId: ({ id }) => id,
  type: ({ type }) => type,
  status: ({ status }) => status,
  salesChannelId: ({ salesChannelId }) => salesChannelId,
  salesChannelName: ({ salesChannelName }) => salesChannelName,
  sellerId: ({ sellerId }) => sellerId,
  sellerName: ({ sellerName }) => sellerName,
  buyerId: ({ buyerId }) => buyerId,
  buyerName: ({ buyerName }) => buyerName,
  createdAt: ({ createdAt }) => createdAt,
  completedAt: ({ completedAt }) => completedAt,
  currency: ({ currency }) => currency,
};

const registryColumns: CsvColumns<TransactionView> = {
  transactionId: ({ id }) => id,
  type: ({ type }) => type,
  status: ({ status }) => status,
  salesChannelId: ({ salesChannelId }) => salesChannelId,
  sellerId: ({ sellerId }) => sellerId,
  buyerId: ({ buyerId }) => buyerId,
  createdAt: ({ createdAt }) => createdAt,
  completedAt: ({ completedAt }) => completedAt,
  currency: ({ currency }) => currency,
};

/** JSON members and CSV columns for one kind of reader. */
interface ReaderColumns<View extends TransactionView> {
  readonly members: (transaction: View) => object;
  readonly columns: CsvColumns<View>;
}

const createForm =
  <View extends ExpandedTransaction>({ members, columns }: ReaderColumns<View>) =>
  (format: Format, expand: Expansions): ListForm<View> => {
    const expanded = expand.length === 0 ? {} : { expanded: true as const };
    if (!isCsv(format)) {
      const form = createJsonForm<View>((transaction) =>
        JSON.stringify(
          Object.assign(members(transaction), ...expand.map((expansion) => expansionMembers[expansion](transaction))),
        ),
      );
      return { ...form, header: { ...form.header, ...expanded } };
    }
    const addedColumns: CsvColumns<View> = Object.assign({}, ...expand.map((expansion) => expansionColumns[expansion]));
    const all: CsvColumns<TransactionLine<View>> = {
      ...repeatPerLine(columns),
      ...lineColumns,
      ...repeatPerLine(addedColumns),
    };
    const form = createCsvForm<View>(all, (transaction) =>
      transaction.lines.map((line) => formatCsvRow(all, { transaction, line })).join(''),
    );
    return { ...form, header: { ...form.header, ...expanded } };
  };

/** Transactions of a sales channel. In CSV, one record per asset. */
export const createChannelForm = createForm<ExpandedTransaction>({
  members: toChannelMembers,
  columns: channelColumns,
});

/** Transactions of an account holder. In CSV, one record per asset. */
export const createHolderForm = createForm<NamedTransaction>({ members: toHolderMembers, columns: holderColumns });

/** Transactions of the registry. In CSV, one record per asset. */
export const createRegistryForm = createForm<ExpandedTransaction>({
  members: toRegistryMembers,
  columns: registryColumns,
});
