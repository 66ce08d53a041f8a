import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { callAs, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { holderOf, createOfframp, createRetirement, createTrade } from './support/transfers.ts';

let inventory: Inventory;
let rbac: ServiceClient<'channelUse'>;
beforeAll(async () => {
  inventory = await startInventory();
  rbac = await callAs('rbac', 'channelUse', inventory.service.address, 'inventory');
});
afterAll(async () => {
  rbac.close();
  await audit(inventory.service);
  await inventory.stop();
});

/** Pending transactions, reserved and listed bundles. */
async function countUse(salesChannelId: string): Promise<(number | undefined)[]> {
  const { pendingTransactions, reservedBundles, listedBundles } = await rbac.CountChannelUse({ salesChannelId });
  return [pendingTransactions, reservedBundles, listedBundles].map((counted) => counted?.count);
}

test('a sales channel is in use until its certificates are retired, offramped or expired', async () => {
  const [scene, other] = [inventory.scene(), inventory.scene()];
  const { channel, seller, buyer } = scene;
  const [traded, retired, expired] = [await scene.issue(), await scene.issue(), await scene.issue()];
  await other.issue();
  expect(await countUse(channel)).toEqual([0, 0, 3]);
  const pending = { autoApproval: false, accountHolderId: holderOf(seller) };
  const transaction = await inventory.settleTransaction(createTrade(seller, buyer, [[traded, 1, 4]], pending));
  expect(await countUse(channel)).toEqual([1, 1, 3]);
  await inventory.approve(transaction);
  expect(await countUse(channel)).toEqual([0, 0, 4]);
  await inventory.settleTransaction(createOfframp(buyer, [[traded, 1, 4]]));
  await inventory.settleTransaction(createOfframp(seller, [[traded, 5, 10]]));
  await inventory.settleTransaction(createRetirement(seller, [[retired, 1, 10]]));
  expect(await countUse(channel)).toEqual([0, 0, 1]);
  // Expired certificates can never leave, so they do not count.
  await inventory.expire(expired);
  expect(await countUse(channel)).toEqual([0, 0, 0]);
  expect(await countUse(other.channel)).toEqual([0, 0, 1]);
  expect(await countUse(newId())).toEqual([0, 0, 0]);
});

test('only rbac and admin may call CountChannelUse', async () => {
  const gateway = await callAs('gateway', 'channelUse', inventory.service.address, 'inventory');
  expect(await catchFailure(gateway.CountChannelUse({ salesChannelId: 'c1' }))).toMatchObject({ code: 'forbidden' });
  gateway.close();
});
