import { isoTimestamp, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { SecretHash } from './keys.ts';

/** What the check of a credential needs of its key. */
export interface StoredCredential extends SecretHash {
  readonly expiresAt: Date;
  /** Whether the user is disabled whose key it is, or who made it. */
  readonly isDisabled: boolean;
}

export interface ApiKeyCredential extends StoredCredential {
  readonly userId: string;
  readonly accountHolderId: string | null;
}

export interface RegistryKeyCredential extends StoredCredential {
  readonly accountHolderId: string;
}

/** Rows come with timestamps as text. */
type RowOf<Credential extends StoredCredential> = Omit<Credential, 'expiresAt'> & { readonly expiresAt: string };

export async function findApiKeyCredential(em: EntityManager, keyId: string): Promise<ApiKeyCredential | undefined> {
  const row = await queryFirst<RowOf<ApiKeyCredential>>(
    em,
    sql`select api_key.secret_hash as "secretHash", api_key.pepper_version as "pepperVersion",
          ${isoTimestamp('api_key.expires_at')} as "expiresAt",
          app_user.id as "userId", app_user.account_holder_id as "accountHolderId",
          app_user.disabled_at is not null as "isDisabled"
        from api_key join app_user on app_user.id = api_key.user_id where api_key.id = ${keyId}`,
  );
  return row && { ...row, expiresAt: new Date(row.expiresAt) };
}

export async function findRegistryKeyCredential(
  em: EntityManager,
  keyId: string,
): Promise<RegistryKeyCredential | undefined> {
  const row = await queryFirst<RowOf<RegistryKeyCredential>>(
    em,
    sql`select registry_key.secret_hash as "secretHash", registry_key.pepper_version as "pepperVersion",
          ${isoTimestamp('registry_key.expires_at')} as "expiresAt",
          registry_key.account_holder_id as "accountHolderId", creator.disabled_at is not null as "isDisabled"
        from registry_key left join app_user as creator on creator.id = registry_key.created_by
        where registry_key.id = ${keyId}`,
  );
  return row && { ...row, expiresAt: new Date(row.expiresAt) };
}

/** Replaces the hash that was found. Of several at the same time the first one does it. */
export async function replaceApiKeyHash(
  em: EntityManager,
  keyId: string,
  found: SecretHash,
  { secretHash, pepperVersion }: SecretHash,
): Promise<void> {
  await query(
    em,
    sql`update api_key set secret_hash = ${secretHash}, pepper_version = ${pepperVersion}
        where id = ${keyId} and pepper_version = ${found.pepperVersion}`,
  );
}

/** Replaces the hash that was found. Of several at the same time the first one does it. */
export async function replaceRegistryKeyHash(
  em: EntityManager,
  keyId: string,
  found: SecretHash,
  { secretHash, pepperVersion }: SecretHash,
): Promise<void> {
  await query(
    em,
    sql`update registry_key set secret_hash = ${secretHash}, pepper_version = ${pepperVersion}
        where id = ${keyId} and pepper_version = ${found.pepperVersion}`,
  );
}
