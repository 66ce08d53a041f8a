import { nameContains, isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';
import type { ResponseOf } from '@saleschannel/grpc';

type FoundRecord = NonNullable<ResponseOf<'lookUp.LookUp'>['things']>[number];

const selectHolder = sql`
  select 'account holder' as kind, jsonb_build_object(
    'accountHolderId', id, 'name', name, 'businessId', business_id, 'kind', kind,
    'status', case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end,
    'registeredOn', ${isoTimestamp('registered_on')}
  ) as facts
  from account_holder`;

/** Finds records with the id. */
export const findRecords = (em: EntityManager, id: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`${selectHolder} where id = ${id}
        union all
        select 'import', jsonb_build_object(
          'importId', id, 'status', status, 'createdAt', ${isoTimestamp('created_at')}
        )
        from import where id = ${id}`,
  );

const MAX_NAMED = 20;

const indexedName = { name: sql`account_holder.name`, scope: sql`''` };

/** Finds account holders with this part in their name, by name. */
export const findNamed = (em: EntityManager, part: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`${selectHolder} where ${nameContains(indexedName, '', part)} and id <> ${part}
        order by lower(name), id limit ${MAX_NAMED}`,
  );
