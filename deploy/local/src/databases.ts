import { databaseRoles, databaseUrlOf, type DatabaseRole, type Secrets } from '@saleschannel/installation';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

/**
 * Makes a role and a database for each service, and keeps those that exist.
 * @param adminUrl the server, with a user who may make roles and databases
 * @returns each service's own URL
 */
export async function prepareDatabases(adminUrl: string, secrets: Secrets): Promise<Record<string, string>> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect().catch((error: unknown) => {
    throw new Error(`the database server of DATABASE_URL cannot be reached: ${(error as Error).message}`);
  });
  try {
    const urls: Record<string, string> = {};
    for (const databaseRole of databaseRoles(secrets)) {
      await prepare(client, databaseRole);
      urls[databaseRole.service] = databaseUrlOf(databaseRole.service, secrets, adminUrl);
    }
    return urls;
  } finally {
    await client.end();
  }
}

async function prepare(client: Client, { role, password }: DatabaseRole): Promise<void> {
  const identifier = escapeIdentifier(role);
  const roles = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  await client.query(
    `${roles.rowCount ? 'alter' : 'create'} role ${identifier} login password ${escapeLiteral(password)}`,
  );
  const databases = await client.query('select 1 from pg_database where datname = $1', [role]);
  if (databases.rowCount) return;
  // The administrator of a managed server is no superuser, and must belong to the role to give a database to it.
  await client.query(`grant ${identifier} to current_user`);
  await client.query(`create database ${identifier} owner ${identifier}`);
  await client.query(`revoke connect, temporary on database ${identifier} from public`);
}
