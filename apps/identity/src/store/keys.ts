import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { isoTimestamp, query } from '@saleschannel/database';
import { ApiKey, RegistryKey } from './entities.ts';

/** What the check of a credential needs of its key. */
interface StoredCredential {
  readonly secretHash: Buffer;
  readonly expiresAt: Date;
}

export interface ApiKeyCredential extends StoredCredential {
  readonly userId: string;
  readonly accountHolderId: string | undefined;
}

export interface RegistryKeyCredential extends StoredCredential {
  readonly accountHolderId: string;
}

interface CredentialRow {
  secretHash: string;
  expiresAt: string;
  userId: string;
  accountHolderId: string | null;
}

const stored = (row: CredentialRow): StoredCredential => ({
  secretHash: Buffer.from(row.secretHash, 'hex'),
  expiresAt: new Date(row.expiresAt),
});

const API_KEY_CREDENTIAL = `
  select encode(k.secret_hash, 'hex') as "secretHash", ${isoTimestamp('k.expires_at')} as "expiresAt",
    u.id as "userId", u.account_holder_id as "accountHolderId"
  from api_key k join app_user u on u.id = k.user_id where k.id = ?`;

export async function findApiKeyCredential(em: EntityManager, id: string): Promise<ApiKeyCredential | undefined> {
  const [row] = await query<CredentialRow>(em, API_KEY_CREDENTIAL, [id]);
  return row && { ...stored(row), userId: row.userId, accountHolderId: row.accountHolderId ?? undefined };
}

const REGISTRY_KEY_CREDENTIAL = `
  select encode(secret_hash, 'hex') as "secretHash", ${isoTimestamp('expires_at')} as "expiresAt", account_holder_id as "accountHolderId"
  from registry_key where id = ?`;

export async function findRegistryKeyCredential(
  em: EntityManager,
  id: string,
): Promise<RegistryKeyCredential | undefined> {
  const [row] = await query<CredentialRow & { accountHolderId: string }>(em, REGISTRY_KEY_CREDENTIAL, [id]);
  return row && { ...stored(row), accountHolderId: row.accountHolderId };
}

export interface ListedKey {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const apiKeyTable = { table: 'api_key', owner: 'user_id' } as const;
const registryKeyTable = { table: 'registry_key', owner: 'account_holder_id' } as const;
type KeyTable = typeof apiKeyTable | typeof registryKeyTable;

async function list(em: EntityManager, { table, owner }: KeyTable, ownerId: string): Promise<ListedKey[]> {
  const rows = await query<{ id: string; createdAt: string; expiresAt: string }>(
    em,
    `select id, ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('expires_at')} as "expiresAt"
     from ${table} k where ${owner} = ? order by k.created_at, id`,
    [ownerId],
  );
  return rows.map(({ id, createdAt, expiresAt }) => ({
    id,
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
  }));
}

/** In the order of their creation, expired ones included. */
export const apiKeysOf = (em: EntityManager, userId: string): Promise<ListedKey[]> => list(em, apiKeyTable, userId);

export const registryKeysOf = (em: EntityManager, accountHolderId: string): Promise<ListedKey[]> =>
  list(em, registryKeyTable, accountHolderId);

/** The key, locked until the end of the transaction, so that of two deletions one finds nothing. */
export const lockApiKey = (em: EntityManager, id: string, userId: string): Promise<ApiKey | null> =>
  em.findOne(ApiKey, { id, userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });

export const lockRegistryKey = (em: EntityManager, id: string, accountHolderId: string): Promise<RegistryKey | null> =>
  em.findOne(RegistryKey, { id, accountHolderId }, { lockMode: LockMode.PESSIMISTIC_WRITE });

interface KeyRow extends ListedKey {
  readonly secretHash: Buffer;
}

export function addApiKey(em: EntityManager, row: KeyRow & { userId: string }): void {
  em.persist(em.create(ApiKey, row));
}

export function addRegistryKey(
  em: EntityManager,
  row: KeyRow & { accountHolderId: string; createdBy: string | null },
): void {
  em.persist(em.create(RegistryKey, row));
}

/** Makes the creations of one account holder's keys wait for each other: his row is in another service's database. */
export async function lockAccountHolderKeys(em: EntityManager, accountHolderId: string): Promise<void> {
  await query(em, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [accountHolderId]);
}

interface KeyCount {
  active: number;
  kept: number;
}

async function count(em: EntityManager, { table, owner }: KeyTable, ownerId: string, now: Date): Promise<KeyCount> {
  const [row] = await query<KeyCount>(
    em,
    `select count(*) filter (where expires_at > ?)::int as active, count(*)::int as kept from ${table} where ${owner} = ?`,
    [now.toISOString(), ownerId],
  );
  return row ?? { active: 0, kept: 0 };
}

export const countApiKeys = (em: EntityManager, userId: string, now: Date): Promise<KeyCount> =>
  count(em, apiKeyTable, userId, now);

export const countRegistryKeys = (em: EntityManager, accountHolderId: string, now: Date): Promise<KeyCount> =>
  count(em, registryKeyTable, accountHolderId, now);
