import {
  isoTimestamp,
  join,
  query,
  queryFirst,
  recordset,
  sql,
  type EntityManager,
  type Indexed,
  type Sql,
} from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
import type { Publication } from '../domain/statement.ts';
import type { TransactionStatus, TransactionType } from '../domain/transaction.ts';
import type { Holder } from './holding-lists.ts';

export interface LineView {
  readonly issuanceId: string;
  readonly first: string;
  readonly last: string;
  readonly serialWidth: number;
  /** Decimal text. */
  readonly unitPrice: string | null;
}

/** The sales channel's own reference and metadata. */
export interface Notes {
  readonly externalReference: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
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
  /** Null for a success. */
  readonly reason: string | null;
  readonly retirement: Readonly<Record<string, string>> | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly lines: readonly LineView[];
  /** Undefined unless requested. */
  readonly notes?: Notes | undefined;
}

/** All columns except the lines. */
const headColumns = sql`
  transaction.id, transaction.type, transaction.status, transaction.sales_channel_id as "salesChannelId",
  transaction.seller_id as "sellerId", transaction.buyer_id as "buyerId", transaction.currency, transaction.retirement,
  transaction.reason,
  ${isoTimestamp('transaction.created_at')} as "createdAt",
  ${isoTimestamp('transaction.completed_at')} as "completedAt"`;

const lineList = sql`json_agg(
    json_build_object(
      'issuanceId', line.issuance_id, 'first', line.first::text, 'last', line.last::text,
      'serialWidth', issuance.serial_width, 'unitPrice', trim_scale(line.unit_price)::text
    ) order by line.ordinal
  )`;

const transactionColumns = sql`${headColumns},
  (
    select ${lineList} from transaction_line as line join issuance on issuance.id = line.issuance_id
    where line.transaction_id = transaction.id
  ) as lines`;

/** A transaction without its lines. */
export interface TransactionHead extends Omit<TransactionView, 'lines' | 'notes'> {
  readonly lineCount: number;
}

/** Ordinals start at 0 and have no gaps, so the last one gives the count. */
export const transactionHeadColumns = sql`${headColumns},
  (
    select coalesce(max(line.ordinal), -1) + 1 from transaction_line as line where line.transaction_id = transaction.id
  ) as "lineCount"`;

/** Reads lines by transaction id. They never change. */
export async function findLines(em: EntityManager, ids: readonly string[]): Promise<Map<string, readonly LineView[]>> {
  const rows = await query<{ id: string; lines: LineView[] }>(
    em,
    sql`select line.transaction_id as id, ${lineList} as lines
        from transaction_line as line join issuance on issuance.id = line.issuance_id
        where line.transaction_id = any(${ids}::text[]) group by line.transaction_id`,
  );
  return new Map(rows.map(({ id, lines }) => [id, lines]));
}

/** Key of a transaction within its sales channel. */
export interface TransactionKey {
  readonly salesChannelId: string;
  readonly id: string;
}

const keyColumns = { index: 'int', salesChannelId: 'text', id: 'text' } as const;

/** Finds transactions that sales channels started. Issuances and onramps belong to the registry. */
export const findTransactionsByKey = (
  em: EntityManager,
  transactions: readonly Indexed<TransactionKey>[],
): Promise<Indexed<TransactionView>[]> =>
  query(
    em,
    sql`select wanted.index, ${transactionColumns}
        from ${recordset('wanted', keyColumns, transactions)}
        join ledger_transaction as transaction on transaction.id = wanted.id
          and transaction.sales_channel_id = wanted."salesChannelId"
          and transaction.type in ('TRADE', 'RETIREMENT', 'OFFRAMP')`,
  );

export const findTransaction = (em: EntityManager, id: string): Promise<TransactionView | undefined> =>
  queryFirst(em, sql`select ${transactionColumns} from ledger_transaction as transaction where transaction.id = ${id}`);

/**
 * Finds a transaction of the account holder's certificates, or one with a trader of the account holder as a party.
 * Takes equally long for transactions of others and for unknown ids.
 */
export const findTransactionOfHolder = (
  em: EntityManager,
  { accountHolderId, traders }: Holder,
  id: string,
): Promise<TransactionView | undefined> => {
  const traderIds = traders.map(({ traderId }) => traderId);
  return queryFirst(
    em,
    sql`select ${transactionColumns} from ledger_transaction as transaction
        where transaction.id = ${id} and (
          transaction.account_holder_id = ${accountHolderId}
          or transaction.seller_id = any(${traderIds}::text[]) or transaction.buyer_id = any(${traderIds}::text[])
        )`,
  );
};

const toInstant = (ms: number): Sql => sql`${new Date(ms).toISOString()}::timestamptz`;

/** Matches rows with a time within the range, by default the time at which the transaction was created. */
export function isWithin({ fromMs, toMs }: TimeRange, column: Sql = sql`transaction.created_at`): Sql {
  const conditions = [sql`true`];
  if (fromMs !== undefined) conditions.push(sql`${column} >= ${toInstant(fromMs)}`);
  if (toMs !== undefined) conditions.push(sql`${column} <= ${toInstant(toMs)}`);
  return join(conditions, ' and ');
}

/** A line with the range of the bundle that it was taken from. Serials are digits. */
export interface LineageView {
  readonly issuanceId: string;
  readonly serialWidth: number;
  readonly first: string;
  readonly last: string;
  readonly sourceFirst: string;
  readonly sourceLast: string;
}

export interface TransactionDetail {
  readonly taskId: string;
  /** Null for transactions of releases that did not store it. */
  readonly requestedBy: string | null;
  readonly requestedWithKey: string | null;
  /** Null unless it is a retirement that succeeded. */
  readonly statement: {
    readonly id: string;
    readonly publication: Publication;
    readonly beneficiaryHiddenUntil: string | null;
  } | null;
  readonly lineage: readonly LineageView[];
  readonly externalReference: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
}

export const findTransactionDetail = (
  em: EntityManager,
  { salesChannelId, id }: TransactionKey,
): Promise<TransactionDetail | undefined> =>
  queryFirst(
    em,
    sql`select transaction.task_id as "taskId", transaction.requested_by as "requestedBy",
          transaction.requested_with_key as "requestedWithKey",
          reference.external_reference as "externalReference", reference.metadata,
          (
            select json_build_object(
              'id', statement.id, 'publication', statement.publication,
              'beneficiaryHiddenUntil', ${isoTimestamp('statement.beneficiary_hidden_until')}
            )
            from retirement_statement as statement
            where statement.transaction_id = transaction.id and statement.retired_at is not null
          ) as statement,
          (
            select json_agg(
              json_build_object(
                'issuanceId', line.issuance_id, 'serialWidth', issuance.serial_width,
                'first', line.first::text, 'last', line.last::text,
                'sourceFirst', line.source_first::text, 'sourceLast', line.source_last::text
              ) order by line.ordinal
            )
            from transaction_line as line join issuance on issuance.id = line.issuance_id
            where line.transaction_id = transaction.id
          ) as lineage
        from ledger_transaction as transaction
        left join transaction_reference as reference on reference.transaction_id = transaction.id
        where transaction.id = ${id} and transaction.sales_channel_id = ${salesChannelId}
          and transaction.task_id is not null`,
  );
