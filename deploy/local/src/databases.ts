import {
  AUDITOR_ROLE,
  toAuditUrl,
  databaseRoles,
  toDatabaseUrl,
  toMigrationUrl,
  type DatabaseRole,
  type Secrets,
} from '@saleschannel/installation';
import { ensureRole, assignDatabase } from '@saleschannel/local-backends';
import { Client, escapeIdentifier } from 'pg';

export interface DatabaseUrls {
  /** URLs by service. */
  readonly urls: Readonly<Record<string, string>>;
  /** URLs with the role that owns the tables, by service. */
  readonly owners: Readonly<Record<string, string>>;
  /** URL of the role that reads all databases. */
  readonly auditUrl: string;
}

/**
 * Creates missing roles and databases of services.
 * @param adminUrl the server, with a user who may create roles and databases
 * @param isHere true if the database of a service is on this server
 */
export async function prepareDatabases(
  adminUrl: string,
  secrets: Secrets,
  isHere: (service: string) => boolean = () => true,
): Promise<DatabaseUrls> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect().catch((error: unknown) => {
    throw new Error(`The database server of DATABASE_URL cannot be reached: ${(error as Error).message}`);
  });
  try {
    await ensureRole(client, AUDITOR_ROLE, secrets.databaseAuditorPassword);
    const urls: Record<string, string> = {};
    const owners: Record<string, string> = {};
    const here = databaseRoles(secrets).filter(({ service }) => isHere(service));
    for (const databaseRole of here) await ensureDatabase(client, databaseRole);
    await Promise.all(
      here.map(({ role, owner }) => assignDatabase(adminUrl, role, { owner, runtime: role, auditor: AUDITOR_ROLE })),
    );
    for (const databaseRole of here) {
      urls[databaseRole.service] = toDatabaseUrl(databaseRole.service, secrets, adminUrl);
      owners[databaseRole.service] = toMigrationUrl(databaseRole.service, secrets, adminUrl);
    }
    return { urls, owners, auditUrl: toAuditUrl(secrets, adminUrl) };
  } finally {
    await client.end();
  }
}

async function ensureDatabase(client: Client, databaseRole: DatabaseRole): Promise<void> {
  const { role, password, owner, ownerPassword } = databaseRole;
  await ensureRole(client, owner, ownerPassword);
  await ensureRole(client, role, password);
  const databases = await client.query('select 1 from pg_database where datname = $1', [role]);
  if (!databases.rowCount) await client.query(`create database ${escapeIdentifier(role)}`);
}
