import { afterAll, beforeAll, test } from '@jest/globals';
import { fewestConnections, proveOwnConnections } from '@saleschannel/testing';
import { startInventory, type Inventory } from './support/inventory.ts';
import { tradeOf } from './support/transfers.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory(fewestConnections);
});
afterAll(() => inventory.stop());

test('transfers are settled while calls hold all of their connections', async () => {
  const scene = inventory.scene();
  const issuance = await scene.issue();
  await proveOwnConnections({
    service: inventory.service,
    table: 'bundle',
    call: () => inventory.list(scene.seller),
    work: () => inventory.transact(tradeOf(scene.seller, scene.buyer, [[issuance, 1, 4]])),
  });
});
