import { readdirSync, readFileSync } from 'node:fs';
import { Migration, type Migrator } from '@mikro-orm/migrations';
import { type EntityManager, queryFirst, sql, query, raw } from './sql.ts';
import { sqlState } from './errors.ts';

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

/** Condition for tables with the end of a log or hash chain. Without that row, the next entry starts a new chain. */
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

/** A file of `src/store/migrations`, with literal SQL that never changes after its release. */
export interface MigrationFile {
  /** `<timestamp>-<what>.sql` */
  readonly file: string;
  readonly text: string;
}

const FILE_FORM = /^(\d{14})-([a-z0-9-]+)\.sql$/;

/**
 * Reads the migrations of a service in the order of their timestamps.
 * @throws Error for a file name of another form
 */
export function readMigrations(folder: URL): MigrationFile[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  for (const file of files) if (!FILE_FORM.test(file)) throw new Error(`${file} is not <timestamp>-<what>.sql`);
  return files.toSorted().map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));
}

/** First line of a file whose statements cannot run in a transaction. */
const OUTSIDE = /^-- Outside a transaction: \S/;
/** Form of statements that can be repeated after an interruption. `drop … if exists` comes first. */
const OUTSIDE_FORM = /^(?:drop index concurrently if exists \w+|create (?:unique )?index concurrently \w+ on .*)$/s;

/** Whether a migration runs statement by statement, as `create index concurrently` requires. */
export const isOutsideTransaction = (text: string): boolean => OUTSIDE.test(text);

/**
 * Returns the statements of a migration that runs outside a transaction.
 * @throws Error for a statement that cannot be repeated after an interruption
 */
function parseOutsideStatements({ file, text }: MigrationFile): string[] {
  const statements = text
    .replaceAll(/^[ \t]*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  for (const [index, statement] of statements.entries()) {
    if (!OUTSIDE_FORM.test(statement)) throw new Error(`${file}: only indexes may be created outside a transaction`);
    const [, created] = /^create (?:unique )?index concurrently (\w+)/.exec(statement) ?? [];
    if (created !== undefined && statements[index - 1] !== `drop index concurrently if exists ${created}`)
      throw new Error(`${file}: "drop index concurrently if exists ${created}" must come right before its "create"`);
  }
  return statements;
}

/** Name under which the database records a migration. */
const toRecordedName = (file: string): string => {
  const [, timestamp = '', what = ''] = FILE_FORM.exec(file) ?? [];
  return `Migration${timestamp}_${what.replaceAll('-', '_')}`;
};

/** SQLSTATE of a missing table. */
const UNDEFINED_TABLE = '42P01';

/**
 * Returns the migrations that a database lacks: those that it has not recorded.
 * @param select runs a statement and returns its rows
 */
export async function listPending(
  migrations: readonly MigrationFile[],
  select: (statement: string) => Promise<readonly { readonly name: string }[]>,
): Promise<MigrationFile[]> {
  const recorded = await select('select name from schema_migration').catch((error: unknown) => {
    if (sqlState(error) === UNDEFINED_TABLE) return [];
    throw error;
  });
  const names = new Set(recorded.map(({ name }) => name));
  return migrations.filter(({ file }) => !names.has(toRecordedName(file)));
}

/** Converts migrations to MikroORM's form. */
export const toMigrationsList = (migrations: readonly MigrationFile[]) =>
  migrations.map(({ file, text }) => {
    class FileMigration extends Migration {
      override up(): void {
        this.addSql(text);
      }
    }
    return { name: toRecordedName(file), class: FileMigration };
  });

/**
 * Runs consecutive migrations in one transaction, and runs those that cannot run in a transaction statement by
 * statement. An interrupted migration is not recorded, and starts again next time.
 */
export async function runPending(
  migrator: Pick<Migrator, 'up' | 'logMigration'>,
  pending: readonly MigrationFile[],
  execute: (statement: string) => Promise<unknown>,
): Promise<void> {
  let together: string[] = [];
  const runTogether = async (): Promise<void> => {
    if (together.length > 0) await migrator.up({ migrations: together });
    together = [];
  };
  for (const migration of pending) {
    const name = toRecordedName(migration.file);
    if (!isOutsideTransaction(migration.text)) {
      together.push(name);
      continue;
    }
    await runTogether();
    for (const statement of parseOutsideStatements(migration)) await execute(statement);
    await migrator.logMigration(name);
  }
  await runTogether();
}

/** Migrations cast bytes to numbers, which earlier servers do not support. */
const OLDEST_MAJOR = 18;
const MAJOR = 10_000;

/** @throws Error if the server is too old, which would otherwise show in the middle of migrations */
export async function expectSupportedServer(em: EntityManager): Promise<void> {
  const server = await queryFirst<{ number: number; version: string }>(
    em,
    sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  if (server) assertSupported(server.number, server.version);
}

/** @param number in the form of `server_version_num`: 180004 for 18.4 */
export function assertSupported(number: number, version: string): void {
  if (number < OLDEST_MAJOR * MAJOR)
    throw new Error(`PostgreSQL ${OLDEST_MAJOR} or later is needed, but this server is PostgreSQL ${version}.`);
}
