import { query, queryFirst, send, sql, type EntityManager } from '@saleschannel/database';

/** The SQL of table `idempotency_key` (idempotency.sql). */

/** One request that may be repeated. */
export interface KeyedRequest {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/**
 * Claims the key until the transaction ends. Waits for another transaction that holds it.
 * @param keptHours undefined keeps the key for ever
 * @returns false when the key has a record, which the next statement sees
 */
export async function insertRecord(
  em: EntityManager,
  { scope, operation, key, fingerprint }: KeyedRequest,
  keptHours: number | undefined,
): Promise<boolean> {
  const inserted = await query(
    em,
    sql`insert into idempotency_key (scope, operation, key, fingerprint, kept_until)
        values (
          ${scope}, ${operation}, ${key}, ${fingerprint},
          clock_timestamp() + ${keptHours ?? null}::int * interval '1 hour'
        )
        on conflict (scope, operation, key) do nothing returning true`,
  );
  return inserted.length > 0;
}

/** Keeps the answer with the record that this transaction has inserted. */
export function keepAnswer(em: EntityManager, { scope, operation, key }: KeyedRequest, answer: Buffer): void {
  send(
    em,
    sql`update idempotency_key set answer = ${answer}
        where scope = ${scope} and operation = ${operation} and key = ${key}`,
  );
}

/** Undefined when the record was deleted meanwhile. */
export const findRecord = (
  em: EntityManager,
  { scope, operation, key, fingerprint }: KeyedRequest,
): Promise<{ answer: Buffer; isSame: boolean } | undefined> =>
  queryFirst(
    em,
    sql`select answer, fingerprint = ${fingerprint} as "isSame" from idempotency_key
        where scope = ${scope} and operation = ${operation} and key = ${key}`,
  );

/** Deletes some records whose time is over. Returns how many. */
export async function deleteExpired(em: EntityManager, atMost: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from idempotency_key where ctid = any (array(
          select ctid from idempotency_key where kept_until <= now() order by kept_until
          limit ${atMost} for update skip locked
        )) returning true`,
  );
  return deleted.length;
}
