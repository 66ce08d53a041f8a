import { query, recordset, sql, type EntityManager } from '@saleschannel/database';

/** A valid use of a user's credential, or of a key. */
export type Use =
  | {
      readonly kind: 'user';
      readonly id: string;
      /** In ISO 8601. */
      readonly at: string;
      /** Claims of a token. Undefined keeps the stored value. */
      readonly email?: string | undefined;
      readonly emailVerified?: boolean | undefined;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'api-key' | 'registry-key'; readonly id: string; readonly at: string };

const userColumns = { id: 'text', at: 'timestamptz', email: 'text', emailVerified: 'boolean', name: 'text' } as const;
const keyColumns = { id: 'text', at: 'timestamptz' } as const;

/*
 * Each statement locks its rows in the order of ids, so that statements of two replicas cannot deadlock. The latest
 * time of all replicas wins.
 */

async function updateUsers(em: EntityManager, users: readonly Extract<Use, { kind: 'user' }>[]): Promise<void> {
  await query(
    em,
    sql`with seen as (
          select use.* from ${recordset('use', userColumns, users)}
          join app_user on app_user.id = use.id
          order by app_user.id for no key update of app_user
        )
        update app_user set
          last_seen_at = greatest(app_user.last_seen_at, seen.at),
          email = coalesce(seen.email, app_user.email),
          email_verified = coalesce(seen."emailVerified", app_user.email_verified),
          name = coalesce(seen.name, app_user.name)
        from seen where app_user.id = seen.id`,
  );
}

async function updateKeys(em: EntityManager, table: 'api_key' | 'registry_key', keys: readonly Use[]): Promise<void> {
  const name = table === 'api_key' ? sql`api_key` : sql`registry_key`;
  await query(
    em,
    sql`with seen as (
          select use.* from ${recordset('use', keyColumns, keys)}
          join ${name} on ${name}.id = use.id
          order by ${name}.id for no key update of ${name}
        )
        update ${name} set last_used_at = greatest(${name}.last_used_at, seen.at) from seen where ${name}.id = seen.id`,
  );
}

/** Stores uses with one statement per table. Ids must be distinct. */
export async function storeUses(em: EntityManager, uses: readonly Use[]): Promise<void> {
  const users = uses.filter((use) => use.kind === 'user');
  const apiKeys = uses.filter(({ kind }) => kind === 'api-key');
  const registryKeys = uses.filter(({ kind }) => kind === 'registry-key');
  if (users.length > 0) await updateUsers(em, users);
  if (apiKeys.length > 0) await updateKeys(em, 'api_key', apiKeys);
  if (registryKeys.length > 0) await updateKeys(em, 'registry_key', registryKeys);
}
