import { randomBytes } from 'node:crypto';
import { openDatabase, type Database, type DatabaseOptions } from '@saleschannel/database';
import { ensureRole, handOver } from '@saleschannel/local-backends';
import { silentLogger } from '@saleschannel/runtime';
import { Client, escapeIdentifier } from 'pg';

export interface TestDatabase {
  /** With the rights of a superuser. */
  readonly url: string;
  drop(): Promise<void>;
}

/** The roles of all databases that tests make. */
const roles = { owner: 'test_owner', runtime: 'test_service', auditor: 'test_auditor' };
const PASSWORD = 'test';

function urlAs(role: string, url: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = PASSWORD;
  return changed.href;
}

/** The URL of a test's database with the role that owns the tables. */
export const ownerUrlOf = (url: string): string => urlAs(roles.owner, url);
/** With the role that services run with. */
export const runtimeUrlOf = (url: string): string => urlAs(roles.runtime, url);
/** With the role that reads all databases. */
export const auditorUrlOf = (url: string): string => urlAs(roles.auditor, url);

/** The server that Jest's global setup started, as its superuser. */
export function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests through Jest with its global setup');
  return url;
}

/** A busy machine may stand for seconds, and no test of what is done on a connection is about when it came. */
const CONNECT_MS = 60_000;

/** What a test does on a database itself, beside the service that it tests. */
export const openTestDatabase = (options: Omit<DatabaseOptions, 'logger'>): Promise<Database> =>
  openDatabase({ ...options, logger: silentLogger, patience: { connectMs: CONNECT_MS, ...options.patience } });

/** Runs statements with the rights of whom the URL names, one after the other. */
export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Gives a database to the roles that services have, as an operator does after a restore. */
export const handOverTestDatabase = (name: string): Promise<void> => handOver(testServerUrl(), name, roles);

/** An empty database of this test file's own. */
export const createTestDatabase = (): Promise<TestDatabase> => createFrom('template1');

type Migrate = (url: string) => Promise<void>;

/**
 * A database of this test file's own with a schema, as a copy of one that all test files of a run share. Migrations run
 * once for them all, as copying takes a tenth of the time.
 * @param name of the schema
 */
export async function createMigratedDatabase(name: string, migrate: Migrate): Promise<TestDatabase> {
  const prefix = process.env['TEST_TEMPLATES'];
  if (prefix !== undefined) return createFrom(await ensureTemplate(`${prefix}_${name}`, migrate));
  const database = await createTestDatabase();
  await migrate(database.url);
  return database;
}

async function createFrom(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Templates are small and copied fastest as files.
  await asSuperuser(async (client) => {
    await ensureRoles(client);
    await client.query(`create database ${name} template ${escapeIdentifier(template)} strategy file_copy`);
  });
  await handOverTestDatabase(name);
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    drop: () =>
      asSuperuser(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}

/** Makes the template, unless another test file has. It gets its name when it is whole, whoever dies in between. */
const ensureTemplate = (name: string, migrate: Migrate): Promise<string> =>
  asSuperuser(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rowCount) return name;
    const database = await createTestDatabase();
    await migrate(database.url);
    const made = new URL(database.url).pathname.slice(1);
    await client.query(`alter database ${made} rename to ${escapeIdentifier(name)}`);
    return name;
  });

/** Test files that begin at the same time make them one after the other. */
async function ensureRoles(client: Client): Promise<void> {
  await client.query("select pg_advisory_lock(hashtext('roles of tests'))");
  try {
    for (const role of Object.values(roles)) await ensureRole(client, role, PASSWORD);
  } finally {
    await client.query("select pg_advisory_unlock(hashtext('roles of tests'))");
  }
}

async function asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
