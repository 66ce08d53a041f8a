import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@saleschannel/errors';
import {
  currentLimit,
  type WorkLimit,
  durationHistogram,
  meter,
  type ObservableResult,
  withSpan,
} from '@saleschannel/runtime';
import type { Pool } from 'pg';
import type { PreparingClient } from './connection.ts';
import { toUnavailable, isPlanOutdated, sqlState } from './errors.ts';
import type { EntityManager } from './sql.ts';
import { Transaction } from './transaction.ts';

/** Functions that record how long a user of a pool waited for a connection. */
const recorders = new WeakMap<Pool, (waitedMs: number) => void>();

function recordWait(pool: Pool, waitedMs: number): void {
  recorders.get(pool)?.(waitedMs);
}

/** Observes a pool's connections with the metrics of OpenTelemetry's conventions. Returns a function that stops it. */
export function observePool(pool: Pool, name: string): () => void {
  const attributes = { 'db.client.connection.pool.name': name };
  const gauges = [
    {
      name: 'db.client.connection.count',
      unit: '{connection}',
      description: 'Connections of a pool, by state',
      observe(result: ObservableResult): void {
        result.observe(pool.idleCount, { ...attributes, 'db.client.connection.state': 'idle' });
        result.observe(pool.totalCount - pool.idleCount, { ...attributes, 'db.client.connection.state': 'used' });
      },
    },
    {
      name: 'db.client.connection.limit',
      unit: '{connection}',
      description: 'Maximum connections of a pool',
      observe: (result: ObservableResult) => result.observe(pool.options.max, attributes),
    },
    {
      name: 'db.client.connection.pending_requests',
      unit: '{request}',
      description: 'Requests waiting for a connection of a pool',
      // Until the end of the tick, the pool also counts requests that just received an idle connection.
      observe: (result: ObservableResult) =>
        result.observe(Math.max(0, pool.waitingCount - pool.idleCount), attributes),
    },
  ].map(({ observe, ...gauge }) => {
    const observed = meter().createObservableGauge(gauge.name, gauge);
    observed.addCallback(observe);
    return () => observed.removeCallback(observe);
  });
  const waits = durationHistogram('db.client.connection.wait_time', 'Time that it took to get a connection of a pool');
  recorders.set(pool, (waitedMs) => waits.record(waitedMs / 1_000, attributes));
  return () => {
    recorders.delete(pool);
    for (const end of gauges) end();
  };
}

/** A statement and the values of its parameters. */
export interface CompiledQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Runs statements, in a transaction or on any connection of a pool. */
export interface Executor {
  executeQuery(statement: CompiledQuery): Promise<{ rows: object[] }>;
}

type PooledClient = PreparingClient & { release(fault?: Error): void };

const CHANGES = /\b(?:insert|update|delete|merge)\b/i;

/**
 * Runs each statement on a connection that is released after the answer. Within an RPC, a statement that changes data
 * takes effect only while its caller waits.
 */
export const createPoolExecutor = (pool: Pool): Executor => ({
  async executeQuery(statement) {
    const client = await acquireConnection(pool);
    const limit = currentLimit();
    // Consumers and jobs have no limit: their statements may take long.
    if (limit && CHANGES.test(statement.sql)) return runBeforeDeadline(client, statement, limit);
    try {
      return { rows: await client.run({ text: statement.sql, values: statement.parameters }) };
    } finally {
      client.release();
    }
  },
});

/** Sends begin, statement, deadline check and commit together, in one round trip. */
async function runBeforeDeadline(
  client: PooledClient,
  statement: CompiledQuery,
  limit: WorkLimit,
): Promise<{ rows: object[] }> {
  const transaction = new Transaction(client, undefined, limit);
  let fault: Error | undefined;
  try {
    const [result] = await Promise.all([transaction.executeQuery(statement), transaction.commit()]);
    return result;
  } catch (error) {
    await transaction.rollback().catch((cause: Error) => (fault = cause));
    throw error;
  } finally {
    client.release(fault);
  }
}

/** Waits for a free connection. The pool creates its connections as {@link PreparingClient}. */
async function acquireConnection(pool: Pool): Promise<PooledClient> {
  const startedAt = performance.now();
  const client = await pool.connect();
  recordWait(pool, performance.now() - startedAt);
  return client as never;
}

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
