import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { createStates } from './support/contract-states.ts';
import { startInventory, type Inventory } from './support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

await contractTests('inventory', () => ({ service: inventory.service, states: createStates(inventory) }));
