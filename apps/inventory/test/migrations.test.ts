import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query, raw, sql, type Database, type Schema } from '@saleschannel/database';
import { createTestDatabase, execute, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { schema } from '../src/store/schema.ts';
import { largeLedger } from './support/large-ledger.ts';

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
