import {
  isoTimestamp,
  lockNames,
  query,
  queryFirst,
  recordset,
  send,
  sql,
  type EntityManager,
} from '@saleschannel/database';
import type { Ending, NewTransaction, TransactionStatus } from '../domain/transaction.ts';
import type { Transfer } from '../domain/transfer.ts';

export { isContended } from '@saleschannel/database';

const headColumns = {
  id: 'text',
  type: 'text',
  status: 'text',
  salesChannelId: 'text',
  sellerId: 'text',
  buyerId: 'text',
  accountHolderId: 'text',
  currency: 'text',
  retirement: 'jsonb',
  taskId: 'text',
  requestedBy: 'text',
  requestedWithKey: 'text',
  createdAt: 'timestamptz',
  completedAt: 'timestamptz',
} as const;

const lineColumns = {
  transactionId: 'text',
  ordinal: 'int',
  issuanceId: 'uuid',
  first: 'numeric',
  last: 'numeric',
  unitPrice: 'numeric',
  bundleId: 'bigint',
  sourceBundleId: 'bigint',
  sourceFirst: 'numeric',
  sourceLast: 'numeric',
  beforeBundleId: 'bigint',
} as const;

/** Inserts transactions with their lines. Save the book first, because lines need the ids of bundles. */
export function insertTransactions(em: EntityManager, transactions: readonly NewTransaction[]): void {
  if (transactions.length === 0) return;
  const heads = transactions.map(({ lines: _lines, ...head }) => head);
  const lines = transactions.flatMap(({ id, lines }) =>
    lines.map(({ bundle, first, last, unitPrice, source, before }, ordinal) => ({
      transactionId: id,
      ordinal,
      issuanceId: bundle.issuance.issuanceId,
      first,
      last,
      unitPrice,
      bundleId: bundle.id,
      sourceBundleId: source?.bundle.id,
      sourceFirst: source?.first,
      sourceLast: source?.last,
      beforeBundleId: before?.id,
    })),
  );
  send(
    em,
    sql`with head as (
          insert into ledger_transaction (
            id, type, status, sales_channel_id, seller_id, buyer_id, account_holder_id, currency, retirement, task_id,
            requested_by, requested_with_key, created_at, completed_at
          )
          select id, type, status, "salesChannelId", "sellerId", "buyerId", "accountHolderId", currency, retirement,
            "taskId", "requestedBy", "requestedWithKey", "createdAt", "completedAt"
          from ${recordset('given', headColumns, heads)}
        )
        insert into transaction_line (
          transaction_id, ordinal, issuance_id, first, last, unit_price, bundle_id, source_bundle_id, source_first,
          source_last, before_bundle_id
        )
        select "transactionId", ordinal, "issuanceId", first, last, "unitPrice", "bundleId", "sourceBundleId",
          "sourceFirst", "sourceLast", "beforeBundleId"
        from ${recordset('given', lineColumns, lines)}`,
  );
}

/** Earlier decision on a task. */
export interface KnownOutcome {
  readonly taskId: string;
  readonly transactionId: string | null;
  readonly status: TransactionStatus | 'REFUSED';
  readonly reason: string | null;
}

/**
 * Locks tasks until the transaction ends. Executions and refusals are rows of two tables, so no unique constraint
 * excludes both for one task.
 */
export const lockTasks = (em: EntityManager, taskIds: readonly string[]): Promise<void> => lockNames(em, taskIds);

/** Reads earlier decisions by task id. These rows are the ledger's inbox, which detects repeated messages. */
export async function findOutcomes(em: EntityManager, taskIds: readonly string[]): Promise<Map<string, KnownOutcome>> {
  const rows: KnownOutcome[] = await query(
    em,
    sql`select task_id as "taskId", id as "transactionId", status, reason
        from ledger_transaction where task_id = any(${taskIds}::text[])
        union all
        select task_id, null, 'REFUSED', reason from transfer_refusal where task_id = any(${taskIds}::text[])`,
  );
  return new Map(rows.map((row) => [row.taskId, row]));
}

export function insertRefusals(em: EntityManager, refusals: readonly { taskId: string; reason: string }[]): void {
  if (refusals.length === 0) return;
  const refused = recordset('refused', { taskId: 'text', reason: 'text' }, refusals);
  send(em, sql`insert into transfer_refusal (task_id, reason) select "taskId", reason from ${refused}`);
}

/** The transaction of a requested transfer. */
export type TransferTransaction = Transfer & {
  readonly id: string;
  readonly taskId: string;
  readonly status: TransactionStatus;
  /** ISO 8601, whole milliseconds. */
  readonly createdAt: string;
};

/** Reads the transaction of a transfer and locks it until the database transaction ends. */
export const lockTransaction = (em: EntityManager, id: string): Promise<TransferTransaction | undefined> =>
  queryFirst(
    em,
    sql`select id, type, status, sales_channel_id as "salesChannelId", seller_id as "sellerId", buyer_id as "buyerId",
          account_holder_id as "sellerAccountHolderId", task_id as "taskId",
          ${isoTimestamp('created_at')} as "createdAt"
        from ledger_transaction where id = ${id} and task_id is not null for update`,
  );

/** Finds the sales channel and traders of a PENDING transaction. Undefined for any other. */
export const findPendingParties = (
  em: EntityManager,
  id: string,
): Promise<{ salesChannelId: string; traderIds: string[] } | undefined> =>
  queryFirst(
    em,
    sql`select sales_channel_id as "salesChannelId", array_remove(array[seller_id, buyer_id], null) as "traderIds"
        from ledger_transaction where id = ${id} and task_id is not null and status = 'PENDING'`,
  );

/** True if the account holder is the seller of a requested transaction. This never changes. */
export const isSoldBy = async (em: EntityManager, id: string, accountHolderId: string): Promise<boolean> =>
  (await queryFirst(
    em,
    sql`select id from ledger_transaction
        where id = ${id} and account_holder_id = ${accountHolderId} and task_id is not null`,
  )) !== undefined;

export interface LineRange {
  readonly issuanceId: string;
  readonly first: string;
  readonly last: string;
}

/** Reads the lines of a transaction, in order. */
export const findLineRanges = (em: EntityManager, transactionId: string): Promise<LineRange[]> =>
  query(
    em,
    sql`select issuance_id as "issuanceId", first, last from transaction_line
        where transaction_id = ${transactionId} order by ordinal`,
  );

export function completeTransaction(
  em: EntityManager,
  id: string,
  { status, reason }: Ending,
  completedAt: string,
): void {
  send(
    em,
    sql`update ledger_transaction set status = ${status}, reason = ${reason}, completed_at = ${completedAt}
        where id = ${id}`,
  );
}
