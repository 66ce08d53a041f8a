import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** The server that Jest's global setup started, as its superuser. */
export function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests through Jest with its global setup');
  return url;
}

/** A database of this test file's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The template is small and copied fastest as files.
  await asSuperuser((client) => client.query(`create database ${name} strategy file_copy`));
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    drop: () =>
      asSuperuser(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
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
