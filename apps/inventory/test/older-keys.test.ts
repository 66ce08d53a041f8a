import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId, fingerprintRequest } from '@saleschannel/primitives';
import { asRegistry, eventually, catchFailure } from '@saleschannel/testing';
import { Client } from 'pg';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { toSelection, type Part } from './support/transfers.ts';

/** Keys of onramps while replicas of the previous release, which use only onramp_key, still run. */

const HOLDER = 'ramp';
let inventory: Inventory;
let older: Client;
let newer: Client;
beforeAll(async () => {
  inventory = await startInventory();
  [older, newer] = [0, 1].map(() => new Client({ connectionString: inventory.service.databaseUrl })) as [
    Client,
    Client,
  ];
  await Promise.all([older.connect(), newer.connect()]);
});
afterAll(async () => {
  await Promise.all([older.end(), newer.end()]);
  await inventory.stop();
});

let issuanceId: string;
let key: string;
beforeEach(async () => {
  const issuance = createIssuance(HOLDER);
  await inventory.applyIssuances(issuance);
  [issuanceId, key] = [issuance.issuanceId, newId()];
});

const fingerprint = () =>
  fingerprintRequest({ accountHolderId: HOLDER, salesChannelId: 'ramp', assets: [[issuanceId, '1', '4']] });

const onramp = async (part: Part = [issuanceId, 1, 4]) => {
  const { transactionId, replayed } = await inventory.registryImport.Onramp(
    {
      accountHolderId: HOLDER,
      salesChannelId: 'ramp',
      traderId: 'ramp-a',
      assets: [toSelection(part)],
      idempotencyKey: key,
    },
    await asRegistry(),
  );
  return { id: transactionId, replayed };
};

/** Claims a key like the previous release. Returns false if the key has an onramp. */
async function claimOlder(id: string, client = older): Promise<boolean> {
  const { rows } = await client.query(
    `insert into onramp_key (account_holder_id, key, fingerprint, transaction_id) values ($1, $2, $3, $4)
     on conflict (account_holder_id, key) do nothing returning key`,
    [HOLDER, key, fingerprint(), id],
  );
  return rows.length > 0;
}

/** Does not change bundles. */
async function insertTransaction(client: Client, id: string): Promise<void> {
  await client.query(
    `insert into ledger_transaction (
       id, type, status, sales_channel_id, seller_id, buyer_id, account_holder_id, created_at, completed_at
     ) values ($1, 'ONRAMP', 'SUCCESS', 'ramp', $2, 'ramp-a', $2, now(), now())`,
    [id, HOLDER],
  );
  await client.query(
    `insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, bundle_id)
     select $1, 0, issuance_id, previous_last + 1, last, id from bundle where issuance_id = $2 and state = 'HELD'`,
    [id, issuanceId],
  );
}

async function onrampOlder(): Promise<string | undefined> {
  const id = newId();
  await older.query('begin');
  const claimed = await claimOlder(id);
  if (claimed) await insertTransaction(older, id);
  await older.query('commit');
  return claimed ? id : undefined;
}

const findOlder = async () =>
  (
    await older.query<{ id: string }>(
      'select transaction_id as id from onramp_key where account_holder_id = $1 and key = $2',
      [HOLDER, key],
    )
  ).rows[0]?.id;

const claim = async (): Promise<boolean> =>
  (
    await newer.query(
      `insert into idempotency_key (scope, operation, key, fingerprint)
       values ($1, 'ledger.Onramp', $2, $3) on conflict (scope, operation, key) do nothing returning true`,
      [`holder/${HOLDER}`, key, fingerprint()],
    )
  ).rows.length > 0;

const waitForLock = (client: Client) =>
  eventually(async () => {
    const { processID } = client as Client & { processID: number };
    const [found] = await inventory.service.sql(
      "select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
      [processID],
    );
    return found !== undefined;
  }, 'a wait for the key');

const findOnramps = async () =>
  (
    await inventory.service.sql<{ id: string }>(
      `select transaction.id from ledger_transaction as transaction join idempotency_key
         on convert_from(answer, 'UTF8') = transaction.id and operation = 'ledger.Onramp' where key = $1`,
      [key],
    )
  ).map(({ id }) => id);

test('an older replica does not repeat an onramp of a newer one', async () => {
  const { id, replayed } = await onramp();
  expect({ replayed, again: await onrampOlder(), found: await findOlder() }).toEqual({
    replayed: false,
    again: undefined,
    found: id,
  });
});

test('a newer replica does not repeat an onramp of an older one', async () => {
  const id = await onrampOlder();
  expect(await onramp()).toEqual({ id, replayed: true });
  expect(await catchFailure(onramp([issuanceId, 1, 3]))).toMatchObject({ code: 'idempotency-key-reused' });
  expect(await inventory.listRanges('ramp-a', issuanceId)).toEqual([]);
});

test.each(['commit', 'rollback'] as const)('an older replica waits for the %s of a newer one', async (end) => {
  const id = newId();
  await newer.query('begin');
  expect(await claim()).toBe(true);
  const again = onrampOlder();
  await waitForLock(older);
  await insertTransaction(newer, id);
  await newer.query(
    "update idempotency_key set answer = convert_to($1, 'UTF8') where operation = 'ledger.Onramp' and key = $2",
    [id, key],
  );
  await newer.query(end);
  expect(await again).toEqual(end === 'commit' ? undefined : expect.any(String));
  expect(await findOnramps()).toEqual([await findOlder()]);
  expect((await findOlder()) === id).toBe(end === 'commit');
});

test.each(['commit', 'rollback'] as const)('a newer replica waits for the %s of an older one', async (end) => {
  const id = newId();
  await older.query('begin');
  expect(await claimOlder(id)).toBe(true);
  await insertTransaction(older, id);
  const answer = onramp();
  await eventually(async () => {
    const [found] = await inventory.service.sql(
      `select from pg_stat_activity
       where wait_event_type = 'Lock' and query ~ 'idempotency_key' and datname = current_database()`,
    );
    return found !== undefined;
  }, 'a wait for the key');
  await older.query(end);
  const { id: answered, replayed } = await answer;
  expect(replayed).toBe(end === 'commit');
  expect(answered === id).toBe(end === 'commit');
  expect(await findOnramps()).toEqual([answered]);
});

test('equal concurrent requests to replicas of both releases create one onramp', async () => {
  for (let round = 0; round < 5; round++) {
    key = newId();
    const [fromOlder, ...fromNewer] = await Promise.all([onrampOlder(), onramp(), onramp()]);
    const id = await findOlder();
    expect(fromNewer.map((answer) => answer.id)).toEqual([id, id]);
    const first = fromNewer.filter(({ replayed }) => !replayed).length;
    expect(first).toBe(fromOlder === undefined ? 1 : 0);
    expect(await findOnramps()).toEqual([id]);
    if (fromOlder === undefined) break;
  }
});
