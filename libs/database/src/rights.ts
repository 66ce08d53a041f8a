import type { EntityManager } from './entity-manager.ts';
import { query, raw, sql } from './sql.ts';

/** Tables that are only added to: a trigger refuses each change of a row, without a condition. */
const APPEND_ONLY = `
  exists (
    select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = pg_class.oid and not tgisinternal and tgqual is null and proname like 'refuse%change'
      -- For each row, before DELETE and UPDATE.
      and tgtype & 27 = 27
  )`;

/** Who may change rows of the tables because somebody granted it. The owner is not among them. */
const grantedOn = (tables: string): string => `
  select distinct format('%s', pg_class.oid::regclass) as "table", format('%I', rolname) as role
  from pg_class cross join lateral aclexplode(relacl) join pg_roles on pg_roles.oid = grantee
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and grantee <> relowner
    and privilege_type in ('INSERT', 'UPDATE', 'DELETE') and ${tables}`;

/** The end of a log or of a chain of hashes. Without its row the next entry would begin at the start again. */
const HEADS = String.raw`relname like '%\_head'`;

/**
 * Takes from the role that a service runs with what it never does: changes of tables that are only added to and of the
 * list of migrations, and deletes of heads. Each new table comes with all rights to its rows, by the default privileges
 * that deploy/postgres/roles.sh sets. The owner of the tables runs this after every migration. Where one role is all,
 * it finds nobody to take rights from.
 * @param locked tables that are only added to and whose rows are locked, for which PostgreSQL wants a right to change
 * something
 */
export async function restrictRights(em: EntityManager, locked: readonly string[]): Promise<void> {
  const grants = await query<{ table: string; role: string }>(em, sql`${raw(grantedOn(APPEND_ONLY))}`);
  for (const { table, role } of grants) {
    await query(em, sql`${raw(`revoke update, delete on ${table} from ${role}`)}`);
    if (locked.includes(table)) await query(em, sql`${raw(`grant update (id) on ${table} to ${role}`)}`);
  }
  const heads = await query<{ table: string; role: string }>(em, sql`${raw(grantedOn(HEADS))}`);
  for (const { table, role } of heads) await query(em, sql`${raw(`revoke delete on ${table} from ${role}`)}`);
  const records = await query<{ table: string; role: string }>(
    em,
    sql`${raw(grantedOn("relname = 'schema_migration'"))}`,
  );
  for (const { table, role } of records)
    await query(em, sql`${raw(`revoke insert, update, delete on ${table} from ${role}`)}`);
}
