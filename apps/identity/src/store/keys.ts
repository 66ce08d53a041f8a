import {
  empty,
  isoTimestamp,
  query,
  queryFirst,
  send,
  sql,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import type { OperatorPage } from '@saleschannel/primitives/validation';
import type { Key, KeyCount } from '../domain/credentials.ts';

/** Hash of a secret, and the version of its pepper. */
export interface SecretHash {
  readonly secretHash: Buffer;
  readonly pepperVersion: number;
}

type NewKey = Key & SecretHash;

export interface ApiKeyOwner {
  readonly userId: string;
  /** API key that authenticated the creation. Undefined for an access token and for an operator. */
  readonly madeWithKeyId?: string | undefined;
}

export interface RegistryKeyOwner {
  readonly accountHolderId: string;
  /** User who creates the key. Undefined for an operator. */
  readonly createdBy?: string;
  /** API key that authenticated the creation. Undefined for an access token. */
  readonly madeWithKeyId?: string | undefined;
}

/** A key in a list. Times are in ISO 8601, UTC, with milliseconds. */
export interface ListedKey {
  readonly id: string;
  readonly createdOn: string;
  readonly expiresAt: string;
}

/** A table of keys, and the column of the key's owner. */
interface KeyTable {
  readonly name: Sql;
  readonly owner: Sql;
}

const apiKeyTable: KeyTable = { name: sql`api_key`, owner: sql`user_id` };
const registryKeyTable: KeyTable = { name: sql`registry_key`, owner: sql`account_holder_id` };

const keyColumns = sql`
  id, ${isoTimestamp('created_at')} as "createdOn", ${isoTimestamp('expires_at')} as "expiresAt"`;

const list = (em: EntityManager, table: KeyTable, ownerId: string): Promise<ListedKey[]> =>
  query(em, sql`select ${keyColumns} from ${table.name} where ${table.owner} = ${ownerId} order by created_at, id`);

/** Lists a user's keys, oldest first, including expired ones. */
export const listApiKeys = (em: EntityManager, userId: string): Promise<ListedKey[]> => list(em, apiKeyTable, userId);

/** Lists an account holder's keys, oldest first, including expired ones. */
export const listRegistryKeys = (em: EntityManager, accountHolderId: string): Promise<ListedKey[]> =>
  list(em, registryKeyTable, accountHolderId);

async function count(em: EntityManager, table: KeyTable, ownerId: string, now: Date): Promise<KeyCount> {
  const found = await queryFirst<KeyCount>(
    em,
    sql`select count(*) filter (where expires_at > ${now.toISOString()})::int as active, count(*)::int as kept
        from ${table.name} where ${table.owner} = ${ownerId}`,
  );
  if (!found) throw new Error('The count returned no row.');
  return found;
}

export const countApiKeys = (em: EntityManager, userId: string, now: Date): Promise<KeyCount> =>
  count(em, apiKeyTable, userId, now);

export const countRegistryKeys = (em: EntityManager, accountHolderId: string, now: Date): Promise<KeyCount> =>
  count(em, registryKeyTable, accountHolderId, now);

/** Counts valid keys of each kind that are hashed under an older version of the pepper. */
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

/** Serializes the creation of an account holder's keys. Its row is in another service's database. */
export async function lockAccountHolderKeys(em: EntityManager, accountHolderId: string): Promise<void> {
  await query(em, sql`select pg_advisory_xact_lock(hashtextextended(${accountHolderId}, 0))`);
}

export function insertApiKey(em: EntityManager, key: NewKey, { userId, madeWithKeyId }: ApiKeyOwner): void {
  const { id, createdAt, expiresAt, secretHash, pepperVersion } = key;
  send(
    em,
    sql`insert into api_key (id, user_id, made_with_key_id, secret_hash, pepper_version, created_at, expires_at)
        values (
          ${id}, ${userId}, ${madeWithKeyId ?? null}, ${secretHash}, ${pepperVersion}, ${createdAt.toISOString()},
          ${expiresAt.toISOString()}
        )`,
  );
}

export function insertRegistryKey(em: EntityManager, key: NewKey, owner: RegistryKeyOwner): void {
  const { id, createdAt, expiresAt, secretHash, pepperVersion } = key;
  const { accountHolderId, createdBy, madeWithKeyId } = owner;
  send(
    em,
    sql`insert into registry_key (
          id, account_holder_id, created_by, made_with_key_id, secret_hash, pepper_version, created_at, expires_at
        )
        values (
          ${id}, ${accountHolderId}, ${createdBy ?? null}, ${madeWithKeyId ?? null}, ${secretHash}, ${pepperVersion},
          ${createdAt.toISOString()}, ${expiresAt.toISOString()}
        )`,
  );
}

export const findApiKey = (em: EntityManager, id: string, userId: string): Promise<ListedKey | undefined> =>
  queryFirst(em, sql`select ${keyColumns} from api_key where id = ${id} and user_id = ${userId}`);

/** Locks a key, so that of two concurrent deletions one finds nothing. */
export const lockRegistryKey = (
  em: EntityManager,
  id: string,
  accountHolderId: string,
): Promise<ListedKey | undefined> =>
  queryFirst(
    em,
    sql`select ${keyColumns} from registry_key where id = ${id} and account_holder_id = ${accountHolderId} for update`,
  );

/** A key as operators see it. */
export interface KeyRecord extends ListedKey {
  readonly kind: 'API' | 'REGISTRY';
  /** Owner of the API key, or creator of the registry key. */
  readonly userId: string | null;
  readonly accountHolderId: string | null;
  readonly madeWithKeyId: string | null;
}

interface KeyFilter extends OperatorPage {
  readonly userId?: string | undefined;
  readonly accountHolderId?: string | undefined;
  readonly madeWithKeyId?: string | undefined;
}

/** Lists keys of both kinds by id, including expired ones. */
export const listKeyRecords = (
  em: EntityManager,
  { limit, after, userId, accountHolderId, madeWithKeyId }: KeyFilter,
): Promise<KeyRecord[]> =>
  query(
    em,
    sql`select ${keyColumns}, kind, "userId", "accountHolderId", "madeWithKeyId"
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

/** A key with its name and use. Times are in ISO 8601. */
export interface KeyDetail {
  readonly id: string;
  readonly kind: 'API' | 'REGISTRY';
  readonly name: string | null;
  readonly createdOn: string;
  readonly expiresAt: string;
  readonly lastUsedOn: string | null;
  /** API key that authenticated the creation. */
  readonly madeWithKeyId: string | null;
}

/** User, and their account holder, who own the keys. */
export interface KeyOwner {
  readonly userId: string;
  /** Undefined for a user without one. */
  readonly accountHolderId?: string | undefined;
}

const detailColumns = sql`
  id, name, ${isoTimestamp('created_at')} as "createdOn", ${isoTimestamp('expires_at')} as "expiresAt",
  ${isoTimestamp('last_used_at')} as "lastUsedOn", made_with_key_id as "madeWithKeyId"`;

/** Lists the API keys of a user and the registry keys of their account holder, oldest first, including expired ones. */
export const listKeyDetails = (em: EntityManager, { userId, accountHolderId }: KeyOwner): Promise<KeyDetail[]> =>
  query(
    em,
    sql`select 'API' as kind, ${detailColumns} from api_key where user_id = ${userId}
        union all
        select 'REGISTRY', ${detailColumns} from registry_key where account_holder_id = ${accountHolderId ?? null}
        order by "createdOn", id`,
  );

/** Locks one of these keys until the transaction ends. */
export const lockKeyDetail = async (
  em: EntityManager,
  id: string,
  { userId, accountHolderId }: KeyOwner,
): Promise<KeyDetail | undefined> =>
  (await queryFirst<KeyDetail>(
    em,
    sql`select 'API' as kind, ${detailColumns} from api_key where id = ${id} and user_id = ${userId} for no key update`,
  )) ??
  queryFirst(
    em,
    sql`select 'REGISTRY' as kind, ${detailColumns} from registry_key
        where id = ${id} and account_holder_id = ${accountHolderId ?? null} for no key update`,
  );

export async function nameKey(
  em: EntityManager,
  { id, kind }: Pick<KeyDetail, 'id' | 'kind'>,
  name: string | null,
): Promise<void> {
  const table = kind === 'API' ? sql`api_key` : sql`registry_key`;
  await query(em, sql`update ${table} set name = ${name} where id = ${id}`);
}
