import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { asUser } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { issuanceOf } from './support/issuances.ts';
import { holderOf, retirementOf, tradeOf } from './support/transfers.ts';
import { readFrom, versionsFrom, type VersionedRead } from './support/versions.ts';

/** Inventories of several pages are read while they change. Whoever is told "unchanged" holds what there is. */

/** Bundles of a list of two pages, and of one that is longer than what services and the network hold on its way. */
const SOME = 1_200;
const MANY = 6_000;
const READERS = 4;
const TURNS = 60;
/** Making that many bundles may take long on a busy machine. */
jest.setTimeout(240_000);

let inventory: Inventory;
let versions: ReturnType<typeof versionsFrom>;

beforeAll(async () => {
  inventory = await startInventory();
  versions = versionsFrom(inventory);
});
afterAll(() => inventory.stop());

/** Lists so many issuances for the seller. Answers their ids, in the order of the list. */
async function issueTo({ channel: salesChannelId, seller: traderId }: Scene, count: number): Promise<string[]> {
  const all = Array.from({ length: count }, () => issuanceOf(holderOf(traderId), { salesChannelId, traderId }));
  for (let at = 0; at < count; at += 500) await inventory.applyIssuances(...all.slice(at, at + 500));
  return all.map(({ issuanceId }) => issuanceId).toSorted();
}

/** Reads as a client does that keeps what it has, until told to stop. Answers how often it was told "unchanged". */
async function follow(traderId: string, isOver: () => boolean): Promise<number> {
  let held: VersionedRead | undefined;
  let confirmed = 0;
  for (let isLast = false; !isLast;) {
    // Once more when all is over.
    isLast = isOver();
    const read = await versions.list(traderId, held?.version);
    if (!read.unchanged) held = read;
    else if (held) {
      const truth = await versions.truth(traderId);
      // Else it has changed since.
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

test('beside trades, reservations and retirements nobody is told "unchanged" who holds anything else', async () => {
  const scene = inventory.scene();
  const { seller, buyer } = scene;
  const issued = await issueTo(scene, SOME);
  let isOver = false;
  const readers = [seller, buyer].flatMap((trader) =>
    Array.from({ length: READERS / 2 }, () => follow(trader, () => isOver)),
  );
  const approval = { autoApproval: false, accountHolderId: holderOf(seller) };
  for (let turn = 0; turn < TURNS; turn++) {
    // From all pages.
    const part = [[String(issued[(turn * 17) % issued.length]), 1, 1]] as const;
    if (turn % 3 === 0) await inventory.transact(tradeOf(seller, buyer, part));
    else if (turn % 3 === 1) await inventory.transact(retirementOf(seller, part));
    else await inventory.reject(await inventory.transact(tradeOf(seller, buyer, part, approval)));
  }
  isOver = true;
  const confirmed = await Promise.all(readers);
  expect(confirmed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  await audit(inventory.service);
});

test('a list that changed while it was read has a version that is never met again', async () => {
  const scene = inventory.scene();
  const { channel, seller, buyer } = scene;
  const last = String((await issueTo(scene, MANY)).at(-1));
  const options = await asUser(channel, ['ASSET_VIEWER']);
  const pieces = inventory.gateway.ListInventory({ traderId: seller }, options)[Symbol.asyncIterator]();
  const read = [(await pieces.next()).value as never];
  // More is left than the network holds, so the last page is not read yet.
  const whole = await versions.truth(seller);
  await inventory.transact(tradeOf(seller, buyer, [[last, 1, 1]]));
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) read.push(next.value as never);
  const mixed = readFrom(read);
  expect(mixed.version).toBe(whole.version);
  expect(mixed.ranges.at(-1)).toBe(`${last}_2-${last}_10`);
  const now = await versions.list(seller, mixed.version);
  expect(now).toEqual(await versions.truth(seller));
});
