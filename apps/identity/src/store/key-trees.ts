import { isoTimestamp, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';

/*
 * Keys created with other keys form trees. Every change of a tree locks its user first, which serializes changes.
 */

/** Reports whether the user still has the API key. */
export const hasApiKey = async (em: EntityManager, id: string, userId: string): Promise<boolean> =>
  (await queryFirst(em, sql`select id from api_key where id = ${id} and user_id = ${userId}`)) !== undefined;

/** Attaches the keys created with a key to its own parent, so that they outlive it. */
export async function moveChildrenUp(em: EntityManager, id: string): Promise<void> {
  for (const table of [sql`api_key`, sql`registry_key`]) {
    await query(
      em,
      sql`update ${table} set made_with_key_id = (select made_with_key_id from api_key where id = ${id})
          where made_with_key_id = ${id}`,
    );
  }
}

export interface DeletedKey {
  readonly id: string;
  /** Owner of an API key. */
  readonly userId: string | null;
  /** Owner of a registry key. */
  readonly accountHolderId: string | null;
  /** In ISO 8601. */
  readonly expiresAt: string;
}

/** Deletes keys of either kind with all their descendants, and returns all deleted keys. */
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

/** Finds the owner of an API key, or the creator of a registry key. Returns undefined for an unknown key. */
export const findKeyCreator = (em: EntityManager, keyId: string): Promise<{ userId: string | null } | undefined> =>
  queryFirst(
    em,
    sql`select user_id as "userId" from api_key where id = ${keyId}
        union all
        select created_by from registry_key where id = ${keyId}`,
  );

/** Finds the API keys of a user, and the registry keys that they created. */
export async function findKeysOfUser(em: EntityManager, userId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    em,
    sql`select id from api_key where user_id = ${userId}
        union all
        select id from registry_key where created_by = ${userId}`,
  );
  return rows.map(({ id }) => id);
}
