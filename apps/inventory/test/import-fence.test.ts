import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@saleschannel/database';
import { asRegistry, eventually, failureOf, openTestDatabase } from '@saleschannel/testing';
import { passFence } from '../src/store/import-fence.ts';
import { schema } from '../src/store/schema.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { facility, issuanceOf } from './support/issuances.ts';

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

const named = (name: string) => ({ ...facility, code: 'FENCE1', name });
const put = async (name: string, fence?: string, fenceScope = 'holder') =>
  inventory.registryImport.ApplyFacilities(
    { facilities: [named(name)], ...(fence === undefined ? {} : { fence, fenceScope }) },
    await asRegistry(),
  );
const storedName = async (): Promise<unknown> =>
  (await inventory.service.sql<{ name: string }>("select name from production_facility where code = 'FENCE1'"))[0]
    ?.name;

test('what is sent under a smaller fence than one that was seen is refused, and changes nothing', async () => {
  await put('one', '5');
  await put('two', '5');
  await put('three', '7');
  const six = { fence: '6', fenceScope: 'holder' };
  const late = issuanceOf('holder', { productionFacilityCode: 'FENCE1' });
  expect(await failureOf(put('four', '6'))).toMatchObject({ code: 'forbidden' });
  expect(
    await failureOf(inventory.registryImport.ApplyIssuances({ issuances: [late], ...six }, await asRegistry())),
  ).toMatchObject({ code: 'forbidden' });
  expect(await storedName()).toBe('three');
  expect(await inventory.service.sql('select 1 from issuance where id = $1', [late.issuanceId])).toEqual([]);
  // Each account holder's imports have fences of their own.
  await put('other', '6', 'another');
  expect(await storedName()).toBe('other');
  // Outside of imports nothing is fenced.
  await put('five');
  expect(await storedName()).toBe('five');
});

test('whoever has a larger fence waits for who is inside, and keeps them out from then on', async () => {
  const order: string[] = [];
  let larger: Promise<void> | undefined;
  // Most batches find their own fence there.
  await database.transaction((em) => passFence(em, { fence: '20' }));
  await database.transaction(async (em) => {
    await passFence(em, { fence: '20' });
    larger = database.transaction(async (other) => {
      await passFence(other, { fence: '21' });
      order.push('larger');
    });
    await eventually(async () => order.length > 0 || (await isAnyoneWaiting()), 'the larger one, at work or waiting');
    order.push('smaller');
  });
  await larger;
  expect(order).toEqual(['smaller', 'larger']);
  expect(await failureOf(database.transaction((em) => passFence(em, { fence: '20' })))).toMatchObject({
    code: 'forbidden',
  });
});

async function isAnyoneWaiting(): Promise<boolean> {
  const waiting = await inventory.service.sql(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length > 0;
}
