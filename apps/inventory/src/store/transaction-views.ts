import { isoTimestamp, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { TransactionStatus, TransactionType } from '../domain/transaction.ts';

/** Transactions as the APIs show them. */

export interface LineView {
  readonly issuanceId: string;
  readonly first: string;
  readonly last: string;
  readonly serialWidth: number;
  /** Decimal text. */
  readonly unitPrice: string | null;
}

/** Times are ISO 8601. */
export interface TransactionView {
  readonly id: string;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly salesChannelId: string | null;
  readonly sellerId: string | null;
  readonly buyerId: string | null;
  readonly currency: string | null;
  /** Why it did not succeed. */
  readonly reason: string | null;
  readonly retirement: Readonly<Record<string, string>> | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly lines: readonly LineView[];
}

export const transactionColumns = sql`
  transaction.id, transaction.type, transaction.status, transaction.sales_channel_id as "salesChannelId",
  transaction.seller_id as "sellerId", transaction.buyer_id as "buyerId", transaction.currency, transaction.retirement,
  transaction.reason,
  ${isoTimestamp('transaction.created_at')} as "createdAt",
  ${isoTimestamp('transaction.completed_at')} as "completedAt",
  (
    select json_agg(
      json_build_object(
        'issuanceId', line.issuance_id, 'first', line.first::text, 'last', line.last::text,
        'serialWidth', issuance.serial_width, 'unitPrice', trim_scale(line.unit_price)::text
      ) order by line.ordinal
    )
    from transaction_line as line join issuance on issuance.id = line.issuance_id
    where line.transaction_id = transaction.id
  ) as lines`;

/** What a sales channel started itself. Issuances and onramps are the registry's. */
const isOfChannel = (salesChannelId: string) => sql`
  transaction.sales_channel_id = ${salesChannelId} and transaction.type in ('TRADE', 'RETIREMENT', 'OFFRAMP')`;

export const findTransactionOfChannel = (
  em: EntityManager,
  salesChannelId: string,
  id: string,
): Promise<TransactionView | undefined> =>
  queryFirst(
    em,
    sql`select ${transactionColumns} from ledger_transaction as transaction
        where transaction.id = ${id} and ${isOfChannel(salesChannelId)}`,
  );

export const findTransaction = (em: EntityManager, id: string): Promise<TransactionView | undefined> =>
  queryFirst(em, sql`select ${transactionColumns} from ledger_transaction as transaction where transaction.id = ${id}`);

/** One step of a certificate. Times are ISO 8601. */
export interface HistoryStep {
  readonly transactionId: string;
  readonly issuanceId: string;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly at: string;
  readonly first: string;
  readonly last: string;
  readonly sourceFirst: string | null;
  readonly sourceLast: string | null;
  readonly sellerId: string | null;
  readonly buyerId: string | null;
  readonly accountHolderId: string | null;
  readonly serialWidth: number;
}

/** Every step of one certificate, oldest first. None when there is no such certificate. */
export const findHistory = (em: EntityManager, issuanceId: string, serial: string): Promise<HistoryStep[]> =>
  query(
    em,
    sql`select transaction.id as "transactionId", transaction.type, transaction.status,
          line.issuance_id as "issuanceId",
          ${isoTimestamp('coalesce(transaction.completed_at, transaction.created_at)')} as at,
          line.first::text as first, line.last::text as last, line.source_first::text as "sourceFirst",
          line.source_last::text as "sourceLast", transaction.seller_id as "sellerId",
          transaction.buyer_id as "buyerId", transaction.account_holder_id as "accountHolderId",
          issuance.serial_width as "serialWidth"
        from transaction_line as line join ledger_transaction as transaction on transaction.id = line.transaction_id
        join issuance on issuance.id = line.issuance_id
        where line.issuance_id = ${issuanceId} and line.last >= ${serial}::numeric and line.first <= ${serial}::numeric
        order by transaction.number`,
  );
