import { expect, test } from '@jest/globals';
import { query, raw, sql, type Database, type Schema } from '@saleschannel/database';
import { isId } from '@saleschannel/primitives';
import { createTestDatabase, openTestDatabase } from '@saleschannel/testing';
import { schema } from '../src/store/schema.ts';

/** Runs the migrations, then `work` on the database. */
async function withMigrations<T>(
  url: string,
  migrations: Schema['migrations'],
  work: (run: <Row extends object>(text: string) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  const database: Database = await openTestDatabase({ url, poolMax: 1, ...schema, migrations });
  try {
    await database.migrate();
    return await work((text) => query(database.em(), sql`${raw(text)}`));
  } finally {
    await database.stop();
  }
}

const transaction = (id: string, channel: string, status: string, second: number): string =>
  `('${id}', 'RETIREMENT', '${status}', '${channel}', 'seller', 'task-${id}', '2025-01-01T00:00:00Z'::timestamptz,
    ${status === 'PENDING' ? 'null::timestamptz' : `'2025-01-01T00:00:0${second}Z'::timestamptz`})`;

const TRANSACTIONS = [
  transaction('late', 'one', 'REJECTED', 9),
  transaction('early', 'one', 'SUCCESS', 1),
  transaction('open', 'one', 'PENDING', 0),
  transaction('same', 'one', 'SUCCESS', 9),
  transaction('other', 'two', 'FAILED', 5),
].join(', ');

test('the migration numbers earlier endings in their order', async () => {
  const created = await createTestDatabase();
  const first = schema.migrations.findIndex(({ file }) => file.endsWith('-ledger-sequence.sql'));
  await withMigrations(created.url, schema.migrations.slice(0, first), async (run) => {
    await run(
      `insert into ledger_transaction (
         id, type, status, sales_channel_id, seller_id, task_id, created_at, completed_at
       ) values ${TRANSACTIONS}`,
    );
    await run(
      `insert into ledger_transaction (id, type, status, sales_channel_id, buyer_id, created_at, completed_at)
       values ('issued', 'ISSUANCE', 'SUCCESS', 'one', 'b', now(), now())`,
    );
  });
  const { changes, heads } = await withMigrations(created.url, schema.migrations, async (run) => ({
    changes: await run<{ event_id: string }>('select * from status_change order by 1, 2'),
    heads: await run('select * from channel_sequence order by 1'),
  }));
  await created.drop();
  expect(changes).toMatchObject([
    { sales_channel_id: 'one', sequence: '1', transaction_id: 'early', task_id: 'task-early', status: 'SUCCESS' },
    { sales_channel_id: 'one', sequence: '2', transaction_id: 'late', task_id: 'task-late', status: 'REJECTED' },
    { sales_channel_id: 'one', sequence: '3', transaction_id: 'same', task_id: 'task-same', status: 'SUCCESS' },
    { sales_channel_id: 'two', sequence: '1', transaction_id: 'other', task_id: 'task-other', status: 'FAILED' },
  ]);
  expect(changes.every(({ event_id: id }) => isId(id))).toBe(true);
  expect(heads).toEqual([
    { sales_channel_id: 'one', last: '3' },
    { sales_channel_id: 'two', last: '1' },
  ]);
});
