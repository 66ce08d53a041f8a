import { empty, isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';
import type { OperatorPage } from '@saleschannel/primitives/validation';

/** A key as an operator sees it. Times are ISO 8601. */
export interface KeyRecord {
  readonly id: string;
  readonly kind: 'API' | 'REGISTRY';
  /** Whose API key it is, or who made the registry key. */
  readonly userId: string | null;
  readonly accountHolderId: string | null;
  readonly madeWithKeyId: string | null;
  readonly createdOn: string;
  readonly expiresAt: string;
}

interface Wanted extends OperatorPage {
  readonly userId?: string | undefined;
  readonly accountHolderId?: string | undefined;
  readonly madeWithKeyId?: string | undefined;
}

/** Keys of both kinds in the order of their ids, expired ones included. */
export const listKeyRecords = (
  em: EntityManager,
  { limit, after, userId, accountHolderId, madeWithKeyId }: Wanted,
): Promise<KeyRecord[]> =>
  query(
    em,
    sql`select id, kind, "userId", "accountHolderId", "madeWithKeyId",
          ${isoTimestamp('created_at')} as "createdOn", ${isoTimestamp('expires_at')} as "expiresAt"
        from (
          select id, 'API' as kind, user_id as "userId", null as "accountHolderId",
            made_with_key_id as "madeWithKeyId", created_at, expires_at
          from api_key
          union all
          select id, 'REGISTRY', created_by, account_holder_id, made_with_key_id, created_at, expires_at
          from registry_key
        ) as key where true
        ${after === undefined ? empty : sql`and id > ${after}`}
        ${userId === undefined ? empty : sql`and "userId" = ${userId}`}
        ${accountHolderId === undefined ? empty : sql`and "accountHolderId" = ${accountHolderId}`}
        ${madeWithKeyId === undefined ? empty : sql`and "madeWithKeyId" = ${madeWithKeyId}`}
        order by id limit ${limit}`,
  );
