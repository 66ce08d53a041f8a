import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import type { Database } from './database.ts';
import { type EntityManager, query, queryFirst, raw, recordset, sql, type Sql } from './sql.ts';

/**
 * Expression for the total of a list, without counting its rows (ADR 21). A service with such lists has two tables:
 * `list_count` with the number of rows of each list by key, and `list_count_delta`, to which triggers add a row in the
 * transaction of each change, so writers never wait for each other. A job adds the deltas up. Both tables together are
 * exact in every snapshot, regardless of the job.
 */
export const totalExpression = (list: string, keys: readonly string[]): Sql => sql`(
  coalesce((select sum(rows) from list_count where list = ${list} and key = any(${keys}::text[])), 0)
  + coalesce((select sum(delta) from list_count_delta where list = ${list} and key = any(${keys}::text[])), 0)
)`;

/** Returns the number of rows of a list with one of these keys, an int8 as text. */
export const readTotal = (em: EntityManager, list: string, keys: readonly string[]): Promise<string> =>
  evaluate(em, totalExpression(list, keys));

/** Returns the value of an integer expression, as text. */
export async function evaluate(em: EntityManager, expression: Sql): Promise<string> {
  const row = await queryFirst<{ value: string }>(em, sql`select (${expression})::bigint::text as value`);
  if (!row) throw new Error('The expression returned no value.');
  return row.value;
}

const DELTAS_PER_RUN = 10_000;

/**
 * Adds up a bounded number of deltas, in the order of their keys. Returns whether there may be more. Only one process
 * at a time runs it, and deltas are never updated, so it can select them by their position in the table.
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
              select ctid from list_count_delta order by list, key limit ${raw(String(DELTAS_PER_RUN))}
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
    return (done?.count ?? 0) >= DELTAS_PER_RUN;
  });

/** A key of a list without rows. */
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
  /** Additional work of each run. Ends soon once the signal is aborted. */
  readonly also?: (signal: AbortSignal) => Promise<void>;
}

const INTERVAL_MS = 2_000;

/** Creates a job that adds up deltas. Without it, totals stay correct but take longer to read. */
export const createTotalsJob = ({ database, logger, also }: TotalsJob): Part =>
  createJob({
    everyMs: INTERVAL_MS,
    async work(signal) {
      while (!signal.aborted && (await foldTotals(database)));
      if (!signal.aborted) await also?.(signal);
    },
    onError: (error) => logger.warn({ err: error }, 'cannot add up the totals of lists'),
  });

/** A number of rows, counted up to a limit. */
export interface BoundedCount {
  /** At most {@link MAX_COUNTED}. */
  readonly count: number;
  readonly isMore: boolean;
}

/** A reader needs no exact number beyond this, and each row costs the database a read. */
const MAX_COUNTED = 1_000;

/**
 * Limits the statement of {@link countBounded}, or a part of it. Allows one row more, to find out whether there are
 * more.
 */
export const countLimit = raw(`limit ${MAX_COUNTED + 1}`);

/** Counts the rows of a statement, up to a limit. */
export async function countBounded(em: EntityManager, rows: Sql): Promise<BoundedCount> {
  const found = await queryFirst<{ count: number }>(
    em,
    sql`select count(*)::int as count from (select from (${rows}) as counted ${countLimit}) as found`,
  );
  if (!found) throw new Error('The count returned no row.');
  return { count: Math.min(found.count, MAX_COUNTED), isMore: found.count > MAX_COUNTED };
}
