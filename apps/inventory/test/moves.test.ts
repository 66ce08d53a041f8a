import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asRegistry, failureOf, runtimeUrlOf } from '@saleschannel/testing';
import { Client } from 'pg';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { issuanceOf } from './support/issuances.ts';
import { offrampOf, retirementOf, selectionOf, tradeOf } from './support/transfers.ts';

/**
 * The database refuses what no transfer does to a bundle, also where the chain would still be one. It is asked by the
 * role that the service runs with: what that one may not do at all proves nothing about the rules.
 */

let inventory: Inventory;
let runtime: Client;
/** LISTABLE are 1-2, 3-4 of the buyer, and 9-10; 5-6 are RETIRED, 7-8 RESERVED. */
let issuance: string;
/** HELD by its account holder. */
let held: string;
/** 1-4 are OFFRAMPED, 5-10 LISTABLE. */
let offramped: string;
let transactionId: string;

beforeAll(async () => {
  inventory = await startInventory();
  runtime = new Client({ connectionString: runtimeUrlOf(inventory.service.databaseUrl) });
  await runtime.connect();
});
beforeEach(async () => {
  const { channel, seller, buyer, trader, issue } = inventory.scene();
  issuance = await issue();
  await inventory.transact(tradeOf(seller, trader('other'), [[issuance, 1, 2]]));
  transactionId = await inventory.transact(tradeOf(seller, buyer, [[issuance, 3, 4]]));
  await inventory.transact(retirementOf(seller, [[issuance, 5, 6]]));
  await inventory.transact(tradeOf(seller, buyer, [[issuance, 7, 8]], { autoApproval: false }));
  const own = issuanceOf(`holder-of-${channel}`);
  await inventory.applyIssuances(own);
  held = own.issuanceId;
  offramped = await issue();
  await inventory.transact(offrampOf(seller, [[offramped, 1, 4]]));
});
afterAll(async () => {
  await runtime.end();
  await audit(inventory.service).finally(() => inventory.stop());
});

const INTEGRITY = '23000';
const NO_RIGHT = '42501';
const refusal = async (...statements: string[]): Promise<string | undefined> => {
  const values = { issuance, held, offramped, transaction: transactionId };
  const written = statements.map((text) =>
    text.replaceAll(/\$(\w+)/g, (_match, name: keyof typeof values) => `'${values[name]}'`),
  );
  // PostgreSQL runs statements that are sent together in one transaction.
  return (await failureOf(runtime.query(written.join(';\n')))).code;
};
const change = (what: string, last: number, id = '$issuance'): string =>
  `update bundle set ${what} where issuance_id = ${id} and last = ${last}`;
const open = (first: number, last: number, state: string, id = '$issuance'): string => `
  insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
  values (${id}, ${first - 1}, ${last}, '${state}', 'x', ${['HELD', 'OFFRAMPED'].includes(state) ? 'null' : "'c'"})`;

describe('a state', () => {
  test.each<[string, string]>([
    ['RETIRED is listed again', change("state = 'LISTABLE'", 6)],
    ['RETIRED changes its owner', change("owner_id = 'x'", 6)],
    ['RETIRED shrinks', change('previous_last = 5', 6)],
    ['RETIRED is offramped', change("state = 'OFFRAMPED', sales_channel_id = null", 6)],
    ['RESERVED shrinks', change('previous_last = 7', 8)],
    ['RESERVED changes its owner', change("owner_id = 'x'", 8)],
    ['RESERVED is retired by another one', change("state = 'RETIRED', owner_id = 'x'", 8)],
    ['RESERVED is held', change("state = 'HELD', sales_channel_id = null", 8)],
    ['LISTABLE is held', change("state = 'HELD', sales_channel_id = null", 10)],
    ['LISTABLE enters another channel', change("sales_channel_id = 'x'", 10)],
    ['HELD is retired', change("state = 'RETIRED', sales_channel_id = 'c'", 10, '$held')],
    ['HELD changes its owner', change("owner_id = 'x'", 10, '$held')],
    ['HELD is offramped', change("state = 'OFFRAMPED'", 10, '$held')],
    ['OFFRAMPED is held', change("state = 'HELD'", 4, '$offramped')],
    ['OFFRAMPED is reserved', change("state = 'RESERVED', sales_channel_id = 'c'", 4, '$offramped')],
    ['OFFRAMPED changes its owner', change("owner_id = 'x'", 4, '$offramped')],
    ['a bundle of another issuance', change('issuance_id = $held', 6)],
  ])('%s: refused', async (_name, statement) => {
    expect(await refusal(statement)).toBe(INTEGRITY);
  });
});

