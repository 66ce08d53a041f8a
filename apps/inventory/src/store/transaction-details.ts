import { isoTimestamp, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { Publication } from '../domain/statement.ts';
import type { TransactionKey } from './transaction-views.ts';

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
