import { isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';

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
