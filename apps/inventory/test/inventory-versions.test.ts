import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, collect, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { FACILITY, createIssuance } from './support/issuances.ts';
import { channelOf, holderOf, createOfframp, createRetirement, toSelection, createTrade } from './support/transfers.ts';
import { toVersionedRead, createVersionReads } from './support/versions.ts';

/** Inventories have versions. A client with the current one receives "unchanged", and no other client does. */

let inventory: Inventory;
let versions: ReturnType<typeof createVersionReads>;
beforeAll(async () => {
  inventory = await startInventory();
  versions = createVersionReads(inventory);
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const withApproval = (seller: string) => ({ autoApproval: false, accountHolderId: holderOf(seller) });

async function onramp({ channel, trader }: Scene, issuanceId: string): Promise<void> {
  await inventory.registryImport.Onramp(
    {
      accountHolderId: 'ramp',
      salesChannelId: channel,
      traderId: trader('ramp'),
      idempotencyKey: newId(),
      assets: [toSelection([issuanceId, 1, 2])],
    },
    await asRegistry('ramp'),
  );
}

test('an unchanged inventory keeps its version, and is not sent to clients that have it', async () => {
  const { seller, issue } = inventory.scene();
  await issue();
  const first = await versions.list(seller);
  expect(first).toMatchObject({ unchanged: false, ranges: [expect.any(String)] });
  expect(await versions.list(seller)).toEqual(first);
  expect(await versions.list(seller, first.version)).toEqual({ version: first.version, unchanged: true, ranges: [] });
  expect(await versions.list(seller, 'another')).toEqual(first);
  const options = await asUser(channelOf(seller), ['ASSET_VIEWER']);
  const several = { versions: ['another', first.version], any: false };
  for (const known of [several, { versions: [], any: true }]) {
    const chunks = await collect(inventory.gateway.ListInventory({ traderId: seller, known }, options));
    expect(toVersionedRead(chunks)).toEqual({ version: first.version, unchanged: true, ranges: [] });
  }
});

describe('the version changes after', () => {
  type Change = (scene: Scene, issuanceId: string) => Promise<unknown>;
  const trade: Change = ({ seller, buyer }, id) =>
    inventory.settleTransaction(createTrade(seller, buyer, [[id, 1, 2]]));
  const reserve: Change = ({ seller, buyer }, id) =>
    inventory.settleTransaction(createTrade(seller, buyer, [[id, 1, 2]], withApproval(seller)));
  const retirement: Change = ({ seller }, id) => inventory.settleTransaction(createRetirement(seller, [[id, 1, 10]]));
  const offramp: Change = ({ seller }, id) => inventory.settleTransaction(createOfframp(seller, [[id, 1, 1]]));
  const issuance: Change = ({ issue }) => issue();
  const expiry: Change = (_scene, id) => inventory.expire(id);

  const onlySeller = ({ seller }: Scene) => [seller];
  const both = ({ seller, buyer }: Scene) => [seller, buyer];
  test.each<[string, Change, (scene: Scene) => string[]]>([
    ['a trade, for seller and buyer', trade, both],
    ['a reservation', reserve, onlySeller],
    ['a retirement', retirement, onlySeller],
    ['an offramp', offramp, onlySeller],
    ['a new issuance', issuance, onlySeller],
    ['an expiry', expiry, onlySeller],
  ])('%s', async (_name, change, whose) => {
    const scene = inventory.scene();
    const issuanceId = await scene.issue();
    const before = await Promise.all(whose(scene).map((trader) => versions.list(trader)));
    await change(scene, issuanceId);
    for (const [index, trader] of whose(scene).entries()) {
      const known = before[index]?.version;
      const after = await versions.list(trader, known);
      expect(after).toEqual(await versions.list(trader));
      expect(after).toMatchObject({ unchanged: false });
      expect(after.ranges).not.toEqual(before[index]?.ranges);
    }
  });

  test('an approval, for the buyer, and a rejection, for the seller whose bundles merge again', async () => {
    const scene = inventory.scene();
    const { seller, buyer } = scene;
    const issuanceId = await scene.issue();
    const whole = await versions.list(seller);
    const rejected = String(await reserve(scene, issuanceId));
    const reserved = await versions.list(seller, whole.version);
    expect(reserved).toMatchObject({ unchanged: false, ranges: [`${issuanceId}_3-${issuanceId}_10`] });
    await inventory.reject(rejected);
    const again = await versions.list(seller, reserved.version);
    // The bundles are those of the first version, but versions never recur.
    expect(again).toMatchObject({ unchanged: false, ranges: whole.ranges });
    expect(await versions.list(seller, whole.version)).toEqual(again);

    const approved = String(await reserve(scene, issuanceId));
    const none = await versions.list(buyer);
    await inventory.approve(approved);
    expect(await versions.list(buyer, none.version)).toMatchObject({
      unchanged: false,
      ranges: [`${issuanceId}_1-${issuanceId}_2`],
    });
  });

  test('an onramp', async () => {
    const scene = inventory.scene();
    const held = createIssuance('ramp');
    await inventory.applyIssuances(held);
    const none = await versions.list(scene.trader('ramp'));
    await onramp(scene, held.issuanceId);
    expect(await versions.list(scene.trader('ramp'), none.version)).toMatchObject({
      unchanged: false,
      ranges: [`${held.issuanceId}_1-${held.issuanceId}_2`],
    });
  });

  test('no change of other traders', async () => {
    const [mine, other] = [inventory.scene(), inventory.scene()];
    await mine.issue();
    const { version } = await versions.list(mine.seller);
    await trade(other, await other.issue());
    await inventory.settleTransaction(
      createTrade(mine.buyer, mine.trader('third'), [[await issueTo(mine.buyer), 1, 1]]),
    );
    expect(await versions.list(mine.seller, version)).toMatchObject({ unchanged: true });
  });
});

const issueTo = (traderId: string): Promise<string> => inventory.issue(channelOf(traderId), traderId);

describe('a version belongs to one list', () => {
  test('empty inventories of two traders have different versions', async () => {
    const [one, two] = [inventory.scene(), inventory.scene()];
    const empty = await versions.list(one.buyer);
    for (const trader of [one.seller, two.buyer]) {
      expect(await versions.list(trader, empty.version)).toMatchObject({ unchanged: false, ranges: [] });
    }
  });

  test('a trader of another channel is not found, with any known version', async () => {
    const [one, two] = [inventory.scene(), inventory.scene()];
    const { version } = await versions.list(one.seller);
    const options = await asUser(two.channel, ['ASSET_VIEWER']);
    for (const known of [
      { versions: [version], any: false },
      { versions: [], any: true },
    ]) {
      const request = { traderId: one.seller, known };
      expect(await catchFailure(collect(inventory.gateway.ListInventory(request, options)))).toMatchObject({
        code: 'not-found',
      });
      const page = { limit: 1, offset: 0 };
      expect(await catchFailure(inventory.gateway.PageInventory({ ...request, page }, options))).toMatchObject({
        code: 'not-found',
      });
    }
  });

  test('each filter, page and page size has its own version', async () => {
    const { seller, issue } = inventory.scene();
    const issuanceId = await issue();
    const { id: facilityId } = await inventory.registryGateway.GetFacility({ code: FACILITY }, await asRegistry());
    const filters = [
      {},
      { issuanceId },
      { vintage: 2024 },
      { vintage: 2023 },
      { productionFacilityId: String(facilityId) },
      { methodologyCode: 'C03000000' },
      { vintage: 2024, methodologyCode: 'C03000000' },
    ];
    const pages = [
      { limit: 1, offset: 0 },
      { limit: 2, offset: 0 },
      { limit: 1, offset: 1 },
    ];
    const reads = [
      ...filters.map((filter) => (known?: string) => versions.list(seller, known, { filter })),
      ...pages.map((page) => (known?: string) => versions.page(seller, page, known)),
      (known?: string) => versions.page(seller, { limit: 1, offset: 0 }, known, { filter: { vintage: 2024 } }),
    ];
    const found = await Promise.all(reads.map(async (read) => (await read()).version));
    expect(new Set(found).size).toBe(reads.length);
    for (const [index, read] of reads.entries()) {
      for (const version of found) expect(await read(version)).toMatchObject({ unchanged: version === found[index] });
    }
  });

  test('the next page has another version', async () => {
    const { seller, buyer, issue } = inventory.scene();
    await issue();
    const issuanceId = await issue();
    const options = await asUser(channelOf(seller), ['ASSET_VIEWER']);
    const { next, version } = await inventory.gateway.PageInventory(
      { traderId: seller, page: { limit: 1, offset: 0 } },
      options,
    );
    const page = { limit: 1, offset: 0, ...(next === undefined ? {} : { after: next }) };
    const second = await versions.page(seller, page, version);
    expect(second).toMatchObject({ unchanged: false, ranges: [expect.any(String)] });
    expect(await versions.page(seller, page, second.version)).toMatchObject({ unchanged: true, ranges: [] });
    await inventory.settleTransaction(createTrade(seller, buyer, [[issuanceId, 1, 1]]));
    expect(await versions.page(seller, page, second.version)).toMatchObject({ unchanged: false });
  });
});

test('a rolled back change never reuses a version, even after a loss of data', async () => {
  const { seller, issue } = inventory.scene();
  const issuanceId = await issue();
  const sum = `(select sum(delta) from list_count_delta where list = 'inventory' and key = '${seller}')`;
  const shrink = `update bundle set previous_last = 1 where issuance_id = '${issuanceId}' and state = 'LISTABLE'`;
  const lost = async (): Promise<string> => {
    // The error reports the sum, and rolls back.
    const failed = await catchFailure(
      inventory.service.sql(`do $$ begin ${shrink}; raise exception 'sum %', ${sum}; end $$`),
    );
    return String((failed as Error).message);
  };
  const [one, two] = [await lost(), await lost()];
  expect(one).toMatch(/sum \d+/);
  expect(two).not.toBe(one);
});
