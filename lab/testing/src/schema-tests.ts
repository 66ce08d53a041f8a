import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Schema } from '@saleschannel/database';
import { Client } from 'pg';
import { createTestDatabase, openTestDatabase, type TestDatabase } from './database.ts';
import { describeSchema, hashMigration } from './describe-schema.ts';

/**
 * Tests that a service's released migrations are unchanged and that its schema is the one that its code expects.
 * @param store the service's folder `src/store/`, where `npm run migrations` records both
 */
export function schemaTests(store: URL, schema: Schema): void {
  const read = (name: string): string => readFileSync(new URL(name, store), 'utf8');

  test('the released migrations are unchanged, byte for byte', () => {
    const hashes = schema.migrations.map(({ file, text }) => [file, hashMigration(text)]);
    expect(Object.fromEntries(hashes)).toEqual(JSON.parse(read('migrations/released.json')));
  });

  test('migrations depend on no session setting and are plain SQL', () => {
    for (const { file, text } of schema.migrations) {
      expect([file, /\$\{|current_setting|current_user/.exec(text)?.[0]]).toEqual([file, undefined]);
    }
  });

  let created: TestDatabase;
  beforeAll(async () => {
    created = await createTestDatabase();
    const database = await openTestDatabase({ url: created.url, poolMax: 2, ...schema });
    await database.migrate().finally(() => database.stop());
  });
  afterAll(() => created.drop());

  test('all migrations together create the schema of schema.txt', async () => {
    const client = new Client({ connectionString: created.url });
    await client.connect();
    const found = await describeSchema(client).finally(() => client.end());
    expect(found).toBe(read('schema.txt'));
  });
}
