import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { queuesOfFamily, withDeadLetters, type DeadLetter, type DeadLetters } from '@saleschannel/messaging';
import { eventually, testBrokerUrl } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createOfframp, createTrade } from './support/transfers.ts';

let inventory: Inventory;

beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const TYPE = 'tasks.transfer.requested.v1';
const QUEUES = queuesOfFamily('inventory.transfers');
const withLetters = <T>(work: (deadLetters: DeadLetters) => Promise<T>): Promise<T> =>
  withDeadLetters(testBrokerUrl(), inventory.namespace, work);
const listDeadLetters = (): Promise<DeadLetter[]> =>
  withLetters(async (deadLetters) => {
    const found: DeadLetter[] = [];
    for (const queue of QUEUES) found.push(...(await deadLetters.list(queue, 100)));
    return found;
  });

test('unreadable and failing messages become dead letters, without affecting others', async () => {
  const { seller, buyer, issue } = inventory.scene();
  // Raw messages take another queue, in no order with the others, so each sale has its own issuance.
  const issuances = [await issue(), await issue(), await issue()] as const;
  const sale = (issuance: string) => createTrade(seller, buyer, [[issuance, 1, 1]]);
  const [first, second, third] = [sale(issuances[0]), sale(issuances[1]), sale(issuances[2])];
  const broken = createOfframp(seller, [[issuances[2], 2, 2]], { sellerAccountHolderId: '' });
  const { publishRaw } = inventory.publisher;
  await publishRaw(TYPE, 'no JSON');
  await publishRaw(TYPE, '{"entries": {}}');
  await inventory.publish(first);
  const entries = [{ ...second, assets: [] }, second, { ...second, type: 'GIFT' }, { ...second, buyerId: null }];
  await publishRaw(TYPE, JSON.stringify({ entries }));
  await inventory.publish(third, broken);
  for (const { taskId } of [first, second, third])
    expect(await inventory.waitForReport(taskId)).toMatchObject({ outcome: 'SUCCESS' });
  const letters = await eventually(async () => {
    const found = await listDeadLetters();
    return found.length === 6 && found;
  }, '6 dead letters');
  expect(letters.filter(({ reason }) => reason === 'the message cannot be read')).toHaveLength(5);
  expect(letters.find(({ body }) => body.includes(broken.taskId))?.reason).toContain('bundle_owner_id_check');
  expect(await inventory.listRanges(buyer)).toEqual(['1-1', '1-1', '1-1']);
  expect(await inventory.listRanges(seller)).toEqual(['2-10', '2-10', '2-10']);
});

test('a replayed dead letter is executed once', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const request = createTrade(seller, buyer, [[await issue(), 1, 5]]);
  // Simulates a fault that an operator fixes.
  const rule = `check (task_id <> '${request.taskId}')`;
  await inventory.transaction(`alter table ledger_transaction add constraint mistaken ${rule}`);
  await inventory.publish(request);
  await eventually(
    async () => (await listDeadLetters()).some(({ body }) => body.includes(request.taskId)),
    'a dead letter',
  );
  await inventory.transaction('alter table ledger_transaction drop constraint mistaken');
  const letters = await listDeadLetters();
  const { queue } = letters.find(({ body }) => body.includes(request.taskId)) as DeadLetter;
  const count = letters.filter((letter) => letter.queue === queue).length;
  expect(await withLetters((deadLetters) => deadLetters.replay(queue, count))).toBe(count);
  expect(await inventory.waitForReport(request.taskId)).toMatchObject({ outcome: 'SUCCESS' });
  expect(await inventory.listRanges(buyer)).toEqual(['1-5']);
});
