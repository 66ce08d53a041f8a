import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asUser, eventually, execute, useReplicatedServer, type ReplicatedServer } from '@saleschannel/testing';
import { Client } from 'pg';
import { audit } from './support/audit.ts';
import { jsonOf, startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { tradeOf } from './support/transfers.ts';
import { versionsFrom } from './support/versions.ts';

/** Whoever has learnt of their trade finds it in every list, whatever the standby does from which lists are read. */

interface Transaction {
  readonly id: string;
  readonly assets: readonly object[];
}

let server: ReplicatedServer;
let inventory: Inventory;
let versions: ReturnType<typeof versionsFrom>;
let scene: Scene;
beforeAll(async () => {
  server = await useReplicatedServer();
  inventory = await startInventory({ DATABASE_READ_ADDRESS: server.standby.address });
  versions = versionsFrom(inventory);
  scene = inventory.scene();
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
  await server.stop();
});

async function transactions(): Promise<Transaction[]> {
  const options = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
  return jsonOf(inventory.gateway.ListTransactions({ filter: null, descending: true }, options));
}

/** Trades, and reads all lists that tell of it after each trade. */
async function tradeAndRead(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const { seller, buyer } = scene;
    const issuanceId = await scene.issue();
    const held = await versions.list(seller);
    const page = await versions.page(seller, { limit: 100 });
    const transactionId = await inventory.transact(tradeOf(seller, buyer, [[issuanceId, 1, 2]]));

    const truth = await versions.truth(seller);
    expect(await versions.list(seller, held.version)).toEqual(truth);
    expect(await versions.page(seller, { limit: 100 }, page.version)).toMatchObject({
      unchanged: false,
      ranges: truth.ranges.slice(0, 100),
    });
    expect((await versions.list(seller, truth.version)).unchanged).toBe(true);
    expect((await versions.list(buyer)).ranges).toContain(`${issuanceId}_1-${issuanceId}_2`);
    const [newest] = await transactions();
    expect(newest).toMatchObject({ id: transactionId, assets: [expect.anything()] });
  }
}

/** Transactions that ended on the standby in the service's database. */
async function readsOfStandby(): Promise<number> {
  const client = new Client({ connectionString: server.standby.urlOf(inventory.service.databaseUrl) });
  await client.connect();
  try {
    const { rows } = await client.query<{ ended: string }>(
      'select xact_commit::text as ended from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.ended);
  } finally {
    await client.end();
  }
}

const MANY = 20;

/** Reads until the standby has answered some of it. */
async function usesStandby(): Promise<void> {
  const before = await readsOfStandby();
  await eventually(async () => {
    for (let reads = 0; reads < MANY; reads++) await versions.list(scene.seller);
    return (await readsOfStandby()) > before + MANY;
  }, 'lists of the standby');
}

test('while it is near', async () => {
  await usesStandby();
  await tradeAndRead(30);
});

test('while it shows nothing new, and after', async () => {
  await server.standby.pauseReplay();
  await tradeAndRead(5);
  await server.standby.resumeReplay();
  await tradeAndRead(10);
  await usesStandby();
});

test('while it stands still, and after', async () => {
  server.standby.freeze();
  await tradeAndRead(5);
  server.standby.thaw();
  await tradeAndRead(10);
  await usesStandby();
});

test('while it is gone, and after', async () => {
  await server.standby.kill();
  await tradeAndRead(5);
  await server.standby.start();
  await tradeAndRead(10);
  await usesStandby();
});

test('beside a session that reads on the standby for long', async () => {
  const reader = new Client({ connectionString: server.standby.urlOf(inventory.service.databaseUrl) });
  await reader.connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select count(*) from bundle');
  // Cleans up rows that the reader sees: replay has to wait for it, or to end it.
  await tradeAndRead(3);
  await execute(inventory.service.databaseUrl, 'vacuum bundle');
  await tradeAndRead(5);
  await reader.end();
});
