import { query, send, sql, type EntityManager } from '@saleschannel/database';

interface NewSecret {
  readonly id: string;
  readonly endpointId: string;
  readonly createdAt: string;
  readonly sealed: string;
  readonly sealedUnder: string;
}

export function insertSecret(em: EntityManager, { id, endpointId, createdAt, sealed, sealedUnder }: NewSecret): void {
  send(
    em,
    sql`insert into endpoint_secret (id, endpoint_id, created_at, sealed, sealed_under)
        values (${id}, ${endpointId}, ${createdAt}::timestamptz, ${sealed}, ${sealedUnder})`,
  );
}

/**
 * Limits the lifetime of the secrets of a locked endpoint.
 * @param kept number of newest secrets that stay valid until `endsAt`. Older ones are deleted at once
 */
export function endSecrets(em: EntityManager, endpointId: string, endsAt: string, kept: number): void {
  send(
    em,
    sql`delete from endpoint_secret where id in (
          select id from endpoint_secret where endpoint_id = ${endpointId} order by created_at desc, id desc
          offset ${kept}
        )`,
  );
  send(
    em,
    sql`update endpoint_secret set expires_at = least(expires_at, ${endsAt}::timestamptz)
        where endpoint_id = ${endpointId}`,
  );
}

export interface StoredSecret {
  readonly id: string;
  readonly endpointId: string;
  readonly sealed: string;
}

/** Finds secrets that are sealed under another key. */
export const findSealedUnderOthers = (em: EntityManager, keyId: string, limit: number): Promise<StoredSecret[]> =>
  query(
    em,
    sql`(
          select id, endpoint_id as "endpointId", sealed from endpoint_secret
          where sealed_under < ${keyId} limit ${limit}
        )
        union all
        (
          select id, endpoint_id, sealed from endpoint_secret where sealed_under > ${keyId} limit ${limit}
        )
        limit ${limit}`,
  );

export async function reseal(em: EntityManager, id: string, sealed: string, sealedUnder: string): Promise<void> {
  await query(em, sql`update endpoint_secret set sealed = ${sealed}, sealed_under = ${sealedUnder} where id = ${id}`);
}

/** Deletes expired secrets, and returns their number. */
export async function deleteEndedSecrets(em: EntityManager, now: string, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from endpoint_secret where id = any (array(
          select id from endpoint_secret where expires_at <= ${now}::timestamptz order by expires_at
          limit ${limit} for update skip locked
        )) returning id`,
  );
  return deleted.length;
}
