import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asRegistry, catchFailure, toRuntimeUrl } from '@saleschannel/testing';
import { Client } from 'pg';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { createOfframp, createRetirement, toSelection, createTrade } from './support/transfers.ts';

/**
 * The database refuses changes of bundles that no transfer makes, even if the chain would stay valid. Statements run as
 * the role of the service, so that missing rights do not hide missing rules.
 */

let inventory: Inventory;
let runtime: Client;
/** 1-2, 3-4 (of the buyer) and 9-10 are LISTABLE, 5-6 RETIRED, 7-8 RESERVED. */
let issuance: string;
/** HELD by an account holder. */
let held: string;
/** 1-4 are OFFRAMPED, 5-10 LISTABLE. */
let offramped: string;
let transactionId: string;

beforeAll(async () => {
  inventory = await startInventory();
  runtime = new Client({ connectionString: toRuntimeUrl(inventory.service.databaseUrl) });
  await runtime.connect();
});
beforeEach(async () => {
  const { channel, seller, buyer, trader, issue } = inventory.scene();
  issuance = await issue();
  await inventory.settleTransaction(createTrade(seller, trader('other'), [[issuance, 1, 2]]));
  transactionId = await inventory.settleTransaction(createTrade(seller, buyer, [[issuance, 3, 4]]));
  await inventory.settleTransaction(createRetirement(seller, [[issuance, 5, 6]]));
  await inventory.settleTransaction(createTrade(seller, buyer, [[issuance, 7, 8]], { autoApproval: false }));
  const own = createIssuance(`holder-of-${channel}`);
  await inventory.applyIssuances(own);
  held = own.issuanceId;
  offramped = await issue();
  await inventory.settleTransaction(createOfframp(seller, [[offramped, 1, 4]]));
});
afterAll(async () => {
  await runtime.end();
  await audit(inventory.service).finally(() => inventory.stop());
});

const INTEGRITY = '23000';
const NO_RIGHT = '42501';
const findRefusal = async (...statements: string[]): Promise<string | undefined> => {
  const values = { issuance, held, offramped, transaction: transactionId };
  const written = statements.map((text) =>
    text.replaceAll(/\$(\w+)/g, (_match, name: keyof typeof values) => `'${values[name]}'`),
  );
  // PostgreSQL runs statements of one message in one transaction.
  return (await catchFailure(runtime.query(written.join(';\n')))).code;
};
const change = (what: string, last: number, id = '$issuance'): string =>
  `update bundle set ${what} where issuance_id = ${id} and last = ${last}`;
const insertBundle = (first: number, last: number, state: string, id = '$issuance'): string => `
  insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
  values (${id}, ${first - 1}, ${last}, '${state}', 'x', ${['HELD', 'OFFRAMPED'].includes(state) ? 'null' : "'c'"})`;

describe('a forbidden change of state:', () => {
  test.each<[string, string]>([
    ['RETIRED is listed again', change("state = 'LISTABLE'", 6)],
    ['RETIRED changes its owner', change("owner_id = 'x'", 6)],
    ['RETIRED shrinks', change('previous_last = 5', 6)],
    ['RETIRED is offramped', change("state = 'OFFRAMPED', sales_channel_id = null", 6)],
    ['RESERVED shrinks', change('previous_last = 7', 8)],
    ['RESERVED changes its owner', change("owner_id = 'x'", 8)],
    ['RESERVED is retired by another owner', change("state = 'RETIRED', owner_id = 'x'", 8)],
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
  ])('%s', async (_name, statement) => {
    expect(await findRefusal(statement)).toBe(INTEGRITY);
  });
});

describe('a forbidden change of a valid chain:', () => {
  test.each<[string, string[]]>([
    ['the border between two owners moves', [change('last = 1', 2), change('previous_last = 1', 4)]],
    [
      'a retired bundle is deleted',
      ['delete from bundle where issuance_id = $issuance and last = 6', change('previous_last = 4', 8)],
    ],
    [
      'a bundle grows over a bundle of another owner',
      ['delete from bundle where issuance_id = $issuance and last = 2', change('previous_last = 0', 4)],
    ],
    [
      'a merge across owners is recorded',
      [
        `insert into bundle_merge (transaction_id, absorbed_bundle_id, into_bundle_id, issuance_id, first, last)
         select $transaction, absorbed.id, taker.id, absorbed.issuance_id, 1, 2 from bundle absorbed, bundle taker
         where absorbed.issuance_id = $issuance and absorbed.last = 2
           and taker.issuance_id = $issuance and taker.last = 4`,
      ],
    ],
    [
      'a part of a HELD bundle is retired',
      [change('previous_last = 4', 10, '$held'), insertBundle(1, 4, 'RETIRED', '$held')],
    ],
    ['a HELD bundle is split', [change('previous_last = 4', 10, '$held'), insertBundle(1, 4, 'HELD', '$held')]],
    ['a part of a LISTABLE bundle is held', [change('previous_last = 9', 10), insertBundle(9, 9, 'HELD')]],
    [
      'a part of an OFFRAMPED bundle is reserved',
      [change('previous_last = 2', 4, '$offramped'), insertBundle(1, 2, 'RESERVED', '$offramped')],
    ],
  ])('%s', async (_name, statements) => {
    expect(await findRefusal(...statements)).toBe(INTEGRITY);
  });
});

describe('a forbidden new issuance:', () => {
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
    ['of another owner', [copy, root, bundle('0', '10', 'LISTABLE', "'x'", channel), end]],
    [
      'in parts',
      [copy, root, bundle('0', '5', 'LISTABLE', owner, channel), bundle('5', '10', 'LISTABLE', owner, channel), end],
    ],
  ])('%s', async (_name, statements) => {
    expect(await findRefusal(...statements)).toBe(INTEGRITY);
  });
});

test('refuses a line that does not end with its bundle', async () => {
  const line = (bundleId: string): string => `
    insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, bundle_id)
    values ($transaction, 99, $issuance, 3, 4, ${bundleId})`;
  expect(await findRefusal(line('-1'))).toBe(INTEGRITY);
  expect(await findRefusal(line('(select id from bundle where issuance_id = $issuance and last = 10)'))).toBe(
    INTEGRITY,
  );
});

test('refuses changes of onramp keys', async () => {
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
      assets: [toSelection([held, 1, 2])],
      idempotencyKey: 'kept',
    },
    await asRegistry(),
  );
  for (const statement of ["delete from onramp_key where key = 'kept'", "update onramp_key set key = 'x'"]) {
    expect(await findRefusal(statement)).toBe(NO_RIGHT);
    expect((await catchFailure(inventory.transaction(statement))).code).toBe(INTEGRITY);
  }
  const kept = "idempotency_key where key = 'kept' and operation = 'ledger.Onramp'";
  for (const statement of [`delete from ${kept}`, "update idempotency_key set kept_until = now() where key = 'kept'"])
    expect(await findRefusal(statement)).toBe(INTEGRITY);
});
