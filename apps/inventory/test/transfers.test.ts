import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answerTo, issue, listInventory, putFacility, startLedger, tradeOf, type TestLedger } from './support.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await startLedger();
  await putFacility(ledger);
});

afterAll(() => ledger.stop());

const ranges = async (channel: string, trader: string): Promise<string[]> =>
  (await listInventory(ledger, channel, trader)).map(({ start, end, volume }) => `${start.split('_')[1]}-${end.split('_')[1]}=${volume}`);

test('a trade of the first part splits the bundle and leaves the rest', async () => {
  const issuance = await issue(ledger, 'c1', 'c1-seller');
  const request = tradeOf('c1', 'c1-seller', 'c1-buyer', [[`${issuance}_1`, `${issuance}_4`]]);
  await ledger.publisher.publish('tasks.transfer.requested.v1', [request]);
  expect(await answerTo(ledger, request.taskId)).toMatchObject({ type: 'inventory.transaction.status-changed.v1', event: { status: 'SUCCESS' } });
  expect(await ranges('c1', 'c1-seller')).toEqual(['5-10=6']);
  expect(await ranges('c1', 'c1-buyer')).toEqual(['1-4=4']);
});
