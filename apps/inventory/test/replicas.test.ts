import { describe, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { ledgerPartitionOf, ledgerPartitions, queuesOfFamily, withDeadLetters } from '@saleschannel/messaging';
import { eventually, testBrokerUrl, withOwn } from '@saleschannel/testing';
import { selectPartitions } from '../src/jobs/ledger-share.ts';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createTrade } from './support/transfers.ts';

/** Replicas share the partitions of the ledger while replicas start, stop, crash and freeze. */

const ISSUANCES = 24;
const CERTIFICATES = 40;
const LIMIT_MS = 180_000;

/** Gives each test its own ledger. Tests mostly wait, so they run concurrently. */
const isolate = (work: (inventory: Inventory) => Promise<void>) =>
  withOwn(startInventory, async (inventory) => {
    await work(inventory);
    await audit(inventory.service);
    expect(await listDeadLetters(inventory)).toEqual([]);
  });

const listDeadLetters = (inventory: Inventory) =>
  withDeadLetters(testBrokerUrl(), inventory.namespace, async (letters) => {
    const found: unknown[] = [];
    for (const queue of queuesOfFamily('inventory.transfers')) found.push(...(await letters.list(queue, 100)));
    return found;
  });

const listAlive = async (inventory: Inventory): Promise<string[]> =>
  (
    await inventory.service.sql<{ id: string }>(
      "select id from ledger_replica where seen_at > clock_timestamp() - interval '5 seconds' order by id",
    )
  ).map(({ id }) => id);
const waitForAlive = (inventory: Inventory, count: number): Promise<unknown> =>
  eventually(async () => (await listAlive(inventory)).length === count, `${count} replicas`);

