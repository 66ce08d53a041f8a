import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { asUser } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { holderOf, createRetirement, createTrade } from './support/transfers.ts';
import { toVersionedRead, createVersionReads, type VersionedRead } from './support/versions.ts';

/**
 * Inventories of several pages are read while they change. "Unchanged" is only for clients with the current content.
 */

/** Bundles of a list of two pages. */
const TWO_PAGES = 1_200;
/** Bundles of a list that exceeds all buffers between service and client. */
const LONG_LIST = 6_000;
const READERS = 4;
const TURNS = 60;
/** Creating these bundles can be slow on a busy machine. */
jest.setTimeout(240_000);

let inventory: Inventory;
let versions: ReturnType<typeof createVersionReads>;

beforeAll(async () => {
  inventory = await startInventory();
  versions = createVersionReads(inventory);
});
afterAll(() => inventory.stop());

/** Creates listed issuances for the seller. Returns their ids in the order of the list. */
async function issueTo({ channel: salesChannelId, seller: traderId }: Scene, count: number): Promise<string[]> {
  const all = Array.from({ length: count }, () => createIssuance(holderOf(traderId), { salesChannelId, traderId }));
  for (let at = 0; at < count; at += 500) await inventory.applyIssuances(...all.slice(at, at + 500));
  return all.map(({ issuanceId }) => issuanceId).toSorted();
}

/** Reads like a client with a cache, until stopped. Returns how often it received "unchanged". */
async function follow(traderId: string, isOver: () => boolean): Promise<number> {
  let held: VersionedRead | undefined;
  let confirmed = 0;
  for (let isLast = false; !isLast;) {
    // Reads once more at the end.
    isLast = isOver();
    const read = await versions.list(traderId, held?.version);
    if (!read.unchanged) held = read;
    else if (held) {
      const truth = await versions.truth(traderId);
      // The inventory has changed again since the read.
      if (truth.version !== held.version) continue;
      expect(held.ranges).toEqual(truth.ranges);
      confirmed += 1;
    }
  }
  const truth = await versions.truth(traderId);
  if (held?.version === truth.version) expect(held.ranges).toEqual(truth.ranges);
  expect((await versions.list(traderId, truth.version)).unchanged).toBe(true);
  expect(await versions.list(traderId)).toEqual(truth);
  return confirmed;
}

test('"unchanged" is correct during trades, reservations and retirements', async () => {
  const scene = inventory.scene();
  const { seller, buyer } = scene;
  const issued = await issueTo(scene, TWO_PAGES);
  let isOver = false;
  const readers = [seller, buyer].flatMap((trader) =>
    Array.from({ length: READERS / 2 }, () => follow(trader, () => isOver)),
  );
  const approval = { autoApproval: false, accountHolderId: holderOf(seller) };
  for (let turn = 0; turn < TURNS; turn++) {
    // Takes turns through all pages.
    const part = [[String(issued[(turn * 17) % issued.length]), 1, 1]] as const;
    if (turn % 3 === 0) await inventory.settleTransaction(createTrade(seller, buyer, part));
    else if (turn % 3 === 1) await inventory.settleTransaction(createRetirement(seller, part));
    else await inventory.reject(await inventory.settleTransaction(createTrade(seller, buyer, part, approval)));
  }
  isOver = true;
  const confirmed = await Promise.all(readers);
  expect(confirmed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  await audit(inventory.service);
});

test('a list that changed while it was read has a version that never recurs', async () => {
  const scene = inventory.scene();
  const { channel, seller, buyer } = scene;
  const last = String((await issueTo(scene, LONG_LIST)).at(-1));
  const options = await asUser(channel, ['ASSET_VIEWER']);
  const chunks = inventory.gateway.ListInventory({ traderId: seller }, options)[Symbol.asyncIterator]();
  const read = [(await chunks.next()).value as never];
  // The rest exceeds all buffers, so the last page is not read yet.
  const whole = await versions.truth(seller);
  await inventory.settleTransaction(createTrade(seller, buyer, [[last, 1, 1]]));
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) read.push(next.value as never);
  const mixed = toVersionedRead(read);
  expect(mixed.version).toBe(whole.version);
  expect(mixed.ranges.at(-1)).toBe(`${last}_2-${last}_10`);
  const now = await versions.list(seller, mixed.version);
  expect(now).toEqual(await versions.truth(seller));
});
