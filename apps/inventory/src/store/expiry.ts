import { query, queryFirst, sql, type EntityManager, type Database } from '@saleschannel/database';

/** Finds an expired issuance that is still in the counts of lists, and locks it until the transaction ends. */
async function lockExpiredIssuance(em: EntityManager): Promise<string | undefined> {
  const row = await queryFirst<{ id: string }>(
    em,
    sql`select issuance_id as id from issuance_expiry where expiration_date <= statement_timestamp()
        order by expiration_date limit 1 for update skip locked`,
  );
  if (!row) return undefined;
  // Every move of certificates takes this lock, so none of the issuance moves until the commit.
  await query(em, sql`select id from issuance where id = ${row.id}::uuid for no key update`);
  return row.id;
}

/** Removes the bundles of an expired issuance from the counts, which ignore them from then on. */
async function removeFromTotals(em: EntityManager, issuanceId: string): Promise<void> {
  await query(
    em,
    sql`insert into list_count_delta (list, key, delta)
        select 'certificate', counted.key, -count(*)
        from bundle cross join lateral (
          values ('state/' || state), ('issuance/' || state || '/' || issuance_id),
            ('owner/' || state || '/' || owner_id), ('channel/' || state || '/' || sales_channel_id)
        ) as counted(key)
        where bundle.issuance_id = ${issuanceId}::uuid
          and state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and counted.key is not null
        group by counted.key`,
  );
  await query(em, sql`delete from issuance_expiry where issuance_id = ${issuanceId}::uuid`);
}

/** Removes expired issuances from the totals of lists, each in its own transaction. */
export async function removeExpiredFromTotals(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await uncountOne(database)));
}

/** Returns false if none is left. */
const uncountOne = (database: Database): Promise<boolean> =>
  database.transaction(async (em) => {
    const issuanceId = await lockExpiredIssuance(em);
    if (issuanceId === undefined) return false;
    await removeFromTotals(em, issuanceId);
    return true;
  });
