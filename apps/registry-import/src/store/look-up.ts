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

/** Of each kind. */
const NAMED_AT_MOST = 20;

const nameOfAny = { name: sql`account_holder.name`, scope: sql`''` };

/** What has a name with this text in it, the first by name. */
export const findNamed = (em: EntityManager, part: string): Promise<FoundThing[]> =>
  query(
    em,
    sql`select 'account holder' as kind, jsonb_build_object(
          'accountHolderId', id, 'name', name, 'businessId', business_id, 'kind', kind,
          'status', case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end,
          'registeredOn', ${isoTimestamp('registered_on')}
        ) as facts
        from account_holder where ${hasInName(nameOfAny, '', part)} and id <> ${part}
        order by lower(name), id limit ${NAMED_AT_MOST}`,
  );
