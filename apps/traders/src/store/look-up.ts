import { hasInName, isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';

/** What an operator learns of an id. */
export interface FoundThing {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** What bears the id here. */
export const findThings = (em: EntityManager, id: string): Promise<FoundThing[]> =>
  query(
    em,
    sql`select 'trader' as kind, jsonb_strip_nulls(jsonb_build_object(
          'traderId', id, 'name', name, 'businessId', business_id, 'salesChannelId', sales_channel_id,
          'accountHolderId', account_holder_id, 'createdAt', ${isoTimestamp('created_at')}
        )) as facts
        from trader where id = ${id}
        union all
        select 'proposal', jsonb_strip_nulls(jsonb_build_object(
          'proposalId', id, 'name', name, 'businessId', business_id, 'status', status,
          'salesChannelId', sales_channel_id, 'accountHolderId', account_holder_id, 'traderId', trader_id,
          'submittedAt', ${isoTimestamp('submitted_at')}
        ))
        from proposal where id = ${id}`,
  );

/** Of each kind. */
const NAMED_AT_MOST = 20;

const nameOfAny = { name: sql`trader.name`, scope: sql`''` };

/** What has a name with this text in it, the first by name. */
export const findNamed = (em: EntityManager, part: string): Promise<FoundThing[]> =>
  query(
    em,
    sql`select 'trader' as kind, jsonb_strip_nulls(jsonb_build_object(
          'traderId', id, 'name', name, 'businessId', business_id, 'salesChannelId', sales_channel_id,
          'accountHolderId', account_holder_id, 'createdAt', ${isoTimestamp('created_at')}
        )) as facts
        from trader where ${hasInName(nameOfAny, '', part)} and id <> ${part}
        order by lower(name), id limit ${NAMED_AT_MOST}`,
  );
