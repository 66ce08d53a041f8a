import {
  isoTimestamp,
  join,
  query,
  queryFirst,
  recordset,
  sql,
  type EntityManager,
  type Placed,
  type Sql,
} from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
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
  transactions: readonly Placed<TransactionKey>[],
): Promise<Placed<TransactionView>[]> =>
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

/** One step in the history of a certificate. Times are ISO 8601. */
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

/**
 * Selects all bundles that ever contained a certificate, from the current bundle back to the bundle of the issuance.
 * The certificate entered each bundle from an earlier one: by a line, as the part before a line, or by a merge. The
 * last serial of a bundle never changes.
 */
const selectContainingBundles = (issuanceId: string, serial: Sql): Sql => sql`
  containing (bundle_id) as (
    (
      select id from bundle where issuance_id = ${issuanceId}::uuid and last >= ${serial} order by last limit 1
    )
    union
    select earlier.bundle_id from containing cross join lateral (
      select line.source_bundle_id as bundle_id from transaction_line as line
      where line.bundle_id = containing.bundle_id and line.first <= ${serial} and line.source_bundle_id is not null
      union all
      select line.source_bundle_id from transaction_line as line
      where line.before_bundle_id = containing.bundle_id and line.source_first <= ${serial} and line.first > ${serial}
      union all
      select merge.absorbed_bundle_id from bundle_merge as merge
      where merge.into_bundle_id = containing.bundle_id and merge.last >= ${serial} and merge.first <= ${serial}
    ) as earlier
  )`;

/**
 * Reads the steps of one certificate, oldest first. Empty for an unknown certificate. `offset 0` looks up lines bundle
 * by bundle, in the index of each partition. PostgreSQL cannot foresee how few bundles there are, and a plan for many
 * would read all lines.
 */
export const findHistory = (em: EntityManager, issuanceId: string, serial: string): Promise<HistoryStep[]> =>
  query(
    em,
    sql`with recursive ${selectContainingBundles(issuanceId, sql`${serial}::numeric`)}
        select transaction.id as "transactionId", transaction.type, transaction.status,
          line.issuance_id as "issuanceId",
          ${isoTimestamp('coalesce(transaction.completed_at, transaction.created_at)')} as at,
          line.first::text as first, line.last::text as last, line.source_first::text as "sourceFirst",
          line.source_last::text as "sourceLast", transaction.seller_id as "sellerId",
          transaction.buyer_id as "buyerId", transaction.account_holder_id as "accountHolderId",
          issuance.serial_width as "serialWidth"
        from containing cross join lateral (
          select * from transaction_line as line
          where line.bundle_id = containing.bundle_id
            and line.first <= ${serial}::numeric and line.last >= ${serial}::numeric
          offset 0
        ) as line
        join ledger_transaction as transaction on transaction.id = line.transaction_id
        join issuance on issuance.id = line.issuance_id
        order by transaction.number`,
  );

const toInstant = (ms: number): Sql => sql`${new Date(ms).toISOString()}::timestamptz`;

/** Matches rows with a time within the range, by default the time at which the transaction was created. */
export function isWithin({ fromMs, toMs }: TimeRange, column: Sql = sql`transaction.created_at`): Sql {
  const conditions = [sql`true`];
  if (fromMs !== undefined) conditions.push(sql`${column} >= ${toInstant(fromMs)}`);
  if (toMs !== undefined) conditions.push(sql`${column} <= ${toInstant(toMs)}`);
  return join(conditions, ' and ');
}
