import type { EntityManager } from './entity-manager.ts';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import type { Database } from './database.ts';
import { query, queryFirst, raw, recordset, sql, type Sql } from './sql.ts';

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

/**
 * Adds up a bounded number of deltas, of some keys first. Returns whether there may be more. One process at a time does
 * it, and nobody else changes a delta, so they are taken by their place in the table.
 */
export const foldTotals = (database: Pick<Database, 'transaction'>): Promise<boolean> =>
  database.transaction(async (em) => {
    const lock = await queryFirst<{ isMine: boolean }>(
      em,
      sql`select pg_try_advisory_xact_lock(hashtext(${'list_count'})) as "isMine"`,
    );
    if (lock?.isMine !== true) return false;
    const done = await queryFirst<{ count: number; emptied: Emptied[] | null }>(
      em,
      sql`with taken as (
            delete from list_count_delta
            where ctid = any(array(
              select ctid from list_count_delta order by list, key limit ${raw(String(DELTAS_AT_ONCE))}
            ))
            returning list, key, delta
          ), folded as (
            insert into list_count (list, key, rows)
            select list, key, sum(delta) from taken group by list, key having sum(delta) <> 0
            on conflict (list, key) do update set rows = list_count.rows + excluded.rows
            returning list, key, rows
          )
          select (select count(*)::int from taken) as count,
            (select jsonb_agg(jsonb_build_object('list', list, 'key', key)) from folded where rows = 0) as emptied`,
    );
    if (done?.emptied) await deleteEmpty(em, done.emptied);
    return (done?.count ?? 0) >= DELTAS_AT_ONCE;
  });

/** A list counts no rows under this key any more. */
interface Emptied {
  readonly list: string;
  readonly key: string;
}

async function deleteEmpty(em: EntityManager, emptied: readonly Emptied[]): Promise<void> {
  await query(
    em,
    sql`delete from list_count using ${recordset('emptied', { list: 'text', key: 'text' }, emptied)}
        where list_count.list = emptied.list and list_count.key = emptied.key and list_count.rows = 0`,
  );
}

export interface TotalsJob {
  readonly database: Pick<Database, 'transaction'>;
  readonly logger: Logger;
  /** What else is to be done each time. Ends soon once the signal is aborted. */
  readonly also?: (signal: AbortSignal) => Promise<void>;
}

const FOLD_EVERY_MS = 2_000;

/** Keeps the deltas few. Nothing is wrong when it stands still, totals only take longer. */
export const createTotalsJob = ({ database, logger, also }: TotalsJob): Part =>
  createJob({
    everyMs: FOLD_EVERY_MS,
    async work(signal) {
      while (!signal.aborted && (await foldTotals(database)));
      if (!signal.aborted) await also?.(signal);
    },
    failed: (error) => logger.warn({ err: error }, 'cannot add up the totals of lists'),
  });
