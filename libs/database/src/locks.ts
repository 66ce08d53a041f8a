import type { EntityManager } from './entity-manager.ts';
import { query, sql } from './sql.ts';

/**
 * Locks names until the transaction ends, for whatever has no row that could be locked (yet). In one order, so that two
 * transactions with the same names do not wait for each other in a circle.
 */
export async function lockNames(em: EntityManager, names: readonly string[]): Promise<void> {
  await query(
    em,
    sql`select pg_advisory_xact_lock(named.key)
        from (
          select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) as wanted (name) order by key
          offset 0
        ) as named`,
  );
}
