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
    sql`select 'account holder' as kind, jsonb_build_object(
          'accountHolderId', id, 'name', name, 'businessId', business_id, 'kind', kind,
          'status', case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end,
          'registeredOn', ${isoTimestamp('registered_on')}
        ) as facts
        from account_holder where id = ${id}
        union all
        select 'import', jsonb_build_object(
          'importId', id, 'status', status, 'createdAt', ${isoTimestamp('created_at')}
        )
        from import where id = ${id}`,
  );
