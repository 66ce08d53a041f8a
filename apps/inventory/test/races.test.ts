import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { newId, systemClock } from '@saleschannel/primitives';
import { asRegistry, openTestDatabase } from '@saleschannel/testing';
import { decideTransaction } from '../src/operations/decide-transaction.ts';
import { settleTransfers } from '../src/operations/settle-transfers.ts';
import { schema } from '../src/store/schema.ts';
import { audit } from './support/audit.ts';
import { toOutcome, startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { createRetirement, toSelection, createTrade, type Part } from './support/transfers.ts';

let inventory: Inventory;
/**
 * Two more replicas, as the database sees them. They run concurrently, whereas the queue would serialize the
 * transfers.
 */
let replicas: [Database, Database];

/** Dozens of transactions wait for one bundle, on a busy machine longer than a service would. */
const patience = { lockMs: 30_000 };
const open = (): Promise<Database> =>
  openTestDatabase({ url: inventory.service.databaseUrl, poolMax: 8, ...schema, timeouts: patience });
const selectReplica = (number: number): Database => replicas[number % 2 === 0 ? 0 : 1];

beforeAll(async () => {
  inventory = await startInventory();
  await inventory.replica();
  replicas = [await open(), await open()];
});
afterEach(() => audit(inventory.service));
afterAll(async () => {
  for (const database of replicas) await database.stop();
  // Backends report deadlocks at the latest when they end.
  const deadlocks = await inventory.service.sql(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  await inventory.stop();
  expect(deadlocks).toEqual([{ deadlocks: 0 }]);
});

const settleAt = (replica: number, request: TransferRequested): Promise<void> =>
  settleTransfers(selectReplica(replica), systemClock, [request]);
const waitForOutcomes = async (requests: readonly TransferRequested[]): Promise<string[]> => {
  const outcomes: string[] = [];
  for (const { taskId } of requests) outcomes.push((await inventory.waitForReport(taskId)).outcome);
  return outcomes.toSorted();
};
const ONE_WINNER = [...Array<string>(49).fill('REFUSED'), 'SUCCESS'];

/** 50 sales of one bundle. */
async function createRush(): Promise<TransferRequested[]> {
  const { seller, trader, issue } = inventory.scene();
  const issuance = await issue();
  return Array.from({ length: 50 }, (_, index) =>
    createTrade(seller, trader(`buyer${index}`), [[issuance, 1, 1 + (index % 10)]]),
  );
}

test('selections anywhere in one bundle, on two replicas, sell each certificate once', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const issuance = await issue('1', '60');
  const parts = Array.from({ length: 40 }, (_, index): Part => {
    const first = 1 + ((index * 7) % 55);
    return [issuance, first, first + (index % 5)];
  });
  const requests = parts.map((part) => createTrade(seller, buyer, [part], { selectsAnywhere: true }));
  await Promise.all(requests.map((request, index) => settleAt(index, request)));
  const outcomes = await Promise.all(requests.map(({ taskId }) => inventory.waitForReport(taskId)));
  const sold = parts.filter((_part, index) => outcomes[index]?.outcome === 'SUCCESS');
  const serials = sold.flatMap(([, first, last]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, offset) => Number(first) + offset),
  );
  expect(new Set(serials).size).toBe(serials.length);
  const volumes = async (trader: string): Promise<number> =>
    (await inventory.list(trader)).reduce((sum, { volume }) => sum + volume, 0);
  expect([await volumes(buyer), await volumes(seller)]).toEqual([serials.length, 60 - serials.length]);
  // Every refused selection overlaps a sold one.
  const refused = parts.filter((part) => !sold.includes(part));
  const isSold = ([, first, last]: Part) => serials.some((each) => Number(first) <= each && each <= Number(last));
  expect(refused.every(isSold)).toBe(true);
});

test('one of 50 concurrent sales of a bundle through the queue wins', async () => {
  const requests = await createRush();
  await Promise.all(requests.map((request) => inventory.publish(request)));
  expect(await waitForOutcomes(requests)).toEqual(ONE_WINNER);
});

test('one of 50 concurrent sales of a bundle on two replicas wins', async () => {
  const requests = await createRush();
  await Promise.all(requests.map((request, index) => settleAt(index, request)));
  expect(await waitForOutcomes(requests)).toEqual(ONE_WINNER);
});

