import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { sqlState } from './errors.ts';

/** A file of `src/store/migrations`: literal SQL that never changes after its release. */
export interface MigrationFile {
  /** `<timestamp>-<what>.sql` */
  readonly file: string;
  readonly text: string;
}

const FILE_FORM = /^(\d{14})-([a-z0-9-]+)\.sql$/;

/**
 * The migrations of a service in the order of their timestamps.
 * @throws Error for a file of another form
 */
export function readMigrations(folder: URL): MigrationFile[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  for (const file of files) if (!FILE_FORM.test(file)) throw new Error(`${file} is not <timestamp>-<what>.sql`);
  return files.toSorted().map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));
}

/** What a file begins with whose statements cannot run inside a transaction. */
const OUTSIDE = /^-- Outside a transaction: \S/;
/** One that can be made again after it broke off leaves nothing half done: `drop … if exists` comes first. */
const OUTSIDE_FORM = /^(?:drop index concurrently if exists \w+|create (?:unique )?index concurrently \w+ on .*)$/s;

/** Whether a migration runs statement by statement, as `create index concurrently` has to. */
export const isOutsideTransaction = (text: string): boolean => OUTSIDE.test(text);

/**
 * The statements of a migration that runs outside a transaction.
 * @throws Error for any that would leave something half done when it breaks off
 */
export function statementsOutside({ file, text }: MigrationFile): string[] {
  const statements = text
    .replaceAll(/^[ \t]*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  for (const [index, statement] of statements.entries()) {
    if (!OUTSIDE_FORM.test(statement)) throw new Error(`${file}: only indexes are made outside a transaction`);
    const [, created] = /^create (?:unique )?index concurrently (\w+)/.exec(statement) ?? [];
    if (created !== undefined && statements[index - 1] !== `drop index concurrently if exists ${created}`)
      throw new Error(`${file}: "drop index concurrently if exists ${created}" has to be right before its "create"`);
  }
  return statements;
}

/** How the database remembers that a migration has run. */
export const recordedName = (file: string): string => {
  const [, timestamp = '', what = ''] = FILE_FORM.exec(file) ?? [];
  return `Migration${timestamp}_${what.replaceAll('-', '_')}`;
};

/** PostgreSQL's code for a table that is not there. */
const UNDEFINED_TABLE = '42P01';

/**
 * The migrations that a database lacks: all of them where nothing records any.
 * @param select runs a statement, and returns its rows
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
  return migrations.filter(({ file }) => !names.has(recordedName(file)));
}

/** The migrations as MikroORM takes them. */
export const asMigrationsList = (migrations: readonly MigrationFile[]) =>
  migrations.map(({ file, text }) => {
    class FileMigration extends Migration {
      override up(): void {
        this.addSql(text);
      }
    }
    return { name: recordedName(file), class: FileMigration };
  });
