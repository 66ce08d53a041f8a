import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { recordWait } from './pool-metrics.ts';
import type { PreparingClient } from './preparing-client.ts';

/** A statement as MikroORM hands it on. */
export interface Compiled {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What statements run on: a transaction, or any connection of a pool. MikroORM uses it as its transaction, too. */
export interface Executor {
  executeQuery(statement: Compiled): Promise<{ rows: object[] }>;
}

/** By the configuration that all entity managers of a database share. */
const pools = new WeakMap<object, Executor>();

/** Each statement on a connection of its own, which is given back with the answer. */
export function registerPool(em: EntityManager, pool: Pool): void {
  pools.set(em.config, {
    async executeQuery({ sql, parameters }) {
      const client = await connectionOf(pool);
      try {
        return { rows: await client.run({ text: sql, values: parameters }) };
      } finally {
        client.release();
      }
    },
  });
}

/** Pools make connections of this class. */
export async function connectionOf(pool: Pool): Promise<PreparingClient & { release(fault?: Error): void }> {
  const asked = performance.now();
  const client = await pool.connect();
  recordWait(pool, performance.now() - asked);
  return client as never;
}

/** The transaction of the entity manager, or its pool. */
export function executorOf(em: EntityManager): Executor {
  const transaction = em.getTransactionContext() as Executor | undefined;
  const executor = transaction ?? pools.get(em.config);
  if (!executor) throw new Error('this entity manager is of no database that was opened here');
  return executor;
}
