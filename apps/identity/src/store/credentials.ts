import { isoTimestamp, query, recordset, sql, type EntityManager, type Indexed } from '@saleschannel/database';
import type { SecretHash } from './keys.ts';

/** Columns of a key that its check needs. */
export interface StoredCredential extends SecretHash {
  readonly expiresAt: Date;
  /** True if the key's owner or creator is disabled. */
  readonly isDisabled: boolean;
}

export interface ApiKeyCredential extends StoredCredential {
  readonly userId: string;
  readonly accountHolderId: string | null;
}

export interface RegistryKeyCredential extends StoredCredential {
  readonly accountHolderId: string;
}

/** Timestamps in rows are texts. */
type RowOf<Credential extends StoredCredential> = Indexed<
  Omit<Credential, 'expiresAt'> & { readonly expiresAt: string }
>;

export interface KeyId {
  readonly keyId: string;
}

const keyColumns = { index: 'int', keyId: 'text' } as const;

const withDates = <Row extends { readonly expiresAt: string }>(rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt) }));

export async function findApiKeyCredentials(
  em: EntityManager,
  keys: readonly Indexed<KeyId>[],
): Promise<Indexed<ApiKeyCredential>[]> {
  const rows = await query<RowOf<ApiKeyCredential>>(
    em,
    sql`select input.index, api_key.secret_hash as "secretHash", api_key.pepper_version as "pepperVersion",
          ${isoTimestamp('api_key.expires_at')} as "expiresAt",
          app_user.id as "userId", app_user.account_holder_id as "accountHolderId",
          app_user.disabled_at is not null as "isDisabled"
        from ${recordset('input', keyColumns, keys)}
        join api_key on api_key.id = input."keyId"
        join app_user on app_user.id = api_key.user_id`,
  );
  return withDates(rows);
}

export async function findRegistryKeyCredentials(
  em: EntityManager,
  keys: readonly Indexed<KeyId>[],
): Promise<Indexed<RegistryKeyCredential>[]> {
  const rows = await query<RowOf<RegistryKeyCredential>>(
    em,
    sql`select input.index, registry_key.secret_hash as "secretHash", registry_key.pepper_version as "pepperVersion",
          ${isoTimestamp('registry_key.expires_at')} as "expiresAt",
          registry_key.account_holder_id as "accountHolderId", creator.disabled_at is not null as "isDisabled"
        from ${recordset('input', keyColumns, keys)}
        join registry_key on registry_key.id = input."keyId"
        left join app_user as creator on creator.id = registry_key.created_by`,
  );
  return withDates(rows);
}

/** Replaces a key's hash unless another replica has replaced it already. */
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

/** Replaces a key's hash unless another replica has replaced it already. */
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
