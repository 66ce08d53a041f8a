import type { EntityManager } from './entity-manager.ts';
import { query, raw, sql } from './sql.ts';

/** Condition for append-only tables, whose trigger refuses each change of a row, unconditionally. */
const APPEND_ONLY = `
  exists (
    select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = pg_class.oid and not tgisinternal and tgqual is null and proname like 'refuse%change'
      -- Row-level, before DELETE and UPDATE.
      and tgtype & 27 = 27
  )`;

/** Selects the roles other than the owner that may change rows of the tables. */
const selectGrants = (tables: string): string => `
  select distinct format('%s', pg_class.oid::regclass) as "table", format('%I', rolname) as role
  from pg_class cross join lateral aclexplode(relacl) join pg_roles on pg_roles.oid = grantee
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and grantee <> relowner
    and privilege_type in ('INSERT', 'UPDATE', 'DELETE') and ${tables}`;

/**
 * Condition for tables with the end of a log or hash chain. Without that row, the next entry would start a new chain.
 */
const HEADS = String.raw`relname like '%\_head'`;

/**
 * Revokes rights that the service's role never needs: to change append-only tables and the list of migrations, and to
 * delete heads. The default privileges of deploy/postgres/roles.sh grant all rights on the rows of each new table. The
 * owner of the tables runs this after every migration. With a single role, it finds nothing to revoke.
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
