import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { databaseServices } from './services.ts';

const nameOf = (service: string): string => `saleschannel_${service.replaceAll('-', '_')}`;

/**
 * A database and a role per service on the server of `adminUrl`, whose user must be allowed to make both. What exists is kept.
 * Returns each service's own URL.
 */
export async function prepareDatabases(
  adminUrl: string,
  passwords: Record<string, string>,
): Promise<Record<string, string>> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect().catch((error: unknown) => {
    throw new Error(`the database server of DATABASE_URL cannot be reached: ${(error as Error).message}`);
  });
  try {
    const urls: Record<string, string> = {};
    for (const service of databaseServices)
      urls[service] = await prepare(client, adminUrl, nameOf(service), passwords[service] ?? '');
    return urls;
  } finally {
    await client.end();
  }
}

async function prepare(client: Client, adminUrl: string, name: string, password: string): Promise<string> {
  const identifier = escapeIdentifier(name);
  const role = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  await client.query(
    `${role.rowCount ? 'alter' : 'create'} role ${identifier} login password ${escapeLiteral(password)}`,
  );
  const database = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (!database.rowCount) {
    // The admin of a managed server is no superuser and must belong to the role to give a database to it.
    await client.query(`grant ${identifier} to current_user`);
    await client.query(`create database ${identifier} owner ${identifier}`);
    await client.query(`revoke connect, temporary on database ${identifier} from public`);
  }
  const url = new URL(adminUrl);
  url.username = name;
  url.password = password;
  url.pathname = `/${name}`;
  return url.toString();
}
