import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DomainError } from '@saleschannel/errors';
import { currentLimit, withSpan } from '@saleschannel/runtime';
import type { EntityManager } from './entity-manager.ts';
import { toUnavailable, isPlanOutdated, sqlState } from './errors.ts';
import { acquireConnection } from './executor.ts';
import { Transaction } from './transaction.ts';

export interface TransactionOptions {
  /** For work whose wait for a lock would delay others. */
  readonly lockTimeoutMs?: number;
}

const MAX_TRANSACTION_ATTEMPTS = 6;
const RETRY_BASE_MS = 5;

/** serialization_failure and deadlock_detected: PostgreSQL rolled back the whole transaction, so a retry is right. */
const retryableStates = new Set(['40001', '40P01']);

/** Callbacks to run after the commits of open transactions. */
const followUps = new WeakMap<object, (() => void)[]>();

/**
 * Calls a function after the transaction has committed, and never otherwise. Effects that must survive a crash in
 * between belong in a row that the transaction writes.
 * @throws Error outside of a transaction
 */
export function afterCommit(em: EntityManager, followUp: () => void): void {
  const following = followUps.get(em);
  if (!following) throw new Error('afterCommit() needs a transaction.');
  following.push(followUp);
}

/** Pool of the transactions, and a factory for their units of work. */
interface Resources {
  em(inTransaction: Transaction): EntityManager;
  readonly pool: Pool;
}

/** Runs a transaction, and retries it a bounded number of times. See {@link Database.transaction}. */
export async function runTransaction<T>(
  resources: Resources,
  work: (em: EntityManager) => Promise<T> | T,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const following: (() => void)[] = [];
    try {
      const result = await withSpan(
        'transaction',
        { kind: 'client', attributes: { 'db.system.name': 'postgresql' } },
        () => runOnce(resources, work, options, following),
      );
      for (const followUp of following) followUp();
      return result;
    } catch (error) {
      const cause = unwrap(error);
      const isRetryable = retryableStates.has(sqlState(cause) ?? 'none') || isPlanOutdated(cause);
      if (!isRetryable || attempt >= MAX_TRANSACTION_ATTEMPTS) throw toUnavailable(error);
      await delay(Math.random() * RETRY_BASE_MS * 2 ** attempt);
    }
  }
}

async function runOnce<T>(
  { em: createUnit, pool }: Resources,
  work: (em: EntityManager) => Promise<T> | T,
  { lockTimeoutMs }: TransactionOptions,
  following: (() => void)[],
): Promise<T> {
  const client = await acquireConnection(pool);
  const run = new Transaction(client, lockTimeoutMs, currentLimit());
  const em = createUnit(run);
  followUps.set(em, following);
  let rollbackError: Error | undefined;
  try {
    const result = await work(em);
    await run.commit();
    return result;
  } catch (error) {
    // A connection that cannot roll back is discarded. The server rolls back when its client disconnects.
    await run.rollback().catch((cause: Error) => (rollbackError = cause));
    throw error;
  } finally {
    em.leaveTransaction();
    client.release(rollbackError);
  }
}

/** Returns the error that caused an 'unavailable' error, or another error unchanged. */
const unwrap = (error: unknown): unknown =>
  error instanceof DomainError && error.code === 'unavailable' ? error.cause : error;