describe('a chain that stays one', () => {
  test.each<[string, string[]]>([
    [
      'certificates go from one owner to the next by their border',
      [change('last = 1', 2), change('previous_last = 1', 4)],
    ],
    [
      'a retired bundle goes',
      ['delete from bundle where issuance_id = $issuance and last = 6', change('previous_last = 4', 8)],
    ],
    [
      'a bundle takes in that of another owner',
      ['delete from bundle where issuance_id = $issuance and last = 2', change('previous_last = 0', 4)],
    ],
    [
      'a merge of two owners is made up',
      [
        `insert into bundle_merge (transaction_id, absorbed_bundle_id, into_bundle_id, issuance_id, first, last)
         select $transaction, absorbed.id, taker.id, absorbed.issuance_id, 1, 2 from bundle absorbed, bundle taker
         where absorbed.issuance_id = $issuance and absorbed.last = 2
           and taker.issuance_id = $issuance and taker.last = 4`,
      ],
    ],
    ['a part of what is held is retired', [change('previous_last = 4', 10, '$held'), open(1, 4, 'RETIRED', '$held')]],
    ['a part of what is held is held', [change('previous_last = 4', 10, '$held'), open(1, 4, 'HELD', '$held')]],
    ['a part of what is listed is held', [change('previous_last = 9', 10), open(9, 9, 'HELD')]],
    [
      'a part of what was offramped is reserved',
      [change('previous_last = 2', 4, '$offramped'), open(1, 2, 'RESERVED', '$offramped')],
    ],
  ])('%s: refused', async (_name, statements) => {
    expect(await refusal(...statements)).toBe(INTEGRITY);
  });
});

describe('a new issuance', () => {
  const id = "'00000000-0000-4000-8000-000000000002'";
  const copy = `
    insert into issuance
    select (jsonb_populate_record(issuance, '{"id": "00000000-0000-4000-8000-000000000002"}')).*
    from issuance where id = $issuance`;
  const bundle = (previous: string, last: string, state: string, owner = 'null', channel = 'null'): string => `
    insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
    values (${id}, ${previous}, ${last}, '${state}', ${owner}, ${channel})`;
  const owner = '(select trader_id from issuance where id = $issuance)';
  const channel = '(select sales_channel_id from issuance where id = $issuance)';
  const [root, end] = [bundle('null', '0', 'ROOT'), bundle('10', 'null', 'END')];

  test.each<[string, string[]]>([
    ['without its END', [copy, root, bundle('0', '10', 'LISTABLE', owner, channel)]],
    ['retired at once', [copy, root, bundle('0', '10', 'RETIRED', owner, channel), end]],
    ['of somebody else', [copy, root, bundle('0', '10', 'LISTABLE', "'x'", channel), end]],
    [
      'in parts',
      [copy, root, bundle('0', '5', 'LISTABLE', owner, channel), bundle('5', '10', 'LISTABLE', owner, channel), end],
    ],
  ])('%s: refused', async (_name, statements) => {
    expect(await refusal(...statements)).toBe(INTEGRITY);
  });
});

test('a line of a bundle that it does not end with is refused', async () => {
  const line = (bundleId: string): string => `
    insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, bundle_id)
    values ($transaction, 99, $issuance, 3, 4, ${bundleId})`;
  expect(await refusal(line('-1'))).toBe(INTEGRITY);
  expect(await refusal(line('(select id from bundle where issuance_id = $issuance and last = 10)'))).toBe(INTEGRITY);
});

test('an onramp key is for ever', async () => {
  await inventory.registryImport.Onramp(
    {
      accountHolderId:
        (
          await inventory.service.sql<{ owner: string }>(
            'select owner_id as owner from bundle where issuance_id = $1 and last = 10',
            [held],
          )
        )[0]?.owner ?? '',
      salesChannelId: 'c',
      traderId: 'c-a',
      assets: [selectionOf([held, 1, 2])],
      idempotencyKey: 'kept',
    },
    await asRegistry(),
  );
  for (const statement of ["delete from onramp_key where key = 'kept'", "update onramp_key set key = 'x'"]) {
    expect(await refusal(statement)).toBe(NO_RIGHT);
    expect((await failureOf(inventory.transaction(statement))).code).toBe(INTEGRITY);
  }
  const kept = "idempotency_key where key = 'kept' and operation = 'ledger.Onramp'";
  for (const statement of [`delete from ${kept}`, "update idempotency_key set kept_until = now() where key = 'kept'"])
    expect(await refusal(statement)).toBe(INTEGRITY);
});