test('two replicas with the same task execute it once and never refuse it', async () => {
  const { seller, buyer, issue } = inventory.scene();
  for (let round = 0; round < 10; round++) {
    const request = createTrade(seller, buyer, [[await issue(), 1, 5]]);
    await Promise.all([0, 1, 0, 1].map((replica) => settleAt(replica, request)));
    await inventory.waitForReport(request.taskId, 4);
    const outcomes = inventory.listReports(request.taskId).map((entry) => toOutcome(entry).outcome);
    expect(outcomes).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  }
});

test('every transfer is executed once when a replica stops', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const issuance = await issue('1', '300');
  const third = await inventory.replica();
  const requests = Array.from({ length: 300 }, (_, index) =>
    createTrade(seller, buyer, [[issuance, index + 1, index + 1]]),
  );
  const publishing = (async () => {
    for (const request of requests) await inventory.publish(request);
  })();
  await waitForOutcomes(requests.slice(0, 50));
  // This replica may have the active consumer.
  await third.stop();
  await publishing;
  expect(new Set(await waitForOutcomes(requests))).toEqual(new Set(['SUCCESS']));
  expect(await inventory.listRanges(buyer)).toHaveLength(300);
});

/** Random numbers from a seed. */
function pseudoRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const decideAt = (replica: number, transactionId: string, decision: 'APPROVED' | 'REJECTED'): Promise<void> => {
  const order = { transactionId, decision, actor: { kind: 'operator' } } as const;
  return decideTransaction(selectReplica(replica), systemClock, order, () => Promise.resolve());
};

const isRefused = (error: unknown): boolean => error instanceof DomainError && error.code === 'request-refused';

/** Decides on a random pending transaction of the channel. Returns false if there is none. */
async function decideAny(replica: number, { channel }: Scene, random: (below: number) => number): Promise<boolean> {
  const pending = await inventory.service.sql<{ id: string }>(
    "select id from ledger_transaction where status = 'PENDING' and sales_channel_id = $1",
    [channel],
  );
  const transaction = pending.length > 0 && random(2) === 0 ? pending[random(pending.length)] : undefined;
  if (!transaction) return false;
  const decision = random(2) === 0 ? 'APPROVED' : 'REJECTED';
  await decideAt(replica, transaction.id, decision).catch((error: unknown) => {
    if (!isRefused(error)) throw error;
  });
  return true;
}

/** Sells random parts of a trader's bundles, in either order. Returns false if there are none. */
async function sellAny(
  replica: number,
  [seller, buyer]: readonly [string, string],
  random: (below: number) => number,
): Promise<boolean> {
  const owned = await inventory.service.sql<{ issuanceId: string; first: number; last: number }>(
    `select issuance_id as "issuanceId", (previous_last + 1)::int as first, last::int
     from bundle where owner_id = $1 and state = 'LISTABLE' order by issuance_id, last`,
    [seller],
  );
  const chosen = owned.filter(() => random(3) > 0);
  if (random(2) === 0) chosen.reverse();
  const parts = chosen.map(({ issuanceId, first, last }): Part => [
    issuanceId,
    first,
    first + random(last - first + 1),
  ]);
  if (parts.length === 0) return false;
  await settleAt(replica, createTrade(seller, buyer, parts, { autoApproval: random(3) === 0 }));
  return true;
}

