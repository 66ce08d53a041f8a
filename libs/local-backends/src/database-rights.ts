import { Client, escapeIdentifier, escapeLiteral } from 'pg';

/** Roles of one database. deploy/postgres/roles.sh creates the same ones in psql. */
export interface DatabaseRoles {
  /** Owns the database, and creates and changes its tables. */
  readonly owner: string;
  /** Role of the service: reads and writes rows, but cannot change tables. */
  readonly runtime: string;
  /** Reads everything. */
  readonly auditor: string;
}

/** Creates a role that may log in, or changes the password of an existing one. */
export async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const verb = known.rowCount ? 'alter' : 'create';
  await client.query(`${verb} role ${escapeIdentifier(role)} login password ${escapeLiteral(password)}`);
}

/**
 * Makes the owner own a database, and grants access to the other two roles. The owner also gets objects owned by the
 * runtime role. May run again at any time.
 * @param server URL of the administrator, who need not be a superuser
 */
export async function assignDatabase(server: string, database: string, roles: DatabaseRoles): Promise<void> {
  const [name, owner, runtime, auditor] = [database, roles.owner, roles.runtime, roles.auditor].map(escapeIdentifier);
  await withClient(server, async (client) => {
    // The administrator of a managed server is not a superuser, and must belong to the roles to act for them.
    for (const role of [roles.owner, roles.runtime]) {
      const { rows } = await client.query<{ isMember: boolean }>(`select pg_has_role($1, 'member') as "isMember"`, [
        role,
      ]);
      if (!rows[0]?.isMember) await client.query(`grant ${escapeIdentifier(role)} to current_user`);
    }
    await client.query(`alter database ${name} owner to ${owner}`);
    await client.query(`revoke all on database ${name} from public, ${runtime}`);
    await client.query(`grant connect on database ${name} to ${runtime}, ${auditor}`);
  });
  const url = new URL(server);
  url.pathname = `/${database}`;
  await withClient(url.href, async (client) => {
    await client.query(`reassign owned by ${runtime} to ${owner}`);
    await client.query(`set role ${owner}`);
    await client.query('revoke all on schema public from public');
    await client.query(`grant usage on schema public to ${runtime}, ${auditor}`);
    const privileges = 'alter default privileges in schema public grant';
    await client.query(`${privileges} select, insert, update, delete on tables to ${runtime}`);
    await client.query(`${privileges} usage on sequences to ${runtime}`);
    await client.query(`grant usage on all sequences in schema public to ${runtime}`);
    await client.query(`${privileges} select on tables to ${auditor}`);
    await client.query(`grant select on all tables in schema public to ${auditor}`);
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not has_table_privilege($1, oid, 'select')`,
      [roles.runtime],
    );
    // Only tables that it cannot read yet, because migrations have revoked rights on others that it never needs.
    for (const table of rows) await client.query(`grant select, insert, update, delete on ${table.name} to ${runtime}`);
  });
}

/**
 * Revokes from every role the default right to connect to the server's own databases. Without effect if another role
 * owns these.
 * @param server URL of the administrator
 */
export const revokeDefaultConnect = (server: string): Promise<void> =>
  withClient(server, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(datname) as name from pg_database
      where datname in ('postgres', 'template1') and pg_has_role(datdba, 'usage')`,
    );
    for (const { name } of rows) await client.query(`revoke all on database ${name} from public`);
  });

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
