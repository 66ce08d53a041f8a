import { pairDigest, query, raw, recordset, send, sql, type EntityManager, type Sql } from '@saleschannel/database';
import { toStoredReferences, type MetadataPair } from '@saleschannel/primitives/validation';
import type { NewTransaction } from '../domain/transaction.ts';
import type { Notes } from './transaction-views.ts';

/** References and metadata of sales channels, stored apart from the transactions (ADR 43). */

const referenceColumns = {
  id: 'text',
  salesChannelId: 'text',
  externalReference: 'text',
  metadata: 'jsonb',
} as const;
const metadataColumns = {
  id: 'text',
  salesChannelId: 'text',
  type: 'text',
  createdAt: 'timestamptz',
  name: 'text',
  value: 'text',
} as const;

/** Stores the references and metadata of inserted transactions. */
export function insertReferences(em: EntityManager, transactions: readonly NewTransaction[]): void {
  const annotated = transactions.filter(({ externalReference, metadata }) => externalReference ?? metadata);
  if (annotated.length === 0) return;
  send(
    em,
    sql`insert into transaction_reference (transaction_id, sales_channel_id, external_reference, metadata)
        select id, "salesChannelId", "externalReference", metadata
        from ${recordset('given', referenceColumns, annotated)}`,
  );
  const members = annotated.flatMap(({ metadata = {}, ...transaction }) =>
    Object.entries(metadata).map(([name, value]) => ({ ...transaction, name, value })),
  );
  if (members.length === 0) return;
  send(
    em,
    sql`insert into transaction_metadata (sales_channel_id, pair, type, created_at, transaction_id)
        select "salesChannelId", ${pairDigest(raw('name'), raw('value'))}, type, "createdAt", id
        from ${recordset('given', metadataColumns, members)}`,
  );
}

/** Reads references and metadata by transaction id. */
export async function findNotes(em: EntityManager, ids: readonly string[]): Promise<Map<string, Notes>> {
  const rows = await query<Notes & { id: string }>(
    em,
    sql`select transaction_id as id, external_reference as "externalReference", metadata
        from transaction_reference where transaction_id = any(${ids}::text[])`,
  );
  return new Map(rows.map(({ id, ...notes }) => [id, notes]));
}

/** Matches the row `transaction` of the statement by its reference. */
const hasReference = (salesChannelId: string, externalReference: string): Sql => sql`
  transaction.id = any(array(
    select transaction_id from transaction_reference
    where sales_channel_id = ${salesChannelId}
      and external_reference = any(${toStoredReferences(externalReference)}::text[])
  ))`;

const toPairDigest = ({ name, value }: MetadataPair): Sql => pairDigest(sql`${name}::text`, sql`${value}::text`);

/** Transactions with this metadata, as `transaction`, in the order of an index on (type, created_at, id). */
export const selectByMetadata = (salesChannelId: string, pair: MetadataPair): Sql => sql`
  (
    select entry.transaction_id as id, entry.sales_channel_id, entry.type, entry.created_at, head.status,
      head.seller_id, head.buyer_id
    from transaction_metadata as entry cross join lateral (
      select status, seller_id, buyer_id from ledger_transaction where id = entry.transaction_id offset 0
    ) as head
    where entry.sales_channel_id = ${salesChannelId} and entry.pair = ${toPairDigest(pair)}
  ) as transaction`;

/**
 * Transactions with this metadata, with all columns, as `transaction`, in no order.
 * @param conditions on `entry`, which has type and time
 */
export const selectAllByMetadata = (salesChannelId: string, pair: MetadataPair, conditions: Sql): Sql => sql`
  (
    select transaction_id from transaction_metadata as entry
    where sales_channel_id = ${salesChannelId} and pair = ${toPairDigest(pair)} and ${conditions} offset 0
  ) as noted
  cross join lateral (
    select * from ledger_transaction where id = noted.transaction_id offset 0
  ) as transaction`;

/**
 * Matches the row `transaction` of the statement by its metadata. A subquery, because the planner could start a join at
 * either side.
 */
const hasMetadata = (salesChannelId: string, pair: MetadataPair): Sql => sql`
  (
    select true from transaction_metadata as entry
    where entry.sales_channel_id = ${salesChannelId} and entry.pair = ${toPairDigest(pair)}
      and entry.type = transaction.type and entry.created_at = transaction.created_at
      and entry.transaction_id = transaction.id
  ) is true`;

/** Filter on the notes of the sales channel. */
export interface NotesFilter {
  readonly externalReference?: string | undefined;
  readonly metadata?: MetadataPair | undefined;
}

/** Matches the row `transaction` of the statement by the notes of the sales channel. */
export function matchesNotes(salesChannelId: string, { externalReference, metadata: pair }: NotesFilter): Sql[] {
  return [
    ...(externalReference === undefined ? [] : [hasReference(salesChannelId, externalReference)]),
    ...(pair ? [hasMetadata(salesChannelId, pair)] : []),
  ];
}
