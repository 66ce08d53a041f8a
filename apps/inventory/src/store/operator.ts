import {
  nameContains,
  isoTimestamp,
  query,
  raw,
  sql,
  type EntityManager,
  type Sql,
  countBounded,
  join,
  countLimit,
  type BoundedCount,
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
        where sales_channel_id = ${salesChannelId} and type = ${type} and status = 'PENDING' ${countLimit}
      )`,
    ),
    ' union all ',
  );

export const countPending = (em: EntityManager, salesChannelId: string): Promise<BoundedCount> =>
  countBounded(em, selectPending(salesChannelId));

/**
 * Counts reserved bundles by their pending transactions, because an index of reserved bundles would cost every
 * transfer.
 */
export const countReserved = (em: EntityManager, salesChannelId: string): Promise<BoundedCount> =>
  countBounded(
    em,
    sql`select bundle.id
        from (${selectPending(salesChannelId)}) as pending
        cross join lateral (
          select bundle_id from transaction_line where transaction_id = pending.id offset 0
        ) as line
        cross join lateral (
          select id from bundle where id = line.bundle_id and state = 'RESERVED' offset 0
        ) as bundle ${countLimit}`,
  );

/** Counts bundles that can be traded, retired or offramped. Expired bundles stay with their owner anyway. */
export const countListed = (em: EntityManager, salesChannelId: string): Promise<BoundedCount> =>
  countBounded(
    em,
    sql`select bundle.id from bundle
        cross join lateral (
          select id from issuance where id = bundle.issuance_id and ${isNotExpired} offset 0
        ) as issuance
        where bundle.sales_channel_id = ${salesChannelId} and bundle.state = 'LISTABLE' ${countLimit}`,
  );

const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** A record that an operator looks up. */
export interface FoundRecord {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** Finds the records with this id. */
export const findRecordsById = (em: EntityManager, id: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`select 'transaction' as kind, jsonb_strip_nulls(jsonb_build_object(
          'transactionId', id, 'type', type, 'status', status, 'salesChannelId', sales_channel_id,
          'sellerId', seller_id, 'buyerId', buyer_id, 'accountHolderId', account_holder_id, 'taskId', task_id,
          'createdAt', ${isoTimestamp('created_at')}
        )) as facts
        from ledger_transaction where id = ${id}
        union all
        select 'issuance', jsonb_strip_nulls(jsonb_build_object(
          'issuanceId', id::text, 'productionFacilityId', facility_id, 'accountHolderId', account_holder_id,
          'salesChannelId', sales_channel_id, 'firstSerial', first_serial::text, 'lastSerial', last_serial::text,
          'createdAt', ${isoTimestamp('created_at')}
        ))
        from issuance where id = (case when ${id} ~* ${UUID} then ${id} end)::uuid
        union all
        select 'production facility', jsonb_build_object(
          'productionFacilityId', id, 'code', code, 'name', name, 'countryCode', country_code, 'supplierId', supplier_id
        )
        from production_facility where id = ${id} or code = ${id}
        union all
        select 'supplier', jsonb_build_object('supplierId', id, 'name', name, 'countryCode', country_code)
        from supplier where id = ${id}`,
  );

/** Per kind. */
const MAX_FOUND = 20;

const isNamed = (table: 'production_facility' | 'supplier', part: string): Sql =>
  nameContains({ name: raw(`${table}.name`), scope: sql`''` }, '', part);

/** Finds records whose name contains this text, sorted by name. */
export const findRecordsByName = (em: EntityManager, part: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`(
          select 'production facility' as kind, jsonb_build_object(
            'productionFacilityId', id, 'code', code, 'name', name, 'countryCode', country_code,
            'supplierId', supplier_id
          ) as facts
          from production_facility where ${isNamed('production_facility', part)} and id <> ${part} and code <> ${part}
          order by lower(name), id limit ${MAX_FOUND}
        )
        union all
        (
          select 'supplier', jsonb_build_object('supplierId', id, 'name', name, 'countryCode', country_code)
          from supplier where ${isNamed('supplier', part)} and id <> ${part}
          order by lower(name), id limit ${MAX_FOUND}
        )`,
  );
