import type { EntityManager } from './entity-manager.ts';
import { query, raw, sql } from './sql.ts';

/** Append-only tables: a trigger refuses each change of a row, unconditionally. */
const APPEND_ONLY = `
  exists (
    select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = pg_class.oid and not tgisinternal and tgqual is null and proname like 'refuse%change'
      -- Row-level, before DELETE and UPDATE.
      and tgtype & 27 = 27
  )`;

/** Selects grantees that may change rows of the tables, without the owner. */
const selectGrants = (tables: string): string => `
  select distinct format('%s', pg_class.oid::regclass) as "table", format('%I', rolname) as role
  from pg_class cross join lateral aclexplode(relacl) join pg_roles on pg_roles.oid = grantee
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and grantee <> relowner
    and privilege_type in ('INSERT', 'UPDATE', 'DELETE') and ${tables}`;

/** The end of a log or hash chain. Without its row the next entry would start a new one. */
const HEADS = String.raw`relname like '%\_head'`;

/**
 * Revokes rights that the service's role never needs: changes of append-only tables and of the list of migrations, and
 * deletes of heads. Each new table has all rights on its rows, by the default privileges of deploy/postgres/roles.sh.
 * The owner of the tables runs this after every migration. With a single role it finds nothing to revoke.
 * @param locked append-only tables whose rows are locked, for which PostgreSQL requires a right to update a column
 */
export async function restrictRights(em: EntityManager, locked: readonly string[]): Promise<void> {
  const grants = await query<{ table: string; role: string }>(em, sql`${raw(selectGrants(APPEND_ONLY))}`);
  for (const { table, role } of grants) {
    await query(em, sql`${raw(`revoke update, delete on ${table} from ${role}`)}`);
    if (locked.includes(table)) await query(em, sql`${raw(`grant update (id) on ${table} to ${role}`)}`);
  }
  const heads = await query<{ table: string; role: string }>(em, sql`${raw(selectGrants(HEADS))}`);
  for (const { table, role } of heads) await query(em, sql`${raw(`revoke delete on ${table} from ${role}`)}`);
  const records = await query<{ table: string; role: string }>(
    em,
    sql`${raw(selectGrants("relname = 'schema_migration'"))}`,
  );
  for (const { table, role } of records)
    await query(em, sql`${raw(`revoke insert, update, delete on ${table} from ${role}`)}`);
}
