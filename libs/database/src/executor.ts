import { currentLimit, type WorkLimit } from '@saleschannel/runtime';
import type { Pool } from 'pg';
import { recordWait } from './pool-metrics.ts';
import type { PreparingClient } from './preparing-client.ts';
import { Transaction } from './transaction.ts';

/** A statement as MikroORM hands it on. */
export interface Compiled {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What statements run on: a transaction, or any connection of a pool. MikroORM uses it as its transaction, too. */
export interface Executor {
  executeQuery(statement: Compiled): Promise<{ rows: object[] }>;
}

type PooledClient = PreparingClient & { release(fault?: Error): void };

const CHANGES = /\b(?:insert|update|delete|merge)\b/i;

/**
 * Each statement on a connection of its own, which is given back with the answer. Within a call, one that changes
 * something takes effect only while its caller waits.
 */
export const createPoolExecutor = (pool: Pool): Executor => ({
  async executeQuery(statement) {
    const client = await connectionOf(pool);
    const limit = currentLimit();
    // Consumers and jobs have no limit, and long statements.
    if (limit && CHANGES.test(statement.sql)) return runInTime(client, statement, limit);
    try {
      return { rows: await client.run({ text: statement.sql, values: statement.parameters }) };
    } finally {
      client.release();
    }
  },
});

/** Begin, statement, check of the time and commit travel together, in one round trip. */
async function runInTime(client: PooledClient, statement: Compiled, limit: WorkLimit): Promise<{ rows: object[] }> {
  const transaction = new Transaction(client, undefined, limit);
  let fault: Error | undefined;
  try {
    const [result] = await Promise.all([transaction.executeQuery(statement), transaction.commit()]);
    return result;
  } catch (error) {
    await transaction.rollback().catch((rollbackFault: Error) => (fault = rollbackFault));
    throw error;
  } finally {
    client.release(fault);
  }
}

/** Pools make connections of this class. */
export async function connectionOf(pool: Pool): Promise<PooledClient> {
  const asked = performance.now();
  const client = await pool.connect();
  recordWait(pool, performance.now() - asked);
  return client as never;
}
