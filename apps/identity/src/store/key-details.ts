import { isoTimestamp, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';

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

const columns = sql`
  id, name, ${isoTimestamp('created_at')} as "createdOn", ${isoTimestamp('expires_at')} as "expiresAt",
  ${isoTimestamp('last_used_at')} as "lastUsedOn", made_with_key_id as "madeWithKeyId"`;

/** Lists the API keys of a user and the registry keys of their account holder, oldest first, including expired ones. */
export const listKeyDetails = (em: EntityManager, { userId, accountHolderId }: KeyOwner): Promise<KeyDetail[]> =>
  query(
    em,
    sql`select 'API' as kind, ${columns} from api_key where user_id = ${userId}
        union all
        select 'REGISTRY', ${columns} from registry_key where account_holder_id = ${accountHolderId ?? null}
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
    sql`select 'API' as kind, ${columns} from api_key where id = ${id} and user_id = ${userId} for no key update`,
  )) ??
  queryFirst(
    em,
    sql`select 'REGISTRY' as kind, ${columns} from registry_key
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
