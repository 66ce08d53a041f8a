import { isoTimestamp, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';

/** Keys that were made with keys. The locked user makes all changes of their trees wait for each other. */

/** Whether the user still has the API key. */
export const hasApiKey = async (em: EntityManager, id: string, userId: string): Promise<boolean> =>
  (await queryFirst(em, sql`select id from api_key where id = ${id} and user_id = ${userId}`)) !== undefined;

/**
 * Puts a key, with those made with it, where one above it stands: that one is about to be deleted. A key that does not
 * stand below it stays where it is.
 */
export async function takePlaceOf(em: EntityManager, aboveId: string, keyId: string): Promise<void> {
  await query(
    em,
    sql`with recursive above (id, parent) as (
          select id, made_with_key_id from api_key where id = ${keyId}
          union
          select api_key.id, api_key.made_with_key_id from api_key join above on api_key.id = above.parent
        )
        update api_key set
          made_with_key_id = (select made_with_key_id from api_key where id = ${aboveId})
        where id = ${keyId} and ${aboveId} in (select id from above)`,
  );
}

/** A key that was deleted. */
export interface DeletedKey {
  readonly id: string;
  /** Whose API key it was. */
  readonly userId: string | null;
  /** Whose registry key it was. */
  readonly accountHolderId: string | null;
  /** ISO 8601 */
  readonly expiresAt: string;
}

/** Deletes keys of either kind with all that were made with them. Returns all of these. */
export const deleteKeys = (em: EntityManager, ids: readonly string[]): Promise<DeletedKey[]> =>
  query(
    em,
    sql`with recursive gone (id) as (
          select id from api_key where id = any(${ids}::text[])
          union
          select api_key.id from api_key join gone on api_key.made_with_key_id = gone.id
        ), registry as (
          delete from registry_key
          where id = any(${ids}::text[]) or made_with_key_id in (select id from gone)
          returning id, account_holder_id, expires_at
        ), api as (
          delete from api_key where id in (select id from gone) returning id, user_id, expires_at
        )
        select id, user_id as "userId", null as "accountHolderId", ${isoTimestamp('expires_at')} as "expiresAt" from api
        union all
        select id, null, account_holder_id, ${isoTimestamp('expires_at')} from registry`,
  );

/** The user whose API key it is, or who made the registry key. Undefined for an unknown key. */
export const findMaker = (em: EntityManager, keyId: string): Promise<{ userId: string | null } | undefined> =>
  queryFirst(
    em,
    sql`select user_id as "userId" from api_key where id = ${keyId}
        union all
        select created_by from registry_key where id = ${keyId}`,
  );

/** The API keys of a user, and the registry keys that they made. */
export async function findKeysOfUser(em: EntityManager, userId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select id from api_key where user_id = ${userId}
        union all
        select id from registry_key where created_by = ${userId}`,
  );
  return rows.map(({ id }) => id);
}
