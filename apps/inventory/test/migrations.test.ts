import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query, raw, sql, type Database, type Schema } from '@saleschannel/database';
import { isId } from '@saleschannel/primitives';
import { createTestDatabase, execute, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { schema } from '../src/store/schema.ts';
import { largeLedger } from './support/large-ledger.ts';

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

/** Lines of transactions are in eight partitions. */

const open = (url: string, migrations: Schema['migrations'] = schema.migrations): Promise<Database> =>
  openTestDatabase({ url, poolMax: 2, ...schema, migrations });

let created: TestDatabase;
let database: Database;
const readRows = <Row extends object>(text: string): Promise<Row[]> => query(database.em(), sql`${raw(text)}`);
const findErrorCode = async (text: string): Promise<string | undefined> => (await catchFailure(readRows(text))).code;

const LINES = `
  select count(*)::text as rows, sum(hashtextextended(transaction_line::text, 0)::numeric)::text as content
  from transaction_line`;
const PARTITIONS = Array.from({ length: 8 }, (_, index) => `transaction_line_${index}`);

let before: object[];
beforeAll(async () => {
  created = await createTestDatabase();
  const first = schema.migrations.findIndex(({ file }) => file.endsWith('-line-partitions.sql'));
  database = await open(created.url, schema.migrations.slice(0, first));
  await database.migrate();
  await execute(
    created.url,
    'set session_replication_role = replica',
    largeLedger,
    `update transaction_line set unit_price = 1.25, before_bundle_id = 9, source_first = first - 1
     where transaction_id = 'transaction-000007'`,
  );
  before = await readRows(LINES);
  await database.stop();
  database = await open(created.url);
  await database.migrate();
});
afterAll(async () => {
  await database.stop();
  await created.drop();
});

test('the migration moves all lines, into all partitions', async () => {
  expect(before).toMatchObject([{ rows: '10000' }]);
  expect(await readRows(LINES)).toEqual(before);
  const sizes = await Promise.all(
    PARTITIONS.map(
      async (partition) =>
        (await readRows<{ rows: number }>(`select count(*)::int as rows from ${partition}`))[0]?.rows,
    ),
  );
  expect(sizes.map((rows) => rows !== undefined && rows > 1_000)).toEqual(PARTITIONS.map(() => true));
});

test('partitions cannot be changed directly', async () => {
  for (const partition of PARTITIONS)
    for (const text of [`update ${partition} set unit_price = 1`, `delete from ${partition}`, `truncate ${partition}`])
      expect([text, await findErrorCode(text)]).toEqual([text, '23000']);
});

const createLine = (transactionId: string, last: number): string => `
  (transaction_id, ordinal, issuance_id, first, last, bundle_id)
  values ('${transactionId}', 5, '00000000-0000-4000-8000-000000000001', 1, ${last}, 10)`;

test('a line needs its transaction, and a bundle that ends with it', async () => {
  expect(await findErrorCode(`insert into transaction_line ${createLine('transaction-none', 10)}`)).toBe('23503');
  expect(await findErrorCode(`insert into transaction_line ${createLine('transaction-000001', 9)}`)).toBe('23000');
  expect(
    await readRows(`insert into transaction_line ${createLine('transaction-000001', 10)} returning ordinal`),
  ).toEqual([{ ordinal: 5 }]);
  expect(await findErrorCode(`insert into transaction_line ${createLine('transaction-000001', 10)}`)).toBe('23505');
});

test('direct inserts into a partition are checked too', async () => {
  const [found] = await readRows<{ part: string }>(
    `select tableoid::regclass::text as part from transaction_line where transaction_id = 'transaction-000002'`,
  );
  expect(await findErrorCode(`insert into ${found?.part} ${createLine('transaction-000002', 9)}`)).toBe('23000');
});
