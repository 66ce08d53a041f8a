import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { queuesOfFamily, withDeadLetters, type DeadLetter } from '@saleschannel/messaging';
import { testBrokerUrl } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { tradeOf } from './support/transfers.ts';

let inventory: Inventory;

beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const deadLetters = () =>
  withDeadLetters(testBrokerUrl(), inventory.namespace, async (letters) => {
    const found: DeadLetter[] = [];
    for (const queue of queuesOfFamily('inventory.transfers')) found.push(...(await letters.list(queue, 100)));
    return found;
  });

test('while a session holds an issuance, others go on; then its transfers do, first come first served', async () => {
  const [one, other] = [inventory.scene(), inventory.scene()];
  const [held, free] = [await one.issue(), await other.issue()];
  const holder = createConnection(inventory.service.databaseUrl);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from issuance where id = $1 for update', [held]);
  const first = tradeOf(one.seller, one.buyer, [[held, 1, 5]]);
  const tooLate = tradeOf(one.seller, one.trader('another'), [[held, 1, 5]]);
  const sale = (serial: number) => tradeOf(other.seller, other.buyer, [[free, serial, serial]]);
  const sales = [sale(1), sale(2), sale(3)] as const;
  await inventory.publish(first, sales[0]);
  await inventory.publish(sales[1], tooLate);
  await inventory.publish(sales[2]);
  for (const { taskId } of sales) expect(await inventory.answerTo(taskId)).toMatchObject({ said: 'SUCCESS' });
  expect([first, tooLate].flatMap(({ taskId }) => inventory.answersTo(taskId))).toEqual([]);
  await holder.query('rollback');
  await holder.end();
  expect(await inventory.answerTo(first.taskId)).toMatchObject({ said: 'SUCCESS' });
  expect(await inventory.answerTo(tooLate.taskId)).toMatchObject({ said: 'REFUSED' });
  expect(await inventory.ranges(one.buyer)).toEqual(['1-5']);
  expect(await deadLetters()).toEqual([]);
});
