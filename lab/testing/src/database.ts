import { randomBytes } from 'node:crypto';
import { openDatabase, type Database, type DatabaseOptions } from '@saleschannel/database';
import { ensureRole, assignDatabase } from '@saleschannel/local-backends';
import { silentLogger } from '@saleschannel/runtime';
import { Client, escapeIdentifier, Pool } from 'pg';

export interface TestDatabase {
  /** URL with superuser rights. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Roles of all test databases. */
const roles = { owner: 'test_owner', runtime: 'test_service', auditor: 'test_auditor' };
const PASSWORD = 'test';

function urlAs(role: string, url: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = PASSWORD;
  return changed.href;
}

/** URL of a test database with the role that owns the tables. */
export const toOwnerUrl = (url: string): string => urlAs(roles.owner, url);
/** URL with the role that services use. */
export const toRuntimeUrl = (url: string): string => urlAs(roles.runtime, url);
/** URL with the role that reads all databases. */
export const toAuditorUrl = (url: string): string => urlAs(roles.auditor, url);

/** Superuser URL of the server that Jest's global setup started. */
export function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set. Run the tests with `npm run jest`.');
  return url;
}

/** Long, because a busy machine may stall for seconds and no test depends on the time to connect. */
const CONNECT_MS = 60_000;

/** Opens a database for the test, in addition to the connections of the service under test. */
export const openTestDatabase = (options: Omit<DatabaseOptions, 'logger'>): Promise<Database> =>
  openDatabase({ ...options, logger: silentLogger, timeouts: { connectMs: CONNECT_MS, ...options.timeouts } });

/** Runs statements in sequence, with the rights of the URL's role. */
export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Gives a database to the roles of the services, as an operator does after a restore. */
export const handOverTestDatabase = (name: string): Promise<void> => assignDatabase(testServerUrl(), name, roles);

/** Template of empty databases. */
const EMPTY = 'empty';

/** Creates an empty database for this test file. */
export const createTestDatabase = (): Promise<TestDatabase> => createMigratedDatabase(EMPTY, () => Promise.resolve());

type Migrate = (url: string) => Promise<void>;

/**
 * Creates a database with a schema for this test file, as a copy of a template that all test files of a run share.
 * Migrations run once for all, because a copy takes a tenth of the time.
 * @param name of the schema
 */
export async function createMigratedDatabase(name: string, migrate: Migrate): Promise<TestDatabase> {
  const prefix = process.env['TEST_TEMPLATES'];
  return prefix === undefined
    ? createFrom('template1', migrate)
    : copyTemplate(await templateOf(`${prefix}_${name}`, migrate));
}

const newName = (): string => `test_${randomBytes(6).toString('hex')}`;

const testDatabase = (name: string): TestDatabase => ({
  url: Object.assign(new URL(testServerUrl()), { pathname: `/${name}` }).href,
  drop: async () => void (await superuser().query(`drop database if exists ${name} with (force)`)),
});

/** Copies a template with the privileges inside it, and grants those on the database. */
async function copyTemplate(template: string): Promise<TestDatabase> {
  const name = newName();
  // Small templates are copied fastest as files.
  await superuser().query(
    `create database ${name} owner ${roles.owner} template ${escapeIdentifier(template)} strategy file_copy`,
  );
  await superuser().query(`
    revoke all on database ${name} from public;
    grant connect on database ${name} to ${roles.runtime}, ${roles.auditor}`);
  return testDatabase(name);
}

async function createFrom(template: string, migrate: Migrate): Promise<TestDatabase> {
  const name = newName();
  await withLock('roles of tests', async (client) => {
    for (const role of Object.values(roles)) await ensureRole(client, role, PASSWORD);
    await client.query(`create database ${name} template ${template}`);
  });
  await handOverTestDatabase(name);
  const database = testDatabase(name);
  await migrate(database.url);
  return database;
}

/** Templates known to this process, by server and name. */
const templates = new Map<string, Promise<string>>();

/** Creates the template unless another test file has. It gets its name last, so a crash leaves no partial template. */
function templateOf(name: string, migrate: Migrate): Promise<string> {
  const key = `${testServerUrl()} ${name}`;
  const known = templates.get(key) ?? ensureTemplate(name, migrate);
  templates.set(key, known);
  known.catch(() => templates.delete(key));
  return known;
}

const ensureTemplate = (name: string, migrate: Migrate): Promise<string> =>
  withLock(name, async (client) => {
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rowCount) return name;
    const temporaryName = new URL((await createFrom('template1', migrate)).url).pathname.slice(1);
    await client.query(`alter database ${temporaryName} rename to ${escapeIdentifier(name)}`);
    return name;
  });

/** Serializes test files that start at the same time. */
async function withLock<T>(what: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [what]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Connections kept between test files, by server: a new one costs as much as a copy. */
const superusers = new Map<string, Pool>();

function superuser(): Pool {
  const url = testServerUrl();
  const known = superusers.get(url);
  if (known) return known;
  const pool = new Pool({ connectionString: url, max: 4, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A test may stop its server or end all its connections.
  pool.on('error', () => undefined);
  superusers.set(url, pool);
  return pool;
}
