import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { callAs, failureOf } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { holderOf, offrampOf, retirementOf, tradeOf } from './support/transfers.ts';

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
async function useOf(salesChannelId: string): Promise<(number | undefined)[]> {
  const { pendingTransactions, reservedBundles, listedBundles } = await rbac.CountChannelUse({ salesChannelId });
  return [pendingTransactions, reservedBundles, listedBundles].map((counted) => counted?.count);
}

test('a sales channel is in use until its certificates are retired, offramped or expired', async () => {
  const [scene, other] = [inventory.scene(), inventory.scene()];
  const { channel, seller, buyer } = scene;
  const [traded, retired, expired] = [await scene.issue(), await scene.issue(), await scene.issue()];
  await other.issue();
  expect(await useOf(channel)).toEqual([0, 0, 3]);
  const waits = { autoApproval: false, accountHolderId: holderOf(seller) };
  const transaction = await inventory.transact(tradeOf(seller, buyer, [[traded, 1, 4]], waits));
  expect(await useOf(channel)).toEqual([1, 1, 3]);
  await inventory.approve(transaction);
  expect(await useOf(channel)).toEqual([0, 0, 4]);
  await inventory.transact(offrampOf(buyer, [[traded, 1, 4]]));
  await inventory.transact(offrampOf(seller, [[traded, 5, 10]]));
  await inventory.transact(retirementOf(seller, [[retired, 1, 10]]));
  expect(await useOf(channel)).toEqual([0, 0, 1]);
  // What has expired can never leave.
  await inventory.expire(expired);
  expect(await useOf(channel)).toEqual([0, 0, 0]);
  expect(await useOf(other.channel)).toEqual([0, 0, 1]);
  expect(await useOf(newId())).toEqual([0, 0, 0]);
});

test('nobody but rbac and the administration asks for it', async () => {
  const gateway = await callAs('gateway', 'channelUse', inventory.service.address, 'inventory');
  expect(await failureOf(gateway.CountChannelUse({ salesChannelId: 'c1' }))).toMatchObject({ code: 'forbidden' });
  gateway.close();
});
