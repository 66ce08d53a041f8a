import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createTrade } from './support/transfers.ts';

/** The database refuses changes that would break the ledger, independently of the code. */

let inventory: Inventory;
let issuance: string;
let transactionId: string;

beforeAll(async () => {
  inventory = await startInventory();
});
beforeEach(async () => {
  const { seller, buyer, issue } = inventory.scene();
  issuance = await issue();
  // 1-3, 4-6 and 7-10.
  transactionId = await inventory.settleTransaction(
    createTrade(seller, buyer, [
      [issuance, 1, 3],
      [issuance, 4, 6],
    ]),
  );
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const [UNIQUE, FOREIGN, CHECK, INTEGRITY] = ['23505', '23503', '23514', '23000'];
const findRefusal = async (...statements: string[]): Promise<string | undefined> => {
  const written = statements.map((text) =>
    text.replaceAll('$issuance', `'${issuance}'`).replaceAll('$transaction', `'${transactionId}'`),
  );
  return (await catchFailure(inventory.transaction(...written))).code;
};

const bundle = (first: number | null, last: number | null, state = 'LISTABLE'): string => {
  const holder = state === 'ROOT' || state === 'END' ? 'null, null' : "'x', 'c'";
  return `insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
          values ($issuance, ${first === null ? 'null' : first - 1}, ${last}, '${state}', ${holder})`;
};

describe('the database refuses a bundle', () => {
  test.each([
    ['over another bundle', [bundle(4, 6)], UNIQUE],
    ['over the start of another bundle', [bundle(4, 5)], UNIQUE],
    ['over the end of another bundle', [bundle(5, 6)], UNIQUE],
    ['in the middle of another bundle', [bundle(5, 5)], FOREIGN],
    ['over several bundles', [bundle(1, 10)], UNIQUE],
    ['behind the last bundle', [bundle(11, 20)], UNIQUE],
    ['before the first bundle', [bundle(-5, 0)], UNIQUE],
    ['far from the others', [bundle(101, 110)], FOREIGN],
    ['in a second chain of the issuance', [bundle(null, 4, 'ROOT'), bundle(5, 8), bundle(9, null, 'END')], INTEGRITY],
    ['in a second chain that pretends to be the first', [bundle(null, 0, 'ROOT')], UNIQUE],
    ['that ends before it starts', [bundle(5, 3)], CHECK],
    ['without an owner', [`update bundle set owner_id = '' where issuance_id = $issuance and last = 6`], CHECK],
    [
      'of a trader without a channel',
      [`update bundle set sales_channel_id = null where issuance_id = $issuance and last = 6`],
      INTEGRITY,
    ],
    ['in an unknown state', [`update bundle set state = 'LOST' where issuance_id = $issuance and last = 6`], CHECK],
  ])('%s', async (_name, statements, code) => {
    expect(await findRefusal(...statements)).toBe(code);
  });
});

describe('the database refuses a chain with', () => {
  const where = (last: string): string => `where issuance_id = $issuance and last ${last}`;
  test.each([
    ['a bundle in the middle deleted', [`delete from bundle ${where('= 6')}`], INTEGRITY],
    ['the last bundle deleted', [`delete from bundle ${where('= 10')}`], INTEGRITY],
    [
      'the first bundle deleted, and the next one grown over a part of it',
      [`delete from bundle ${where('= 3')}`, `update bundle set previous_last = 1 ${where('= 6')}`],
      INTEGRITY,
    ],
    ['a gap before a bundle', [`update bundle set previous_last = 4 ${where('= 6')}`], FOREIGN],
    [
      'a bundle grown over a part of the preceding bundle',
      [`update bundle set previous_last = 2 ${where('= 6')}`],
      FOREIGN,
    ],
    ['a bundle grown over the whole preceding bundle', [`update bundle set previous_last = 0 ${where('= 6')}`], UNIQUE],
    ['a bundle grown at its end', [`update bundle set last = 7 ${where('= 6')}`], INTEGRITY],
    [
      'one certificate less at the start',
      [`update bundle set last = 1 ${where('= 0')}`, `update bundle set previous_last = 1 ${where('= 3')}`],
      INTEGRITY,
    ],
    [
      'one certificate more at the end',
      [`update bundle set last = 11 ${where('= 10')}`, `update bundle set previous_last = 11 ${where('is null')}`],
      INTEGRITY,
    ],
    ['no END', [`delete from bundle ${where('is null')}`], INTEGRITY],
    ['no ROOT', [`delete from bundle ${where('= 0')}`], INTEGRITY],
    ['all bundles deleted', ['delete from bundle where issuance_id = $issuance'], INTEGRITY],
    [
      'an END in the middle',
      [`update bundle set state = 'END', last = null, owner_id = null, sales_channel_id = null ${where('= 10')}`],
      INTEGRITY,
    ],
    ['its table truncated', ['truncate bundle cascade'], INTEGRITY],
  ])('%s', async (_name, statements, code) => {
    expect(await findRefusal(...statements)).toBe(code);
  });

  const withUnknownIssuance = (statement: string): string =>
    statement.replace('$issuance', "'00000000-0000-4000-8000-00000000dead'");
  test.each([
    ['a bundle of an unknown issuance', [withUnknownIssuance(bundle(1, 10))], FOREIGN],
    ['a root of an unknown issuance', [withUnknownIssuance(bundle(null, 0, 'ROOT'))], INTEGRITY],
    [
      'a whole chain of an unknown issuance',
      [bundle(null, 0, 'ROOT'), bundle(1, 10), bundle(11, null, 'END')].map(withUnknownIssuance),
      INTEGRITY,
    ],
    ['a second end', [bundle(11, null, 'END')], UNIQUE],
    ['an end of fewer certificates', [bundle(9, null, 'END')], INTEGRITY],
    ['an end of more certificates, with a bundle up to it', [bundle(11, 20), bundle(21, null, 'END')], UNIQUE],
    [
      'a wrong end among many right rows of one statement',
      [
        `insert into bundle (issuance_id, previous_last, last, state)
         select id, last_serial + 1, null, 'END' from issuance`,
      ],
      INTEGRITY,
    ],
  ])('%s', async (_name, statements, code) => {
    expect(await findRefusal(...statements)).toBe(code);
  });

  test('a line of an unknown issuance', async () => {
    const line = withUnknownIssuance(
      `insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, bundle_id)
       select $transaction, 99, $issuance, 1, 3, id from bundle limit 1`,
    );
    expect(await findRefusal(line)).toBe(INTEGRITY);
  });

  test('an issuance without bundles', async () => {
    const copy = `
      insert into issuance
      select (jsonb_populate_record(issuance, '{"id": "00000000-0000-4000-8000-000000000001"}')).*
      from issuance where id = $issuance`;
    expect(await findRefusal(copy)).toBe(INTEGRITY);
  });
});

describe('the database refuses', () => {
  test.each([
    [
      'a change of a completed transaction',
      "update ledger_transaction set status = 'FAILED' where id = $transaction",
      INTEGRITY,
    ],
    ['deletion of a transaction', 'delete from ledger_transaction where id = $transaction', INTEGRITY],
    ['truncation of transactions', 'truncate ledger_transaction cascade', INTEGRITY],
    ['a change of a line', 'update transaction_line set unit_price = 1 where transaction_id = $transaction', INTEGRITY],
    ['deletion of a line', 'delete from transaction_line where transaction_id = $transaction', INTEGRITY],
    ['a change of an issuance', 'update issuance set last_serial = 11 where id = $issuance', INTEGRITY],
    ['deletion of an issuance', 'delete from issuance where id = $issuance', INTEGRITY],
    ['truncation of merges', 'truncate bundle_merge', INTEGRITY],
    ['truncation of refusals', 'truncate transfer_refusal', INTEGRITY],
    [
      'a second transaction of a task',
      `insert into ledger_transaction (
         id, type, status, sales_channel_id, seller_id, buyer_id, task_id, created_at, completed_at
       )
       select 'copy', type, status, sales_channel_id, seller_id, buyer_id, task_id, created_at, completed_at
       from ledger_transaction where id = $transaction`,
      UNIQUE,
    ],
    [
      'a negative price',
      `insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, unit_price, bundle_id)
       values ($transaction, 99, $issuance, 1, 1, -1, 1)`,
      CHECK,
    ],
    [
      'a pending transaction with a time of completion',
      `insert into ledger_transaction (id, type, status, task_id, created_at, completed_at)
       values ('p', 'OFFRAMP', 'PENDING', 'p', now(), now())`,
      CHECK,
    ],
    [
      'a trade without a buyer',
      `insert into ledger_transaction (id, type, status, seller_id, task_id, created_at)
       values ('p', 'TRADE', 'PENDING', 's', 'p', now())`,
      CHECK,
    ],
  ])('%s', async (_name, statement, code) => {
    expect(await findRefusal(statement)).toBe(code);
  });

  test('any change of a pending transaction except to its final status', async () => {
    const { seller, buyer, issue } = inventory.scene();
    transactionId = await inventory.settleTransaction(
      createTrade(seller, buyer, [[await issue(), 1, 3]], { autoApproval: false }),
    );
    expect(await findRefusal("update ledger_transaction set buyer_id = 'x' where id = $transaction")).toBe(INTEGRITY);
    expect(
      await findRefusal("update ledger_transaction set created_at = now() - interval '1 day' where id = $transaction"),
    ).toBe(INTEGRITY);
  });
});
