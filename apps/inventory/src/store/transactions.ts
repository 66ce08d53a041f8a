import { query, type EntityManager } from '@saleschannel/database';
import type { Bundle, Taken } from '../domain/bundle-book.ts';

export type TransactionType = 'ISSUANCE' | 'ONRAMP' | 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
export type TransactionStatus = 'PENDING' | 'SUCCESS' | 'REJECTED' | 'FAILED';

export interface NewTransaction {
  id: string;
  type: TransactionType;
  status: TransactionStatus;
  salesChannelId: string | null;
  sellerId: string | null;
  buyerId: string | null;
  accountHolderId: string | null;
  currency: string | null;
  retirement: object | null;
  taskId: string | null;
  /** ISO 8601, whole milliseconds. */
  createdAt: string;
  completedAt: string | null;
  lines: NewLine[];
}

export interface NewLine {
  /** Known by its id once the book is saved. */
  bundle: Bundle;
  issuanceId: string;
  first: bigint;
  last: bigint;
  unitPrice: string | null;
  /** The bundle it was part of, as it was before; null for an issuance. */
  source: { bundle: Bundle; first: bigint; last: bigint } | null;
}

/** The line of a selection that was taken. The source is known as it is after the split: its old range began where the selection does. */
export function lineOf(taken: Taken, unitPrice: string | null): NewLine {
  const { bundle, source, first, last } = taken;
  return {
    bundle,
    issuanceId: bundle.issuance.issuanceId,
    first,
    last,
    unitPrice,
    source: { bundle: source, first, last: source.last },
  };
}

/** Inserts transactions with their lines; the book must have been saved. */
export async function insertTransactions(em: EntityManager, transactions: readonly NewTransaction[]): Promise<void> {
  if (transactions.length === 0) return;
  const heads = transactions.map((transaction) => ({ ...transaction, lines: undefined }));
  const lines = transactions.flatMap((transaction) =>
    transaction.lines.map((line, ordinal) => ({
      t: transaction.id,
      n: ordinal,
      i: line.issuanceId,
      f: String(line.first),
      l: String(line.last),
      u: line.unitPrice,
      b: line.bundle.id,
      s: line.source?.bundle.id ?? null,
      sf: line.source ? String(line.source.first) : null,
      sl: line.source ? String(line.source.last) : null,
    })),
  );
  await query(
    em,
    `with heads as (
       insert into ledger_transaction
         (id, type, status, sales_channel_id, seller_id, buyer_id, account_holder_id, currency, retirement, task_id, created_at, completed_at)
       select id, type, status, "salesChannelId", "sellerId", "buyerId", "accountHolderId", currency, retirement, "taskId", "createdAt", "completedAt"
       from jsonb_to_recordset(?::jsonb) as r(id text, type text, status text, "salesChannelId" text, "sellerId" text, "buyerId" text,
         "accountHolderId" text, currency text, retirement jsonb, "taskId" text, "createdAt" timestamptz, "completedAt" timestamptz)
     )
     insert into transaction_line
       (transaction_id, ordinal, issuance_id, first, last, unit_price, bundle_id, source_bundle_id, source_first, source_last)
     select t, n, i, f, l, u, b, s, sf, sl
     from jsonb_to_recordset(?::jsonb) as r(t text, n int, i uuid, f numeric, l numeric, u numeric, b bigint, s bigint, sf numeric, sl numeric)`,
    [JSON.stringify(heads), JSON.stringify(lines)],
  );
}

export interface KnownOutcome {
  task_id: string;
  transaction_id: string | null;
  status: TransactionStatus | 'REFUSED';
  reason: string | null;
}

/** What was decided before on these tasks: the inbox of the ledger. */
export async function knownOutcomes(em: EntityManager, taskIds: readonly string[]): Promise<Map<string, KnownOutcome>> {
  const rows = await query<KnownOutcome>(
    em,
    `with asked as (select jsonb_array_elements_text(?::jsonb) as task_id)
     select t.task_id, t.id as transaction_id, t.status, t.reason from asked join ledger_transaction t using (task_id)
     union all
     select r.task_id, null, 'REFUSED', r.reason from asked join transfer_refusal r using (task_id)`,
    [JSON.stringify(taskIds)],
  );
  return new Map(rows.map((row) => [row.task_id, row]));
}

export async function insertRefusals(
  em: EntityManager,
  refusals: readonly { taskId: string; reason: string }[],
): Promise<void> {
  if (refusals.length === 0) return;
  await query(
    em,
    'insert into transfer_refusal (task_id, reason) select "taskId", reason from jsonb_to_recordset(?::jsonb) as r("taskId" text, reason text)',
    [JSON.stringify(refusals)],
  );
}

export interface LockedTransaction {
  id: string;
  type: TransactionType;
  status: TransactionStatus;
  sales_channel_id: string;
  seller_id: string;
  buyer_id: string | null;
  account_holder_id: string | null;
  task_id: string;
}

export async function lockTransaction(em: EntityManager, id: string): Promise<LockedTransaction | undefined> {
  const [row] = await query<LockedTransaction>(
    em,
    `select id, type, status, sales_channel_id, seller_id, buyer_id, account_holder_id, task_id
     from ledger_transaction where id = ? and task_id is not null for update`,
    [id],
  );
  return row;
}

export const linesOf = (
  em: EntityManager,
  transactionId: string,
): Promise<{ issuance_id: string; first: string; last: string }[]> =>
  query(em, 'select issuance_id, first, last from transaction_line where transaction_id = ? order by ordinal', [
    transactionId,
  ]);

export async function completeTransaction(
  em: EntityManager,
  id: string,
  status: TransactionStatus,
  reason: string | null,
  at: string,
): Promise<void> {
  await query(em, 'update ledger_transaction set status = ?, reason = ?, completed_at = ? where id = ?', [
    status,
    reason,
    at,
    id,
  ]);
}
