import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callAs, eventually, failureOf } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { tradeOf } from './support/transfers.ts';

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

/** Ends so many transfers of the scene's channel, one after the other, and waits until the log has heard of them. */
async function end(count: number): Promise<string[]> {
  const issuance = await scene.issue('1', String(count));
  const ids: string[] = [];
  for (let serial = 1; serial <= count; serial++)
    ids.push(await inventory.transact(tradeOf(scene.seller, scene.buyer, [[issuance, serial, serial]])));
  await eventually(() => Promise.resolve(told().length === count), 'the log to hear of all');
  return ids;
}

/** What the log was told of the scene's channel, in order. */
const told = () =>
  inventory.logged.map(({ event }) => event).filter(({ salesChannelId }) => salesChannelId === scene.channel);
const sequences = (): string[] => told().flatMap(({ sequence }) => sequence ?? []);
const toldAgain = (count: number): Promise<true> =>
  eventually(() => Promise.resolve(told().length === count && true), `${count} entries for the log`);

/** Both consumers have applied these. */
function applied(...all: number[]): void {
  for (const consumer of Object.values(inventory.consumers)) consumer.applied.set(scene.channel, all);
}

/** How long what was published again counts as on its way, where there is no time of grace. */
const LEAST_WAIT_MS = 1_000;

const reconcile = (onlyLook = false) => inventory.admin.Reconcile({ salesChannelId: scene.channel, onlyLook });

describe('changes of status', () => {
  test('are numbered in the order of the commits, for the event as for the table', async () => {
    await end(3);
    expect(sequences()).toEqual(['1', '2', '3']);
  });

  test('keep their place: the database refuses to change, delete or renumber them', async () => {
    await end(1);
    const refused = async (text: string): Promise<string | undefined> =>
      (await failureOf(inventory.service.sql(text))).code;
    expect(await refused(`update status_change set status = 'FAILED'`)).toBe('23000');
    expect(await refused('delete from status_change')).toBe('23000');
    expect(await refused('truncate status_change')).toBe('23000');
    expect(await refused('update channel_sequence set last = last - 1 where last > 1')).toBe('23000');
    expect(await refused('update channel_sequence set last = last')).toBe('23000');
    expect(await refused('delete from channel_sequence')).toBe('23000');
    expect(await refused('truncate channel_sequence')).toBe('23000');
  });
});

describe('what a consumer lacks', () => {
  test('is published again, exactly as it was, in order', async () => {
    await end(5);
    const before = told();
    applied(1, 4);
    const { consumers } = await reconcile();
    expect(consumers.map(({ consumer, republished }) => [consumer, republished])).toEqual([
      ['tasks', '3'],
      ['events', '3'],
    ]);
    await toldAgain(8);
    expect(told().slice(5)).toEqual([before[1], before[2], before[4]]);
  });

  test('is told with its places, and an operator who only looks changes nothing', async () => {
    await end(3);
    applied(2);
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
    applied(1, 2, 3);
    expect((await reconcile()).consumers).toMatchObject([
      { consumer: 'tasks', lagEntries: '0', lagSeconds: 0, isComplete: true, channels: [] },
      { consumer: 'events', lagEntries: '0', lagSeconds: 0, isComplete: true, channels: [] },
    ]);
    expect(told()).toHaveLength(3);
  });

  test('is not published a second time at once: it is on its way', async () => {
    // On a machine that stands still in between it is no longer at once. Then another channel is tried.
    await eventually(async () => {
      scene = inventory.scene();
      await end(2);
      applied(1);
      const began = Date.now();
      expect((await reconcile()).hasMore).toBe(true);
      const { hasMore } = await reconcile();
      if (Date.now() - began >= LEAST_WAIT_MS) return false;
      expect(hasMore).toBe(false);
      return true;
    }, 'two comparisons at once');
    await toldAgain(3);
  });

  test('is published although another consumer cannot be asked', async () => {
    await end(2);
    applied(1);
    inventory.consumers.tasks.isBroken = true;
    const { consumers } = await reconcile();
    expect(consumers).toMatchObject([
      { consumer: 'tasks', fault: expect.any(String), isComplete: false, republished: '0' },
      { consumer: 'events', republished: '1' },
    ]);
    await toldAgain(3);
  });

  test('an approval and a rejection are published again with their reason', async () => {
    const issuance = await scene.issue('1', '2');
    const pending = (serial: number) =>
      inventory.transact(tradeOf(scene.seller, scene.buyer, [[issuance, serial, serial]], { autoApproval: false }));
    const [approved, rejected] = [await pending(1), await pending(2)];
    await inventory.approve(approved);
    await inventory.reject(rejected);
    await toldAgain(2);
    const before = told();
    for (const consumer of Object.values(inventory.consumers)) consumer.applied.delete(scene.channel);
    await reconcile();
    await toldAgain(4);
    expect(told().slice(2)).toEqual(before);
    expect(before.map(({ status, reason }) => [status, reason])).toEqual([
      ['SUCCESS', null],
      ['REJECTED', 'The seller rejected the transaction.'],
    ]);
  });
});

test('a consumer that is beyond the ledger is told, and nothing is published over it', async () => {
  await end(2);
  applied(1, 2, 3, 4, 5);
  const { consumers } = await reconcile();
  expect(consumers).toMatchObject(
    ['tasks', 'events'].map((consumer) => ({
      consumer,
      isComplete: false,
      republished: '0',
      channels: [{ last: '2', upto: '5', highest: '5', missing: '0' }],
    })),
  );
  expect(told()).toHaveLength(2);
});

test('only the admin command may ask for a comparison', async () => {
  const gateway = await callAs('gateway', 'reconciliation', inventory.service.address);
  expect((await failureOf(gateway.Reconcile({}))).code).toBe('forbidden');
  gateway.close();
  expect((await failureOf(inventory.admin.Reconcile({ salesChannelId: '' }))).code).toBe('invalid-request');
});
