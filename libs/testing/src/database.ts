import { randomBytes } from 'node:crypto';
import { ensureRole, handOver } from '@saleschannel/local-backends';
import { Client } from 'pg';

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

/** A database of this test file's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The template is small and copied fastest as files.
  await asSuperuser(async (client) => {
    await ensureRoles(client);
    await client.query(`create database ${name} strategy file_copy`);
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
