import { query, recordset, sql, type EntityManager } from '@saleschannel/database';

/** A user whose credential was good, or a key that was. */
export type Sighting =
  | {
      readonly kind: 'user';
      readonly id: string;
      /** ISO 8601, here and below. */
      readonly at: string;
      /** What a token says of them. Undefined leaves what is kept. */
      readonly email?: string | undefined;
      readonly emailVerified?: boolean | undefined;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'api-key' | 'registry-key'; readonly id: string; readonly at: string };

const userColumns = { id: 'text', at: 'timestamptz', email: 'text', emailVerified: 'boolean', name: 'text' } as const;
const keyColumns = { id: 'text', at: 'timestamptz' } as const;

/*
 * Each statement locks its rows in the order of their ids: those of two replicas then never wait for each other in a
 * circle. What another replica saw later stays.
 */

async function updateUsers(em: EntityManager, users: readonly Extract<Sighting, { kind: 'user' }>[]): Promise<void> {
  await query(
    em,
    sql`with seen as (
          select sighting.* from ${recordset('sighting', userColumns, users)}
          join app_user on app_user.id = sighting.id
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

async function updateKeys(
  em: EntityManager,
  table: 'api_key' | 'registry_key',
  keys: readonly Sighting[],
): Promise<void> {
  const name = table === 'api_key' ? sql`api_key` : sql`registry_key`;
  await query(
    em,
    sql`with seen as (
          select sighting.* from ${recordset('sighting', keyColumns, keys)}
          join ${name} on ${name}.id = sighting.id
          order by ${name}.id for no key update of ${name}
        )
        update ${name} set last_used_at = greatest(${name}.last_used_at, seen.at) from seen where ${name}.id = seen.id`,
  );
}

/** Keeps sightings, with one statement for each table. No id comes twice. */
export async function keepSightings(em: EntityManager, sightings: readonly Sighting[]): Promise<void> {
  const users = sightings.filter((sighting) => sighting.kind === 'user');
  const apiKeys = sightings.filter(({ kind }) => kind === 'api-key');
  const registryKeys = sightings.filter(({ kind }) => kind === 'registry-key');
  if (users.length > 0) await updateUsers(em, users);
  if (apiKeys.length > 0) await updateKeys(em, 'api_key', apiKeys);
  if (registryKeys.length > 0) await updateKeys(em, 'registry_key', registryKeys);
}
