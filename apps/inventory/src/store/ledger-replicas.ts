import { query, sql, type EntityManager } from '@saleschannel/database';

/** Longer than a replica stays away before it returns under the same name. */
const DELETED_AFTER_SECONDS = 60;

/** Records a replica as present, by the clock of the database. Returns all present replicas, including this one. */
export async function announceReplica(em: EntityManager, id: string, goneAfterSeconds: number): Promise<string[]> {
  const others = await query<{ id: string }>(
    em,
    sql`with own as (
          insert into ledger_replica (id, seen_at) values (${id}, clock_timestamp())
          on conflict (id) do update set seen_at = excluded.seen_at
        ), deleted as (
          delete from ledger_replica
          where id <> ${id} and seen_at < clock_timestamp() - make_interval(secs => ${DELETED_AFTER_SECONDS})
        )
        select id from ledger_replica
        where id <> ${id} and seen_at > clock_timestamp() - make_interval(secs => ${goneAfterSeconds})`,
  );
  return [id, ...others.map((other) => other.id)];
}

export const removeReplica = (em: EntityManager, id: string): Promise<unknown> =>
  query(em, sql`delete from ledger_replica where id = ${id}`);
