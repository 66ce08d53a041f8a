import { Client } from 'pg';

/**
 * One statement on a service's database: for audits of what the services left there, never to bring something about.
 */
export async function readSql<Row extends object>(
  databaseUrl: string,
  text: string,
  params: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, params)).rows;
  } finally {
    await client.end();
  }
}
