import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

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

/** How the database remembers that a migration has run. */
const recordedName = (file: string): string => {
  const [, timestamp = '', what = ''] = FILE_FORM.exec(file) ?? [];
  return `Migration${timestamp}_${what.replaceAll('-', '_')}`;
};

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