test('transfers of the same bundles in opposite orders, mixed with decisions, never deadlock', async () => {
  const scene = inventory.scene();
  const issuances = [await scene.issue('1', '40'), await scene.issue('1', '40')];
  const traders = [scene.seller, scene.trader('second'), scene.trader('third')] as const;
  const pairs = traders.flatMap((seller) =>
    traders.filter((buyer) => buyer !== seller).map((buyer) => [seller, buyer] as const),
  );
  const counts = { settled: 0, decided: 0 };
  async function work(worker: number): Promise<void> {
    const random = pseudoRandom(worker + 1);
    for (let round = 0; round < 25; round++) {
      const pair = pairs[random(pairs.length)];
      if (await decideAny(worker, scene, random)) counts.decided++;
      else if (pair && (await sellAny(worker, pair, random))) counts.settled++;
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(work));
  expect(counts.settled).toBeGreaterThan(20);
  expect(counts.decided).toBeGreaterThan(20);
  const sums = await inventory.service.sql(
    `select sum(last - previous_last)::int as sum from bundle
     where issuance_id = any($1::uuid[]) group by issuance_id`,
    [issuances],
  );
  expect(sums).toEqual([{ sum: 40 }, { sum: 40 }]);
});

test('concurrent changes of many channels in any order are numbered without gaps', async () => {
  const scenes = Array.from({ length: 5 }, () => inventory.scene());
  const ROUNDS = 10;
  /** Workers have their own issuances, so that all transfers succeed and only channels are shared. */
  async function work(worker: number): Promise<void> {
    const random = pseudoRandom(worker + 1);
    const sources = await Promise.all(
      scenes.map(async ({ seller, buyer, issue }) => ({ seller, buyer, issuance: await issue('1', '20') })),
    );
    for (let serial = 1; serial <= ROUNDS * 2; serial += 2) {
      const inAnyOrder = sources.toSorted(() => random(3) - 1);
      const pending = inAnyOrder.map(({ seller, buyer, issuance }) =>
        createTrade(seller, buyer, [[issuance, serial, serial]], { autoApproval: false }),
      );
      const complete = inAnyOrder.map(({ seller, issuance }) =>
        createRetirement(seller, [[issuance, serial + 1, serial + 1]]),
      );
      await settleTransfers(selectReplica(worker), systemClock, [...pending, ...complete]);
      const transactions = await inventory.service.sql<{ id: string }>(
        'select id from ledger_transaction where task_id = any($1::text[])',
        [pending.map(({ taskId }) => taskId)],
      );
      const decide = ({ id }: { id: string }): Promise<void> => decideAt(worker, id, 'APPROVED');
      await Promise.all(transactions.slice(random(3)).map(decide));
    }
  }
  const workers = [0, 1, 2, 3, 4, 5];
  await Promise.all(workers.map(work));
  // The audit after the test compares sequences and transactions.
  const counts = await inventory.service.sql<{ last: number }>(
    'select last::int from channel_sequence where sales_channel_id = any($1::text[])',
    [scenes.map(({ channel }) => channel)],
  );
  expect(counts).toHaveLength(scenes.length);
  for (const { last } of counts) expect(last).toBeGreaterThan(workers.length * ROUNDS);
});

test('one of concurrent approval and rejection succeeds', async () => {
  const { seller, issue } = inventory.scene();
  for (let round = 0; round < 15; round++) {
    const issuance = await issue();
    const transactionId = await inventory.settleTransaction(
      createRetirement(seller, [[issuance, 1, 5]], { autoApproval: false }),
    );
    const outcomes = await Promise.allSettled([inventory.approve(transactionId), inventory.reject(transactionId)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const won = outcomes.find((outcome) => outcome.status === 'fulfilled')?.value.status;
    const bundles = await inventory.service.sql(
      'select state from bundle where issuance_id = $1 and previous_last = 0',
      [issuance],
    );
    expect(bundles).toEqual([{ state: won === 'SUCCESS' ? 'RETIRED' : 'LISTABLE' }]);
  }
});

test('concurrently rejected neighbours merge into one bundle', async () => {
  const { buyer, trader, channel } = inventory.scene();
  for (let round = 0; round < 5; round++) {
    const seller = trader(`seller${round}`);
    const issuance = await inventory.issue(channel, seller);
    const transactions: string[] = [];
    for (const first of [1, 3, 5, 7]) {
      const request = createTrade(seller, buyer, [[issuance, first, first + 1]], { autoApproval: false });
      transactions.push(await inventory.settleTransaction(request));
    }
    await Promise.all(transactions.map((id) => inventory.reject(id)));
    expect(await inventory.listRanges(seller)).toEqual(['1-10']);
  }
});

test('concurrent batches in opposite orders create each issuance once, and never deadlock', async () => {
  const issuances = Array.from({ length: 50 }, () => createIssuance('h'));
  const calls = Array.from({ length: 10 }, (_, index) =>
    inventory.applyIssuances(...(index % 2 === 0 ? issuances : issuances.toReversed())),
  );
  const outcomes = (await Promise.all(calls)).flat().map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'OUTCOME_CREATED')).toHaveLength(50);
  expect(outcomes.filter((outcome) => outcome === 'OUTCOME_UNCHANGED')).toHaveLength(450);
});

test('concurrent onramps of one bundle move it once', async () => {
  const issuance = createIssuance('ramp');
  await inventory.applyIssuances(issuance);
  const options = await asRegistry();
  const request = {
    accountHolderId: 'ramp',
    salesChannelId: 'ramp',
    traderId: 'ramp-a',
    assets: [toSelection([issuance.issuanceId, 1, 10])],
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => inventory.registryImport.Onramp({ ...request, idempotencyKey: newId() }, options)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await inventory.listRanges('ramp-a')).toEqual(['1-10']);
});
