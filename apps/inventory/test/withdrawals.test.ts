import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { query, sql, type Database } from '@saleschannel/database';
import { newId, systemClock } from '@saleschannel/primitives';
import { catchFailure, openTestDatabase } from '@saleschannel/testing';
import { settleTransfers } from '../src/operations/settle-transfers.ts';
import { schema } from '../src/store/schema.ts';
import { audit } from './support/audit.ts';
import { toOutcome, startInventory, type Inventory } from './support/inventory.ts';
import { createTrade } from './support/transfers.ts';

const REASON = 'The ledger did not answer in time.';
let inventory: Inventory;
/** Two more replicas, as the database sees them. */
let replicas: [Database, Database];

const open = (): Promise<Database> => openTestDatabase({ url: inventory.service.databaseUrl, poolMax: 4, ...schema });
beforeAll(async () => {
  inventory = await startInventory();
  replicas = [await open(), await open()];
});
afterEach(() => audit(inventory.service));
afterAll(async () => {
  for (const database of replicas) await database.stop();
  await inventory.stop();
});

const createWithdrawal = (taskId: string) => ({ taskId, reason: REASON, traceparent: '' });
const withdraw = (taskId: string): Promise<void> =>
  inventory.publisher.publish('tasks.transfer.withdrawn.v1', [createWithdrawal(taskId)]);

test('a transfer that was withdrawn first is refused permanently', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const request = createTrade(seller, buyer, [[await issue(), 1, 10]]);
  await withdraw(request.taskId);
  const refused = { outcome: 'REFUSED', transactionId: null, reason: REASON };
  expect(await inventory.waitForReport(request.taskId)).toEqual(refused);
  await inventory.publish(request);
  expect(await inventory.waitForReport(request.taskId, 2)).toEqual(refused);
  await withdraw(request.taskId);
  expect(await inventory.waitForReport(request.taskId, 3)).toEqual(refused);
  expect(await inventory.listRanges(seller)).toEqual(['1-10']);
  expect(await inventory.listRanges(buyer)).toEqual([]);
});

test('withdrawing an executed or reserved transfer changes nothing', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const done = createTrade(seller, buyer, [[await issue(), 1, 10]]);
  const reserved = createTrade(seller, buyer, [[await issue(), 1, 10]], { autoApproval: false });
  for (const [request, outcome] of [
    [done, 'SUCCESS'],
    [reserved, 'RESERVED'],
  ] as const) {
    const transactionId = await inventory.settleTransaction(request);
    await withdraw(request.taskId);
    expect(await inventory.waitForReport(request.taskId, 2)).toMatchObject({ outcome, transactionId });
  }
});

test('a transfer and its withdrawal on two replicas have one outcome', async () => {
  const { seller, buyer, issue } = inventory.scene();
  for (let round = 0; round < 30; round++) {
    const request = createTrade(seller, buyer, [[await issue(), 1, 10]]);
    const { taskId } = request;
    const settle = () => settleTransfers(replicas[0], systemClock, [request]);
    const withdrawNow = () => settleTransfers(replicas[1], systemClock, [], [createWithdrawal(taskId)]);
    await Promise.all(round % 2 === 0 ? [settle(), withdrawNow()] : [withdrawNow(), settle()]);
    await inventory.waitForReport(taskId, 2);
    const outcomes = inventory.listReports(taskId).map((entry) => toOutcome(entry).outcome);
    expect(new Set(outcomes).size).toBe(1);
  }
});

test('the database never accepts both an execution and a refusal of a task', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const request = createTrade(seller, buyer, [[await issue(), 1, 10]]);
  const transactionId = await inventory.settleTransaction(request);
  const insertRefusal = 'insert into transfer_refusal (task_id, reason) values ($1, $2)';
  expect(await catchFailure(inventory.service.sql(insertRefusal, [request.taskId, 'r']))).toMatchObject({
    code: '23000',
  });
  const refused = newId();
  await inventory.service.sql(insertRefusal, [refused, 'r']);
  const copy = `insert into ledger_transaction overriding user value
    select (jsonb_populate_record(t, jsonb_build_object('id', $2::text, 'task_id', $3::text))).*
    from ledger_transaction as t where id = $1`;
  expect(await catchFailure(inventory.service.sql(copy, [transactionId, newId(), refused]))).toMatchObject({
    message: expect.stringContaining('was refused'),
  });
});

test('earlier decisions are reported again while another transaction locks the issuance', async () => {
  const { seller, buyer, issue } = inventory.scene();
  const issuance = await issue();
  const request = createTrade(seller, buyer, [[issuance, 1, 10]]);
  await inventory.settleTransaction(request);
  await replicas[0].transaction(async (em) => {
    await query(em, sql`select from issuance where id = ${issuance} for update`);
    await settleTransfers(replicas[1], systemClock, [request], [], { lockTimeoutMs: 10 });
  });
  expect(await inventory.waitForReport(request.taskId, 2)).toMatchObject({ outcome: 'SUCCESS' });
});
