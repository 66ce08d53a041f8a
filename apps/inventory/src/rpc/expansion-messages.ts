import { isoInstant, rangeVolume, totalPrice, type CsvColumns } from '@saleschannel/primitives';
import type { Expansion, Expansions } from '../domain/expansion.ts';
import type { NamedTransaction } from '../operations/with-names.ts';
import type { LineView, TransactionView } from '../store/transaction-views.ts';
import { exactNumber, retirementOf } from './messages.ts';

/** What `$expand` adds to transactions of lists: members in JSON, columns in CSV. */

/** A transaction with whatever its expansions need. */
export type ExpandedTransaction = TransactionView & Partial<Pick<NamedTransaction, 'sellerName' | 'buyerName'>>;

const volumeOfLine = ({ first, last }: LineView): bigint => rangeVolume({ first: BigInt(first), last: BigInt(last) });

const volumeOfAll = ({ lines }: TransactionView): string =>
  String(lines.reduce((sum, line) => sum + volumeOfLine(line), 0n));

/** Null when an asset has no price. */
const priceOfAll = ({ lines }: TransactionView): string | null =>
  totalPrice(lines.map((line) => ({ unitPrice: line.unitPrice, volume: volumeOfLine(line) }))) ?? null;

/** The sums of a transaction. The price is decimal text, for no binary number holds all of them. */
export const totalsOf = (transaction: TransactionView): object => ({
  volume: exactNumber(volumeOfAll(transaction)),
  price: priceOfAll(transaction),
  currency: transaction.currency,
});

const members: Readonly<Record<Expansion, (transaction: ExpandedTransaction) => object>> = {
  names: ({ sellerName = null, buyerName = null }) => ({ sellerName, buyerName }),
  reference: ({ notes }) => ({ externalReference: notes?.externalReference ?? null }),
  metadata: ({ notes }) => ({ metadata: notes?.metadata ?? {} }),
  retirement: (transaction) => ({ retirement: retirementOf(transaction) }),
  totals: (transaction) => ({ totals: totalsOf(transaction) }),
};

export const expandedMembers = (expand: Expansions, transaction: ExpandedTransaction): object =>
  Object.assign({}, ...expand.map((expansion) => members[expansion](transaction))) as object;

const instantOf = (text: string | undefined): string | undefined => (text === undefined ? text : isoInstant(text));

const columns: Readonly<Record<Expansion, CsvColumns<ExpandedTransaction>>> = {
  names: { sellerName: ({ sellerName }) => sellerName, buyerName: ({ buyerName }) => buyerName },
  reference: { externalReference: ({ notes }) => notes?.externalReference },
  metadata: { metadata: ({ notes }) => (notes?.metadata ? JSON.stringify(notes.metadata) : null) },
  retirement: {
    beneficiaryName: ({ retirement }) => retirement?.['beneficiaryName'],
    beneficiaryLocation: ({ retirement }) => retirement?.['beneficiaryLocation'],
    beneficiaryType: ({ retirement }) => retirement?.['beneficiaryType'],
    consumptionCountryCode: ({ retirement }) => retirement?.['consumptionCountryCode'],
    usageType: ({ retirement }) => retirement?.['usageType'],
    consumptionPeriodStart: ({ retirement }) => instantOf(retirement?.['consumptionPeriodStart']),
    consumptionPeriodEnd: ({ retirement }) => instantOf(retirement?.['consumptionPeriodEnd']),
    retirementPurpose: ({ retirement }) => retirement?.['retirementPurpose'],
  },
  totals: { totalVolume: volumeOfAll, totalPrice: priceOfAll },
};

export const expandedColumns = (expand: Expansions): CsvColumns<ExpandedTransaction> =>
  Object.assign({}, ...expand.map((expansion) => columns[expansion])) as CsvColumns<ExpandedTransaction>;
