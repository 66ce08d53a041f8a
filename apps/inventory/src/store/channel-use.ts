import {
  countSome,
  join,
  limitOfCount,
  sql,
  type CountOfSome,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import { isNotExpired } from './bundle-views.ts';

/** What would be stuck on a sales channel that is closed. */

/** The types that can wait for an approval. */
const types = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

/** A part for each type: an index has the type before the status. */
const pendingOf = (salesChannelId: string): Sql =>
  join(
    types.map(
      (type) => sql`(
        select id from ledger_transaction
        where sales_channel_id = ${salesChannelId} and type = ${type} and status = 'PENDING' ${limitOfCount}
      )`,
    ),
    ' union all ',
  );

/** Transactions that wait for an approval. */
export const countPending = (em: EntityManager, salesChannelId: string): Promise<CountOfSome> =>
  countSome(em, pendingOf(salesChannelId));

/**
 * Bundles that are reserved. Found by the transactions that they are reserved for, each of which has one at least: an
 * index of reserved bundles alone would cost every transfer.
 */
export const countReserved = (em: EntityManager, salesChannelId: string): Promise<CountOfSome> =>
  countSome(
    em,
    sql`select bundle.id
        from (${pendingOf(salesChannelId)}) as pending
        cross join lateral (
          select bundle_id from transaction_line where transaction_id = pending.id offset 0
        ) as line
        cross join lateral (
          select id from bundle where id = line.bundle_id and state = 'RESERVED' offset 0
        ) as bundle ${limitOfCount}`,
  );

/** Bundles that can be traded, retired or offramped. What has expired stays with its owner whatever happens. */
export const countListed = (em: EntityManager, salesChannelId: string): Promise<CountOfSome> =>
  countSome(
    em,
    sql`select bundle.id from bundle
        cross join lateral (
          select id from issuance where id = bundle.issuance_id and ${isNotExpired} offset 0
        ) as issuance
        where bundle.sales_channel_id = ${salesChannelId} and bundle.state = 'LISTABLE' ${limitOfCount}`,
  );
