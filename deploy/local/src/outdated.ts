import { listPending, readMigrations } from '@saleschannel/database';
import { databaseServices, type ServiceName } from '@saleschannel/installation';
import { Client } from 'pg';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/**
 * Finds the services whose database lacks a migration of these sources. A process per service
 * would take most of the time of a start.
 * @param owners URLs with the role that owns the tables, by service
 */
export async function findServicesToMigrate(owners: Readonly<Record<string, string>>): Promise<ServiceName[]> {
  const found = await Promise.all(
    databaseServices.map(async (name) => ((await isOutdated(name, String(owners[name]))) ? [name] : [])),
  );
  return found.flat();
}

async function isOutdated(service: string, url: string): Promise<boolean> {
  const migrations = readMigrations(pathToFileURL(join(projectRoot, 'apps', service, 'src/store/migrations/')));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const select = async (statement: string) => (await client.query<{ name: string }>(statement)).rows;
    return (await listPending(migrations, select)).length > 0;
  } finally {
    await client.end();
  }
}
