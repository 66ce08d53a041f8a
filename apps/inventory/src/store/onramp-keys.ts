import { queryFirst, sql, type EntityManager } from '@saleschannel/database';

/** The key of an onramp, with what it stands for. */
export interface OnrampKey {
  readonly accountHolderId: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** False when the key was used before. Waits for another transaction that is about to use it. */
export const insertOnrampKey = async (
  em: EntityManager,
  { accountHolderId, key, fingerprint }: OnrampKey,
  transactionId: string,
): Promise<boolean> =>
  (await queryFirst(
    em,
    sql`insert into onramp_key (account_holder_id, key, fingerprint, transaction_id)
        values (${accountHolderId}, ${key}, ${fingerprint}::bytea, ${transactionId})
        on conflict (account_holder_id, key) do nothing returning key`,
  )) !== undefined;

/** The onramp that the key has made, and whether it was by the same request. */
export const findOnrampByKey = (
  em: EntityManager,
  { accountHolderId, key, fingerprint }: OnrampKey,
): Promise<{ transactionId: string; isSame: boolean } | undefined> =>
  queryFirst(
    em,
    sql`select transaction_id as "transactionId", fingerprint = ${fingerprint}::bytea as "isSame"
        from onramp_key where account_holder_id = ${accountHolderId} and key = ${key}`,
  );
