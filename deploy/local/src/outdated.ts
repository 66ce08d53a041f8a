import { readMigrations, recordedName } from '@saleschannel/database';
import { databaseServices, type ServiceName } from '@saleschannel/installation';
import { Client } from 'pg';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** PostgreSQL's code for a table that is not there. */
const UNDEFINED_TABLE = '42P01';

/**
 * Finds the services whose database lacks a migration of these sources. A process per service that finds nothing to do
 * takes longer than everything else of a start.
 * @param owners URLs with the role that owns the tables, by service
 */
export async function findOutdated(owners: Readonly<Record<string, string>>): Promise<ServiceName[]> {
  const found = await Promise.all(
    databaseServices.map(async (name) => ((await isOutdated(name, String(owners[name]))) ? [name] : [])),
  );
  return found.flat();
}

async function isOutdated(service: string, url: string): Promise<boolean> {
  const folder = join(projectRoot, 'apps', service, 'src/store/migrations/');
  const applied = await readApplied(url);
  return readMigrations(pathToFileURL(folder)).some(({ file }) => !applied.has(recordedName(file)));
}

async function readApplied(url: string): Promise<Set<string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select name from schema_migration');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return new Set();
    throw error;
  } finally {
    await client.end();
  }
}
