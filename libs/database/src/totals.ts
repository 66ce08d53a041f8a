import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger, Part } from '@saleschannel/runtime';
import type { Database } from './database.ts';
import { query, queryFirst, raw, sql, type Sql } from './sql.ts';

/**
 * Totals of lists without counting (ADR 21). A service that has such lists has two tables: `list_count` with the rows
 * of each list by key, and `list_count_delta`, to which triggers add in the transaction that changes rows. A row of its
 * own for each change: writers never wait for each other. A job adds deltas up. Both tables together are exact in every
 * snapshot, however late the job is.
 */
export const countedRows = (list: string, keys: readonly string[]): Sql => sql`(
  coalesce((select sum(rows) from list_count where list = ${list} and key = any(${keys}::text[])), 0)
  + coalesce((select sum(delta) from list_count_delta where list = ${list} and key = any(${keys}::text[])), 0)
)`;

/** How many rows the keys of a list have together, an int8 as text. */
export const totalOf = (em: EntityManager, list: string, keys: readonly string[]): Promise<string> =>
  evaluated(em, countedRows(list, keys));

/** A number that an expression makes, as text. */
export async function evaluated(em: EntityManager, expression: Sql): Promise<string> {
  const row = await queryFirst<{ value: string }>(em, sql`select (${expression})::bigint::text as value`);
  if (!row) throw new Error('an expression has no value');
  return row.value;
}

const DELTAS_AT_ONCE = 10_000;

/** Adds up a bounded number of deltas. Returns whether there may be more. One process at a time does it. */
export const foldTotals = (database: Pick<Database, 'transaction'>): Promise<boolean> =>
  database.transaction(async (em) => {
    const lock = await queryFirst<{ isMine: boolean }>(
      em,
      sql`select pg_try_advisory_xact_lock(hashtext(${'list_count'})) as "isMine"`,
    );
    if (lock?.isMine !== true) return false;
    const taken = await queryFirst<{ count: number }>(
      em,
      sql`with taken as (
            delete from list_count_delta
            where id in (select id from list_count_delta order by id limit ${raw(String(DELTAS_AT_ONCE))})
            returning list, key, delta
          ), folded as (
            insert into list_count (list, key, rows)
            select list, key, sum(delta) from taken group by list, key
            on conflict (list, key) do update set rows = list_count.rows + excluded.rows
          )
          select count(*)::int as count from taken`,
    );
    await query(em, sql`delete from list_count where rows = 0`);
    return (taken?.count ?? 0) >= DELTAS_AT_ONCE;
  });

export interface TotalsJob {
  readonly database: Database;
  readonly logger: Logger;
  /** What else is to be done each time. */
  readonly also?: () => Promise<void>;
}

const FOLD_EVERY_MS = 2_000;

/** Keeps the deltas few. Nothing is wrong when it stands still, totals only take longer. */
export function createTotalsJob({ database, logger, also }: TotalsJob): Part {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const fold = async (): Promise<void> => {
    try {
      while (await foldTotals(database));
      await also?.();
    } catch (error) {
      logger.warn({ err: error }, 'cannot add up the totals of lists');
    }
  };
  return {
    start() {
      timer = setInterval(() => (running = running.then(fold)), FOLD_EVERY_MS);
      return Promise.resolve();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
