import { query, queryFirst, raw, recordset, sql, type EntityManager } from '@saleschannel/database';

/** A locked task to be archived. */
export interface EndedTask {
  readonly id: string;
  readonly salesChannelId: string;
  /** Month of its end, `YYYY-MM-01`. */
  readonly month: string;
}

/** Tables from which ended tasks are archived. `task_before` has tasks that ended before the archive existed. */
export type EndedTaskTable = 'task' | 'task_before';

const MONTH = raw(`to_char(updated_at at time zone 'UTC', 'YYYY-MM-01')`);

/**
 * Locks ended tasks in the order of their ids, which is the order of creation. Skips tasks that another replica has
 * locked.
 * @param after starts after this id
 * @param idsBelow leaves out tasks that are too young to have ended before the given time
 */
export const lockEnded = (
  em: EntityManager,
  from: EndedTaskTable,
  { endedBefore, idsBelow, after, limit }: { endedBefore: Date; idsBelow: string; after: string; limit: number },
): Promise<EndedTask[]> =>
  query(
    em,
    sql`select id, sales_channel_id as "salesChannelId", ${MONTH} as month from ${raw(from)}
        where id > ${after} and id < ${idsBelow} and status <> 'PENDING' and updated_at < ${endedBefore.toISOString()}
        order by id limit ${limit} for update skip locked`,
  );

const selections = {
  task: sql`task.assets`,
  task_before: sql`(
    select jsonb_agg(jsonb_build_object('start', asset -> 'start', 'end', asset -> 'end') order by place)
    from jsonb_array_elements(task.request -> 'assets') with ordinality as named (asset, place)
  )`,
} as const satisfies Record<EndedTaskTable, unknown>;

/** Moves locked tasks into the archive, whose partitions must exist. */
export async function moveIntoArchive(
  em: EntityManager,
  from: EndedTaskTable,
  tasks: readonly EndedTask[],
): Promise<void> {
  const given = recordset('given', { id: 'text', salesChannelId: 'text' }, tasks);
  await query(
    em,
    sql`with ended as materialized (
          select task.id, task.sales_channel_id, task.operation, task.idempotency_key, task.fingerprint,
            task.trader_id, ${selections[from]} as assets, task.status, task.message, task.transaction_id,
            task.ledger_sequence, task.created_at, task.updated_at
          from ${given}
          join ${raw(from)} as task on task.id = given.id and task.sales_channel_id = given."salesChannelId"
        ), kept as (
          insert into task_archive (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets,
            status, message, transaction_id, ledger_sequence, created_at, ended_at)
          select * from ended
        ), places as (
          delete from ledger_place using ended
          where ledger_place.sales_channel_id = ended.sales_channel_id
            and ledger_place.sequence = ended.ledger_sequence and ledger_place.task_id = ended.id
        )
        insert into archived_key (key_hash, task_id, ended_at)
        select task_key_hash(sales_channel_id, operation, idempotency_key), id, updated_at from ended`,
  );
  // A trigger refuses the deletion of tasks that are not in the archive.
  await query(
    em,
    sql`delete from ${raw(from)} as task using ${given}
        where task.id = given.id and task.sales_channel_id = given."salesChannelId"`,
  );
}

/** Creates the archive's partition for a month, if it does not exist. @param month `YYYY-MM-01` */
export async function createArchiveMonth(em: EntityManager, month: string): Promise<void> {
  await query(em, sql`select make_archive_month(${month}::date)`);
}

/** Returns this month and the next one, `YYYY-MM-01`. */
export async function listComingMonths(em: EntityManager): Promise<string[]> {
  const rows = await query<{ month: string }>(
    em,
    sql`select to_char(now() at time zone 'UTC' + make_interval(months => ahead), 'YYYY-MM-01') as month
        from unnest(${[0, 1]}::int[]) as ahead`,
  );
  return rows.map(({ month }) => month);
}

/** Drops the months of the archive beyond the whole months to keep. Returns their number. */
export async function dropMonths(em: EntityManager, kept: number): Promise<number> {
  const rows = await query(
    em,
    sql`select drop_archive_month(month) from (
          select to_date(right(relname, 7), 'YYYY_MM') as month
          from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'task_archive'::regclass
        ) as months
        where month < (date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${kept}))::date`,
  );
  return rows.length;
}

const removeDropped = async (em: EntityManager, table: 'exceptional_task' | 'archived_key', limit: number) => {
  const row = await queryFirst<{ count: number }>(
    em,
    sql`with gone as (
          delete from ${raw(table)} where ctid = any(array(
            select ctid from ${raw(table)}
            where ended_at < (select (max(month) + interval '1 month') at time zone 'UTC' from dropped_archive)
            order by ended_at limit ${limit}
          ))
          returning 1
        )
        select count(*)::int as count from gone`,
  );
  return row?.count ?? 0;
};

/** Removes the list rows of tasks whose month was dropped, up to a limit. Returns their number. */
export const removeDroppedExceptions = (em: EntityManager, limit: number): Promise<number> =>
  removeDropped(em, 'exceptional_task', limit);

/** Removes keys whose month was dropped, up to a limit. Returns their number. */
export const removeDroppedKeys = (em: EntityManager, limit: number): Promise<number> =>
  removeDropped(em, 'archived_key', limit);
