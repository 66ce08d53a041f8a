import { LockMode } from '@mikro-orm/postgresql';
import { isoTimestamp, query, queryFirst, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { Key, KeyCount } from '../domain/key.ts';
import { ApiKeyEntity, RegistryKeyEntity } from './entities.ts';

/** What is kept of a secret, and the version of the pepper that it is hashed under. */
export interface SecretHash {
  readonly secretHash: Buffer;
  readonly pepperVersion: number;
}

/** A key as it is made: of its secret, only the hash is kept. */
export type NewKey = Key & SecretHash;

/** Who may use and delete a registry key, and who made it. */
export interface RegistryKeyOwner {
  readonly accountHolderId: string;
  /** The user. Undefined for an operator. */
  readonly createdBy?: string;
  /** The API key that the user showed. Undefined for an access token. */
  readonly madeWithKeyId?: string | undefined;
}

/** A key in a list. Times are ISO 8601 in UTC with milliseconds. */
export interface ListedKey {
  readonly id: string;
  readonly createdOn: string;
  readonly expiresAt: string;
}

/** A table of keys, and its column that says whose they are. */
interface KeyTable {
  readonly name: Sql;
  readonly owner: Sql;
}

const apiKeyTable: KeyTable = { name: sql`api_key`, owner: sql`user_id` };
const registryKeyTable: KeyTable = { name: sql`registry_key`, owner: sql`account_holder_id` };

const list = (em: EntityManager, table: KeyTable, ownerId: string): Promise<ListedKey[]> =>
  query(
    em,
    sql`select id, ${isoTimestamp('created_at')} as "createdOn", ${isoTimestamp('expires_at')} as "expiresAt"
        from ${table.name} where ${table.owner} = ${ownerId} order by created_at, id`,
  );

/** The keys of a user in the order of their creation, expired ones included. */
export const listApiKeys = (em: EntityManager, userId: string): Promise<ListedKey[]> => list(em, apiKeyTable, userId);

/** The keys of an account holder in the order of their creation, expired ones included. */
export const listRegistryKeys = (em: EntityManager, accountHolderId: string): Promise<ListedKey[]> =>
  list(em, registryKeyTable, accountHolderId);

async function count(em: EntityManager, table: KeyTable, ownerId: string, now: Date): Promise<KeyCount> {
  const found = await queryFirst<KeyCount>(
    em,
    sql`select count(*) filter (where expires_at > ${now.toISOString()})::int as active, count(*)::int as kept
        from ${table.name} where ${table.owner} = ${ownerId}`,
  );
  if (!found) throw new Error('a count has no row');
  return found;
}

export const countApiKeys = (em: EntityManager, userId: string, now: Date): Promise<KeyCount> =>
  count(em, apiKeyTable, userId, now);

export const countRegistryKeys = (em: EntityManager, accountHolderId: string, now: Date): Promise<KeyCount> =>
  count(em, registryKeyTable, accountHolderId, now);

/** How many valid keys of each kind are hashed under an older pepper than this version. */
export const countKeysUnderOldPepper = (
  em: EntityManager,
  version: number,
  now: Date,
): Promise<{ readonly kind: string; readonly keys: number }[]> =>
  query(
    em,
    sql`select 'api' as kind, count(*)::int as keys from api_key
          where pepper_version < ${version} and expires_at > ${now.toISOString()}
        union all
        select 'registry', count(*)::int from registry_key
          where pepper_version < ${version} and expires_at > ${now.toISOString()}`,
  );

/**
 * Makes the creations of one account holder's keys wait for each other. Account holders are in another service's
 * database, where no row can be locked.
 */
export async function lockAccountHolderKeys(em: EntityManager, accountHolderId: string): Promise<void> {
  await query(em, sql`select pg_advisory_xact_lock(hashtextextended(${accountHolderId}, 0))`);
}

/** Whose an API key is, and what it was made with. */
export interface ApiKeyOwner {
  readonly userId: string;
  /** The API key that the user showed. Undefined for an access token and for an operator. */
  readonly madeWithKeyId?: string | undefined;
}

/** Written when the transaction ends. */
export function addApiKey(em: EntityManager, key: NewKey, { userId, madeWithKeyId }: ApiKeyOwner): void {
  em.entities.persist(em.entities.create(ApiKeyEntity, { ...key, userId, madeWithKeyId: madeWithKeyId ?? null }));
}

/** Written when the transaction ends. */
export function addRegistryKey(
  em: EntityManager,
  key: NewKey,
  { accountHolderId, createdBy, madeWithKeyId }: RegistryKeyOwner,
): void {
  const made = { accountHolderId, createdBy: createdBy ?? null, madeWithKeyId: madeWithKeyId ?? null };
  em.entities.persist(em.entities.create(RegistryKeyEntity, { ...key, ...made }));
}

const keyOf = (key: ApiKeyEntity | RegistryKeyEntity | null): Key | undefined =>
  key ? { id: key.id, createdAt: key.createdAt, expiresAt: key.expiresAt } : undefined;

export const findApiKey = async (em: EntityManager, id: string, userId: string): Promise<Key | undefined> =>
  keyOf(await em.entities.findOne(ApiKeyEntity, { id, userId }));

/** Locks the key, so that of two deletions one finds nothing. */
export const lockRegistryKey = async (
  em: EntityManager,
  id: string,
  accountHolderId: string,
): Promise<Key | undefined> =>
  keyOf(
    await em.entities.findOne(RegistryKeyEntity, { id, accountHolderId }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
  );
