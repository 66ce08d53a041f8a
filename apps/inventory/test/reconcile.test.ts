import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callAs, eventually, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createTrade } from './support/transfers.ts';

let inventory: Inventory;
let scene: Scene;
beforeAll(async () => {
  inventory = await startInventory({ RECONCILE_GRACE_SECONDS: '0' });
});
beforeEach(() => {
  scene = inventory.scene();
  for (const consumer of Object.values(inventory.consumers)) consumer.isBroken = false;
});
afterEach(() => audit(inventory.service));
afterAll(() => inventory.stop());

/** Settles transfers of the channel one by one, and waits until the log has received all. */
async function settleTrades(count: number): Promise<string[]> {
  const issuance = await scene.issue('1', String(count));
  const ids: string[] = [];
  for (let serial = 1; serial <= count; serial++)
    ids.push(await inventory.settleTransaction(createTrade(scene.seller, scene.buyer, [[issuance, serial, serial]])));
  await eventually(() => Promise.resolve(readLog().length === count), 'all entries in the log');
  return ids;
}

/** Entries of the channel in the log, in order. */
const readLog = () =>
  inventory.logEntries.map(({ event }) => event).filter(({ salesChannelId }) => salesChannelId === scene.channel);
const sequences = (): string[] => readLog().flatMap(({ sequence }) => sequence ?? []);
const waitForLog = (count: number): Promise<true> =>
  eventually(() => Promise.resolve(readLog().length === count && true), `${count} entries for the log`);

/** Sets the applied sequences of both consumers. */
function setApplied(...all: number[]): void {
  for (const consumer of Object.values(inventory.consumers)) consumer.applied.set(scene.channel, all);
}

/** Without a grace period, republished changes count as in transit for this long. */
const MIN_WAIT_MS = 1_000;

const reconcile = (onlyLook = false) => inventory.admin.Reconcile({ salesChannelId: scene.channel, onlyLook });

describe('changes of status', () => {
  test('are numbered in the order of commits, in events and in the table', async () => {
    await settleTrades(3);
    expect(sequences()).toEqual(['1', '2', '3']);
  });

  test('cannot be changed, deleted or renumbered', async () => {
    await settleTrades(1);
    const refused = async (text: string): Promise<string | undefined> =>
      (await catchFailure(inventory.service.sql(text))).code;
    expect(await refused(`update status_change set status = 'FAILED'`)).toBe('23000');
    expect(await refused('delete from status_change')).toBe('23000');
    expect(await refused('truncate status_change')).toBe('23000');
    expect(await refused('update channel_sequence set last = last - 1 where last > 1')).toBe('23000');
    expect(await refused('update channel_sequence set last = last')).toBe('23000');
    expect(await refused('delete from channel_sequence')).toBe('23000');
    expect(await refused('truncate channel_sequence')).toBe('23000');
  });
});

describe('a change that a consumer lacks', () => {
  test('is republished unchanged and in order', async () => {
    await settleTrades(5);
    const before = readLog();
    setApplied(1, 4);
    const { consumers } = await reconcile();
    expect(consumers.map(({ consumer, republished }) => [consumer, republished])).toEqual([
      ['tasks', '3'],
      ['events', '3'],
    ]);
    await waitForLog(8);
    expect(readLog().slice(5)).toEqual([before[1], before[2], before[4]]);
  });

  test('is reported with its channel, without republishing if the request only looks', async () => {
    await settleTrades(3);
    setApplied(2);
    const { consumers, hasMore } = await reconcile(true);
    expect({ consumers, hasMore }).toMatchObject({
      hasMore: false,
      consumers: ['tasks', 'events'].map((consumer) => ({
        consumer,
        lagEntries: '2',
        republished: '0',
        isComplete: false,
        channels: [{ salesChannelId: scene.channel, last: '3', upto: '0', highest: '2', missing: '2' }],
      })),
    });
    expect(consumers.every(({ lagSeconds }) => lagSeconds > 0)).toBe(true);
    setApplied(1, 2, 3);
    expect((await reconcile()).consumers).toMatchObject([
      { consumer: 'tasks', lagEntries: '0', lagSeconds: 0, isComplete: true, channels: [] },
      { consumer: 'events', lagEntries: '0', lagSeconds: 0, isComplete: true, channels: [] },
    ]);
    expect(readLog()).toHaveLength(3);
  });

  test('is not republished again at once, because it is in transit', async () => {
    // Tries another channel if a stall between both calls takes too long.
    await eventually(async () => {
      scene = inventory.scene();
      await settleTrades(2);
      setApplied(1);
      const startedMs = Date.now();
      expect((await reconcile()).hasMore).toBe(true);
      const { hasMore } = await reconcile();
      if (Date.now() - startedMs >= MIN_WAIT_MS) return false;
      expect(hasMore).toBe(false);
      return true;
    }, 'two comparisons at once');
    await waitForLog(3);
  });

  test('is republished even if another consumer does not answer', async () => {
    await settleTrades(2);
    setApplied(1);
    inventory.consumers.tasks.isBroken = true;
    const { consumers } = await reconcile();
    expect(consumers).toMatchObject([
      { consumer: 'tasks', fault: expect.any(String), isComplete: false, republished: '0' },
      { consumer: 'events', republished: '1' },
    ]);
    await waitForLog(3);
  });

  test('is republished with its reason after an approval or rejection', async () => {
    const issuance = await scene.issue('1', '2');
    const pending = (serial: number) =>
      inventory.settleTransaction(
        createTrade(scene.seller, scene.buyer, [[issuance, serial, serial]], { autoApproval: false }),
      );
    const [approved, rejected] = [await pending(1), await pending(2)];
    await inventory.approve(approved);
    await inventory.reject(rejected);
    await waitForLog(2);
    const before = readLog();
    for (const consumer of Object.values(inventory.consumers)) consumer.applied.delete(scene.channel);
    await reconcile();
    await waitForLog(4);
    expect(readLog().slice(2)).toEqual(before);
    expect(before.map(({ status, reason }) => [status, reason])).toEqual([
      ['SUCCESS', null],
      ['REJECTED', 'The seller rejected the transaction.'],
    ]);
  });
});

test('a consumer ahead of the ledger is reported, and nothing is republished', async () => {
  await settleTrades(2);
  setApplied(1, 2, 3, 4, 5);
  const { consumers } = await reconcile();
  expect(consumers).toMatchObject(
    ['tasks', 'events'].map((consumer) => ({
      consumer,
      isComplete: false,
      republished: '0',
      channels: [{ last: '2', upto: '5', highest: '5', missing: '0' }],
    })),
  );
  expect(readLog()).toHaveLength(2);
});

test('only admin may call Reconcile', async () => {
  const gateway = await callAs('gateway', 'reconciliation', inventory.service.address);
  expect((await catchFailure(gateway.Reconcile({}))).code).toBe('forbidden');
  gateway.close();
  expect((await catchFailure(inventory.admin.Reconcile({ salesChannelId: '' }))).code).toBe('invalid-request');
});
