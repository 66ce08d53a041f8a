import { expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { ledgerPartitionOf, ledgerPartitions, queuesOfFamily, withDeadLetters } from '@saleschannel/messaging';
import { eventually, testBrokerUrl, withOwn } from '@saleschannel/testing';
import { partitionsOf } from '../src/domain/partitions-of.ts';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { tradeOf } from './support/transfers.ts';

/**
 * Replicas share the ledger's partitions, over the wire: they come, end, die and stand still while transfers settle.
 */

const ISSUANCES = 24;
const CERTIFICATES = 40;
const LIMIT_MS = 180_000;

/** Gives each test a ledger of its own. They mostly wait, so they run at the same time. */
const isolate = (work: (inventory: Inventory) => Promise<void>) =>
  withOwn(startInventory, async (inventory) => {
    await work(inventory);
    await audit(inventory.service);
    expect(await deadLetters(inventory)).toEqual([]);
  });

const deadLetters = (inventory: Inventory) =>
  withDeadLetters(testBrokerUrl(), inventory.namespace, async (letters) => {
    const found: unknown[] = [];
    for (const queue of queuesOfFamily('inventory.transfers')) found.push(...(await letters.list(queue, 100)));
    return found;
  });

const alive = async (inventory: Inventory): Promise<string[]> =>
  (
    await inventory.service.sql<{ id: string }>(
      "select id from ledger_replica where seen_at > clock_timestamp() - interval '5 seconds' order by id",
    )
  ).map(({ id }) => id);
const untilAlive = (inventory: Inventory, count: number): Promise<unknown> =>
  eventually(async () => (await alive(inventory)).length === count, `${count} replicas`);

/** Each replica has looked who else is there often enough to have taken its share, and given the others theirs. */
async function untilShared(inventory: Inventory): Promise<void> {
  const [{ now } = { now: '' }] = await inventory.service.sql<{ now: string }>('select clock_timestamp()::text as now');
  await eventually(async () => {
    const rows = await inventory.service.sql(
      `select from ledger_replica
       where seen_at between $1::timestamptz - interval '5 s' and $1::timestamptz + interval '4 s'`,
      [now],
    );
    return rows.length === 0;
  }, 'two further beats of all replicas');
}

/** Issuances in every partition, and a trader who sells all of them, one certificate at a time and in order. */
async function market(
  inventory: Inventory,
): Promise<{ issuances: string[]; trade(issuance: string, serial: number): TransferRequested }> {
  const { seller, buyer, issue } = inventory.scene();
  const issuances: string[] = [];
  for (let count = 0; count < ISSUANCES; count++) issuances.push(await issue('1', String(CERTIFICATES)));
  return {
    issuances,
    trade: (issuance, serial) => tradeOf(seller, buyer, [[issuance, serial, serial]]),
  };
}

/**
 * Every transfer has one outcome in the ledger, and those of an issuance were carried out in the order of their sale.
 */
async function expectSettledInOrder(inventory: Inventory, requests: readonly TransferRequested[]): Promise<void> {
  const rows = await inventory.service.sql<{ taskId: string; issuanceId: string; first: number; times: number }>(
    `select task_id as "taskId", issuance_id as "issuanceId", first::int,
       count(*) over (partition by task_id)::int as times
     from ledger_transaction as transaction join transaction_line as line on line.transaction_id = transaction.id
     where task_id = any($1) order by transaction.number`,
    [requests.map(({ taskId }) => taskId)],
  );
  expect(rows.length).toBe(requests.length);
  expect(rows.every(({ times }) => times === 1)).toBe(true);
  for (const [issuanceId, lines] of Map.groupBy(rows, (row) => row.issuanceId)) {
    const serials = lines.map(({ first }) => first);
    expect({ issuanceId, serials }).toEqual({ issuanceId, serials: serials.toSorted((one, other) => one - other) });
  }
}

const settled = (inventory: Inventory, requests: readonly TransferRequested[]): Promise<unknown> =>
  eventually(async () => {
    const [row] = await inventory.service.sql<{ count: number }>(
      'select count(*)::int from ledger_transaction where task_id = any($1)',
      [requests.map(({ taskId }) => taskId)],
    );
    return row?.count === requests.length;
  }, 'all transfers');

/** Sells the whole market, serial by serial, while something happens to the replicas. */
async function sellWhile(inventory: Inventory, happens: () => Promise<void>): Promise<void> {
  const { issuances, trade } = await market(inventory);
  const requests: TransferRequested[] = [];
  const publishing = (async () => {
    for (let serial = 1; serial <= CERTIFICATES; serial++) {
      const next = issuances.map((issuance) => trade(issuance, serial));
      requests.push(...next);
      await inventory.publish(...next);
    }
  })();
  await happens();
  await publishing;
  await settled(inventory, requests);
  await expectSettledInOrder(inventory, requests);
}

test.concurrent(
  'partitions move to and fro between replicas that come and end while transfers settle',
  isolate((inventory) =>
    sellWhile(inventory, async () => {
      for (let round = 0; round < 2; round++) {
        const [second, third] = [await inventory.replica(), await inventory.replica()];
        await untilAlive(inventory, 3);
        await second.stop();
        await untilAlive(inventory, 2);
        await third.stop();
        await untilAlive(inventory, 1);
      }
    }),
  ),
  LIMIT_MS,
);

test.concurrent(
  'a process that is killed in the middle: its partitions go on elsewhere',
  isolate(async (inventory) => {
    const process = await inventory.replicaProcess();
    await untilAlive(inventory, 2);
    await untilShared(inventory);
    await sellWhile(inventory, () => process.kill());
    await untilAlive(inventory, 1);
  }),
  LIMIT_MS,
);

test.concurrent(
  'a process that stands still in the middle: its partitions go on elsewhere, and it does no harm when it wakes',
  isolate(async (inventory) => {
    const process = await inventory.replicaProcess();
    await untilAlive(inventory, 2);
    await untilShared(inventory);
    try {
      const { issuances, trade } = await market(inventory);
      const partitions = new Set(issuances.map((issuance) => ledgerPartitionOf(issuance, ledgerPartitions.length)));
      expect(partitions.size).toBeGreaterThan(4);
      const before = issuances.map((issuance) => trade(issuance, 1));
      await inventory.publish(...before);
      await settled(inventory, before);
      process.freeze();
      const after = issuances.map((issuance) => trade(issuance, 2));
      await inventory.publish(...after);
      await settled(inventory, after);
      process.thaw();
      await untilAlive(inventory, 2);
      const last = issuances.map((issuance) => trade(issuance, 3));
      await inventory.publish(...last);
      await settled(inventory, last);
      await expectSettledInOrder(inventory, [...before, ...after, ...last]);
    } finally {
      process.thaw();
      await process.kill();
    }
  }),
  LIMIT_MS,
);

test.concurrent(
  'partitions of a replica that announces itself and consumes nothing are adopted',
  isolate(async (inventory) => {
    await untilAlive(inventory, 1);
    // Seen in the future, so that it stays a member for the whole test.
    await inventory.service.sql(
      "insert into ledger_replica (id, seen_at) values ('ghost', clock_timestamp() + interval '10 minutes')",
    );
    try {
      const [own] = (await alive(inventory)).filter((id) => id !== 'ghost');
      expect(partitionsOf('ghost', [String(own), 'ghost'], ledgerPartitions).size).toBeGreaterThan(0);
      await untilShared(inventory);
      await sellWhile(inventory, () => Promise.resolve());
    } finally {
      await inventory.service.sql("delete from ledger_replica where id = 'ghost'");
    }
    // Its partitions are this replica's own from now on.
    await untilShared(inventory);
    await sellWhile(inventory, () => Promise.resolve());
  }),
  LIMIT_MS,
);

test.concurrent(
  'each replica knows its share, and they are all of it',
  isolate(async (inventory) => {
    await untilAlive(inventory, 1);
    const second = await inventory.replica();
    await untilAlive(inventory, 2);
    const replicas = await alive(inventory);
    const shares = replicas.map((id) => [...partitionsOf(id, replicas, ledgerPartitions)]);
    expect(shares.flat().toSorted()).toEqual([...ledgerPartitions]);
    await second.stop();
    await untilAlive(inventory, 1);
  }),
  LIMIT_MS,
);
