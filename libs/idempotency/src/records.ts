import { query, queryFirst, send, sql, type Database, type EntityManager } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';

/** SQL of the table `idempotency_key` (idempotency.sql). */

/** A repeatable request. */
export interface KeyedRequest {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/**
 * Claims the key until the transaction ends. Waits for another transaction that holds it.
 * @param retentionHours retention of the key, unlimited if undefined
 * @returns false if the key already has a record, which the next statement sees
 */
export async function insertRecord(
  em: EntityManager,
  { scope, operation, key, fingerprint }: KeyedRequest,
  retentionHours: number | undefined,
): Promise<boolean> {
  const inserted = await query(
    em,
    sql`insert into idempotency_key (scope, operation, key, fingerprint, kept_until)
        values (
          ${scope}, ${operation}, ${key}, ${fingerprint},
          clock_timestamp() + ${retentionHours ?? null}::int * interval '1 hour'
        )
        on conflict (scope, operation, key) do nothing returning true`,
  );
  return inserted.length > 0;
}

/** Stores the answer in the record that this transaction has inserted. */
export function storeAnswer(em: EntityManager, { scope, operation, key }: KeyedRequest, answer: Buffer): void {
  send(
    em,
    sql`update idempotency_key set answer = ${answer}
        where scope = ${scope} and operation = ${operation} and key = ${key}`,
  );
}

/** Returns the stored answer, and whether it belongs to the same request. Undefined if the record was deleted. */
export const findRecord = (
  em: EntityManager,
  { scope, operation, key, fingerprint }: KeyedRequest,
): Promise<{ answer: Buffer; isSame: boolean } | undefined> =>
  queryFirst(
    em,
    sql`select answer, fingerprint = ${fingerprint} as "isSame" from idempotency_key
        where scope = ${scope} and operation = ${operation} and key = ${key}`,
  );

/** Deletes some expired records. Returns how many. */
async function deleteExpired(em: EntityManager, atMost: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from idempotency_key where ctid = any (array(
          select ctid from idempotency_key where kept_until <= now() order by kept_until
          limit ${atMost} for update skip locked
        )) returning true`,
  );
  return deleted.length;
}

const INTERVAL_MS = 60_000;
const KEYS_PER_STATEMENT = 500;

/** Deletes expired keys, a bounded number per statement. */
export async function deleteExpiredKeys(database: Database, signal?: AbortSignal): Promise<void> {
  while ((await deleteExpired(database.em(), KEYS_PER_STATEMENT)) === KEYS_PER_STATEMENT && !signal?.aborted);
}

/** Creates a job that deletes expired keys. */
export const createKeyCleanup = (database: Database, logger: Logger): Part =>
  createJob({
    everyMs: INTERVAL_MS,
    work: (signal) => deleteExpiredKeys(database, signal),
    onError: (error) => logger.warn({ err: error }, 'cannot delete expired idempotency keys'),
  });
