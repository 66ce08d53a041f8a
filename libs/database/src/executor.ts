import { currentLimit, type WorkLimit } from '@saleschannel/runtime';
import type { Pool } from 'pg';
import { recordWait } from './pool-metrics.ts';
import type { PreparingClient } from './preparing-client.ts';
import { Transaction } from './transaction.ts';

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
export async function acquireConnection(pool: Pool): Promise<PooledClient> {
  const startedAt = performance.now();
  const client = await pool.connect();
  recordWait(pool, performance.now() - startedAt);
  return client as never;
}
