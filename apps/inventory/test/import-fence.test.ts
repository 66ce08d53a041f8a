import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@saleschannel/database';
import { asRegistry, eventually, catchFailure, openTestDatabase } from '@saleschannel/testing';
import { checkFence } from '../src/store/import-fence.ts';
import { schema } from '../src/store/schema.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { facility, createIssuance } from './support/issuances.ts';

let inventory: Inventory;
let database: Database;
beforeAll(async () => {
  inventory = await startInventory();
  const url = inventory.service.databaseUrl;
  database = await openTestDatabase({ url, poolMax: 4, ...schema });
});
afterAll(async () => {
  await database.stop();
  await inventory.stop();
});

const toFacility = (name: string) => ({ ...facility, code: 'FENCE1', name });
const put = async (name: string, fence?: string, fenceScope = 'holder') =>
  inventory.registryImport.ApplyFacilities(
    { facilities: [toFacility(name)], ...(fence === undefined ? {} : { fence, fenceScope }) },
    await asRegistry(),
  );
const storedName = async (): Promise<unknown> =>
  (await inventory.service.sql<{ name: string }>("select name from production_facility where code = 'FENCE1'"))[0]
    ?.name;

test('records with a smaller fence than the largest seen are refused, and change nothing', async () => {
  await put('one', '5');
  await put('two', '5');
  await put('three', '7');
  const six = { fence: '6', fenceScope: 'holder' };
  const late = createIssuance('holder', { productionFacilityCode: 'FENCE1' });
  expect(await catchFailure(put('four', '6'))).toMatchObject({ code: 'forbidden' });
  expect(
    await catchFailure(inventory.registryImport.ApplyIssuances({ issuances: [late], ...six }, await asRegistry())),
  ).toMatchObject({ code: 'forbidden' });
  expect(await storedName()).toBe('three');
  expect(await inventory.service.sql('select 1 from issuance where id = $1', [late.issuanceId])).toEqual([]);
  // Fences are per account holder.
  await put('other', '6', 'another');
  expect(await storedName()).toBe('other');
  // Records outside of imports have no fence.
  await put('five');
  expect(await storedName()).toBe('five');
});

test('a larger fence waits for running transactions, and blocks smaller ones from then on', async () => {
  const order: string[] = [];
  let larger: Promise<void> | undefined;
  // Usually a batch finds its own fence.
  await database.transaction((em) => checkFence(em, { fence: '20' }));
  await database.transaction(async (em) => {
    await checkFence(em, { fence: '20' });
    larger = database.transaction(async (other) => {
      await checkFence(other, { fence: '21' });
      order.push('larger');
    });
    await eventually(async () => order.length > 0 || (await hasWaiting()), 'the larger one, running or waiting');
    order.push('smaller');
  });
  await larger;
  expect(order).toEqual(['smaller', 'larger']);
  expect(await catchFailure(database.transaction((em) => checkFence(em, { fence: '20' })))).toMatchObject({
    code: 'forbidden',
  });
});

async function hasWaiting(): Promise<boolean> {
  const waiting = await inventory.service.sql(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length > 0;
}
