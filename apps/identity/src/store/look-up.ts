import { isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';
import type { ResponseOf } from '@saleschannel/grpc';

type FoundRecord = NonNullable<ResponseOf<'lookUp.LookUp'>['things']>[number];

/** Finds records with the id. Facts never include a secret or its hash. */
export const findRecords = (em: EntityManager, id: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`select 'user' as kind, jsonb_strip_nulls(jsonb_build_object(
          'userId', id, 'issuer', issuer, 'subject', subject, 'accountHolderId', account_holder_id,
          'disabledAt', ${isoTimestamp('disabled_at')}, 'createdAt', ${isoTimestamp('created_at')}
        )) as facts
        from app_user where id = ${id}
        union all
        select 'API key', jsonb_strip_nulls(jsonb_build_object(
          'keyId', id, 'userId', user_id, 'madeWithKeyId', made_with_key_id,
          'createdOn', ${isoTimestamp('created_at')}, 'expiresAt', ${isoTimestamp('expires_at')}
        ))
        from api_key where id = ${id}
        union all
        select 'registry key', jsonb_strip_nulls(jsonb_build_object(
          'keyId', id, 'accountHolderId', account_holder_id, 'userId', created_by, 'madeWithKeyId', made_with_key_id,
          'createdOn', ${isoTimestamp('created_at')}, 'expiresAt', ${isoTimestamp('expires_at')}
        ))
        from registry_key where id = ${id}`,
  );
