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

/** Counts of the transactions and bundles that closing a sales channel would strand. */

/** Types that may need an approval. */
const types = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

/** One part per type, because the index has the type before the status. */
const selectPending = (salesChannelId: string): Sql =>
  join(
    types.map(
      (type) => sql`(
        select id from ledger_transaction
        where sales_channel_id = ${salesChannelId} and type = ${type} and status = 'PENDING' ${limitOfCount}
      )`,
    ),
    ' union all ',
  );

export const countPending = (em: EntityManager, salesChannelId: string): Promise<CountOfSome> =>
  countSome(em, selectPending(salesChannelId));

/**
 * Counts reserved bundles by their pending transactions, because an index of reserved bundles would cost every
 * transfer.
 */
export const countReserved = (em: EntityManager, salesChannelId: string): Promise<CountOfSome> =>
  countSome(
    em,
    sql`select bundle.id
        from (${selectPending(salesChannelId)}) as pending
        cross join lateral (
          select bundle_id from transaction_line where transaction_id = pending.id offset 0
        ) as line
        cross join lateral (
          select id from bundle where id = line.bundle_id and state = 'RESERVED' offset 0
        ) as bundle ${limitOfCount}`,
  );

/** Counts bundles that can be traded, retired or offramped. Expired bundles stay with their owner anyway. */
export const countListed = (em: EntityManager, salesChannelId: string): Promise<CountOfSome> =>
  countSome(
    em,
    sql`select bundle.id from bundle
        cross join lateral (
          select id from issuance where id = bundle.issuance_id and ${isNotExpired} offset 0
        ) as issuance
        where bundle.sales_channel_id = ${salesChannelId} and bundle.state = 'LISTABLE' ${limitOfCount}`,
  );
