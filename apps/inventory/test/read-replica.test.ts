import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asUser, eventually, execute, useReplicatedServer, type ReplicatedServer } from '@saleschannel/testing';
import { Client } from 'pg';
import { audit } from './support/audit.ts';
import { readJson, startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createTrade } from './support/transfers.ts';
import { createVersionReads } from './support/versions.ts';

/** A client that knows of a trade finds it in every list, in any state of the standby that serves lists. */

interface Transaction {
  readonly id: string;
  readonly assets: readonly object[];
}

let server: ReplicatedServer;
let inventory: Inventory;
let versions: ReturnType<typeof createVersionReads>;
let scene: Scene;
beforeAll(async () => {
  server = await useReplicatedServer();
  inventory = await startInventory({ DATABASE_READ_ADDRESS: server.standby.address });
  versions = createVersionReads(inventory);
  scene = inventory.scene();
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
  await server.stop();
});

async function transactions(): Promise<Transaction[]> {
  const options = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
  return readJson(inventory.gateway.ListTransactions({ filter: null, descending: true }, options));
}

/** Trades, and checks all lists after each trade. */
async function tradeAndRead(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const { seller, buyer } = scene;
    const issuanceId = await scene.issue();
    const held = await versions.list(seller);
    const page = await versions.page(seller, { limit: 100 });
    const transactionId = await inventory.settleTransaction(createTrade(seller, buyer, [[issuanceId, 1, 2]]));

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

/** Counts committed transactions of the service's database on the standby. */
async function countStandbyReads(): Promise<number> {
  const client = new Client({ connectionString: server.standby.toUrl(inventory.service.databaseUrl) });
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

/** Reads until the standby has served some reads. */
async function waitForStandbyReads(): Promise<void> {
  const before = await countStandbyReads();
  await eventually(async () => {
    for (let reads = 0; reads < MANY; reads++) await versions.list(scene.seller);
    return (await countStandbyReads()) > before + MANY;
  }, 'reads of the standby');
}

test('while the standby is up to date', async () => {
  await waitForStandbyReads();
  await tradeAndRead(30);
});

test('while its replay is paused, and afterwards', async () => {
  await server.standby.pauseReplay();
  await tradeAndRead(5);
  await server.standby.resumeReplay();
  await tradeAndRead(10);
  await waitForStandbyReads();
});

test('while it is frozen, and afterwards', async () => {
  server.standby.freeze();
  await tradeAndRead(5);
  server.standby.thaw();
  await tradeAndRead(10);
  await waitForStandbyReads();
});

test('while it is down, and afterwards', async () => {
  await server.standby.kill();
  await tradeAndRead(5);
  await server.standby.start();
  await tradeAndRead(10);
  await waitForStandbyReads();
});

test('during a long read on the standby', async () => {
  const reader = new Client({ connectionString: server.standby.toUrl(inventory.service.databaseUrl) });
  await reader.connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select count(*) from bundle');
  // Removes rows that the reader sees, so that replay must wait for it or cancel it.
  await tradeAndRead(3);
  await execute(inventory.service.databaseUrl, 'vacuum bundle');
  await tradeAndRead(5);
  await reader.end();
});