/** Waits until every replica has had time to take its share and to release the partitions of others. */
async function waitForShares(inventory: Inventory): Promise<void> {
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

/** Issuances in every partition, and trades of single certificates of them. */
async function createMarket(
  inventory: Inventory,
): Promise<{ issuances: string[]; trade(issuance: string, serial: number): TransferRequested }> {
  const { seller, buyer, issue } = inventory.scene();
  const issuances: string[] = [];
  for (let count = 0; count < ISSUANCES; count++) issuances.push(await issue('1', String(CERTIFICATES)));
  return {
    issuances,
    trade: (issuance, serial) => createTrade(seller, buyer, [[issuance, serial, serial]]),
  };
}

/** Expects one outcome per transfer, and the transfers of an issuance in order. */
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

const waitForSettled = (inventory: Inventory, requests: readonly TransferRequested[]): Promise<unknown> =>
  eventually(async () => {
    const [row] = await inventory.service.sql<{ count: number }>(
      'select count(*)::int from ledger_transaction where task_id = any($1)',
      [requests.map(({ taskId }) => taskId)],
    );
    return row?.count === requests.length;
  }, 'all transfers');

/** Sells all certificates in order, while replicas change. */
async function sellWhile(inventory: Inventory, change: () => Promise<void>): Promise<void> {
  const { issuances, trade } = await createMarket(inventory);
  const requests: TransferRequested[] = [];
  const publishing = (async () => {
    for (let serial = 1; serial <= CERTIFICATES; serial++) {
      const next = issuances.map((issuance) => trade(issuance, serial));
      requests.push(...next);
      await inventory.publish(...next);
    }
  })();
  await change();
  await publishing;
  await waitForSettled(inventory, requests);
  await expectSettledInOrder(inventory, requests);
}

test.concurrent(
  'partitions move between replicas that start and stop while transfers settle',
  isolate((inventory) =>
    sellWhile(inventory, async () => {
      for (let round = 0; round < 2; round++) {
        const [second, third] = [await inventory.replica(), await inventory.replica()];
        await waitForAlive(inventory, 3);
        await second.stop();
        await waitForAlive(inventory, 2);
        await third.stop();
        await waitForAlive(inventory, 1);
      }
    }),
  ),
  LIMIT_MS,
);

test.concurrent(
  'another replica takes over the partitions of a killed process',
  isolate(async (inventory) => {
    const process = await inventory.replicaProcess();
    await waitForAlive(inventory, 2);
    await waitForShares(inventory);
    await sellWhile(inventory, () => process.kill());
    await waitForAlive(inventory, 1);
  }),
  LIMIT_MS,
);

test.concurrent(
  'another replica takes over the partitions of a frozen process, which does no harm when it resumes',
  isolate(async (inventory) => {
    const process = await inventory.replicaProcess();
    await waitForAlive(inventory, 2);
    await waitForShares(inventory);
    try {
      const { issuances, trade } = await createMarket(inventory);
      const partitions = new Set(issuances.map((issuance) => ledgerPartitionOf(issuance, ledgerPartitions.length)));
      expect(partitions.size).toBeGreaterThan(4);
      const before = issuances.map((issuance) => trade(issuance, 1));
      await inventory.publish(...before);
      await waitForSettled(inventory, before);
      process.freeze();
      const after = issuances.map((issuance) => trade(issuance, 2));
      await inventory.publish(...after);
      await waitForSettled(inventory, after);
      process.thaw();
      await waitForAlive(inventory, 2);
      const last = issuances.map((issuance) => trade(issuance, 3));
      await inventory.publish(...last);
      await waitForSettled(inventory, last);
      await expectSettledInOrder(inventory, [...before, ...after, ...last]);
    } finally {
      process.thaw();
      await process.kill();
    }
  }),
  LIMIT_MS,
);

test.concurrent(
  'replicas adopt the partitions of a replica that is announced but does not consume',
  isolate(async (inventory) => {
    await waitForAlive(inventory, 1);
    // A time in the future keeps it a member for the whole test.
    await inventory.service.sql(
      "insert into ledger_replica (id, seen_at) values ('ghost', clock_timestamp() + interval '10 minutes')",
    );
    try {
      const [own] = (await listAlive(inventory)).filter((id) => id !== 'ghost');
      expect(selectPartitions('ghost', [String(own), 'ghost'], ledgerPartitions).size).toBeGreaterThan(0);
      await waitForShares(inventory);
      await sellWhile(inventory, () => Promise.resolve());
    } finally {
      await inventory.service.sql("delete from ledger_replica where id = 'ghost'");
    }
    // From now on its partitions belong to this replica.
    await waitForShares(inventory);
    await sellWhile(inventory, () => Promise.resolve());
  }),
  LIMIT_MS,
);

test.concurrent(
  'the shares of replicas together are all partitions',
  isolate(async (inventory) => {
    await waitForAlive(inventory, 1);
    const second = await inventory.replica();
    await waitForAlive(inventory, 2);
    const replicas = await listAlive(inventory);
    const shares = replicas.map((id) => [...selectPartitions(id, replicas, ledgerPartitions)]);
    expect(shares.flat().toSorted()).toEqual([...ledgerPartitions]);
    await second.stop();
    await waitForAlive(inventory, 1);
  }),
  LIMIT_MS,
);

describe('shares of partitions', () => {
  const selectShares = (replicas: readonly string[]) =>
    new Map(replicas.map((replica) => [replica, selectPartitions(replica, replicas, ledgerPartitions)]));

  test('each partition has one owner, in any order of replicas', () => {
    for (let count = 1; count <= 5; count++) {
      const replicas = Array.from({ length: count }, (_, index) => `replica-${index}`);
      const shares = selectShares(replicas);
      expect([...shares.values()].flatMap((share) => [...share]).toSorted()).toEqual([...ledgerPartitions]);
      expect(selectShares(replicas.toReversed())).toEqual(new Map([...shares].toReversed()));
    }
  });

  test('a new replica takes partitions, and none moves between the others', () => {
    const before = selectShares(['a', 'b']);
    const after = selectShares(['a', 'b', 'c']);
    for (const [replica, share] of after)
      if (replica !== 'c') expect([...share].every((partition) => before.get(replica)?.has(partition))).toBe(true);
  });

  test('an unknown replica has none', () => {
    expect(selectPartitions('a', ['b'], ledgerPartitions).size).toBe(0);
  });
});
