import { nameContains, isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';
import type { ResponseOf } from '@saleschannel/grpc';

type FoundRecord = NonNullable<ResponseOf<'lookUp.LookUp'>['things']>[number];

const selectTrader = sql`
  select 'trader' as kind, jsonb_strip_nulls(jsonb_build_object(
    'traderId', id, 'name', name, 'businessId', business_id, 'salesChannelId', sales_channel_id,
    'accountHolderId', account_holder_id, 'createdAt', ${isoTimestamp('created_at')}
  )) as facts
  from trader`;

/** Finds the trader or proposal with the id. */
export const findRecords = (em: EntityManager, id: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`${selectTrader} where id = ${id}
        union all
        select 'proposal', jsonb_strip_nulls(jsonb_build_object(
          'proposalId', id, 'name', name, 'businessId', business_id, 'status', status,
          'salesChannelId', sales_channel_id, 'accountHolderId', account_holder_id, 'traderId', trader_id,
          'submittedAt', ${isoTimestamp('submitted_at')}
        ))
        from proposal where id = ${id}`,
  );

const MAX_NAMED = 20;

const nameInAnyChannel = { name: sql`trader.name`, scope: sql`''` };

/** Finds the traders whose name contains the text, up to a limit, in the order of their names. */
export const findByName = (em: EntityManager, part: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`${selectTrader} where ${nameContains(nameInAnyChannel, '', part)} and id <> ${part}
        order by lower(name), id limit ${MAX_NAMED}`,
  );
