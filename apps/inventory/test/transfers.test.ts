import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { queuesOfFamily, withDeadLetters } from '@saleschannel/messaging';
import { asUser, eventually, testBrokerUrl } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { holderOf, createOfframp, createRetirement, toSelection, createTrade, type Part } from './support/transfers.ts';

let inventory: Inventory;
let scene: Scene;
let seller: string;
let buyer: string;

beforeAll(async () => {
  inventory = await startInventory();
});
beforeEach(() => {
  scene = inventory.scene();
  ({ seller, buyer } = scene);
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const readBundles = async (issuanceId: string): Promise<string[]> => {
  const rows = await inventory.service.sql<{ text: string }>(
    `select format('%s-%s %s %s %s', previous_last + 1, last, state, owner_id, sales_channel_id) as text
     from bundle where issuance_id = $1 and owner_id is not null order by last`,
    [issuanceId],
  );
  return rows.map(({ text }) => text);
};

test.each([
  ['the first certificate', 1, 1, ['2-10'], ['1-1']],
  ['the first part', 1, 4, ['5-10'], ['1-4']],
  ['all but the last', 1, 9, ['10-10'], ['1-9']],
  ['the whole bundle', 1, 10, [], ['1-10']],
])('a trade of %s', async (_name, first, last, left, moved) => {
  const issuance = await scene.issue();
  expect(await inventory.settle(createTrade(seller, buyer, [[issuance, first, last]]))).toMatchObject({
    outcome: 'SUCCESS',
    reason: null,
  });
  expect(await inventory.listRanges(seller)).toEqual(left);
  expect(await inventory.listRanges(buyer)).toEqual(moved);
});

test('certificates can be sold again, down to single ones', async () => {
  const issuance = await scene.issue();
  const third = scene.trader('third');
  await inventory.settle(createTrade(seller, buyer, [[issuance, 1, 5]]));
  await inventory.settle(
    createTrade(buyer, third, [
      [issuance, 1, 1],
      [issuance, 2, 2],
    ]),
  );
  await inventory.settle(createTrade(third, seller, [[issuance, 1, 1]]));
  expect(await readBundles(issuance)).toEqual([
    `1-1 LISTABLE ${seller} ${scene.channel}`,
    `2-2 LISTABLE ${third} ${scene.channel}`,
    `3-5 LISTABLE ${buyer} ${scene.channel}`,
    `6-10 LISTABLE ${seller} ${scene.channel}`,
  ]);
});

test('retired certificates cannot be traded', async () => {
  const issuance = await scene.issue();
  expect(await inventory.settle(createRetirement(seller, [[issuance, 1, 4]]))).toMatchObject({ outcome: 'SUCCESS' });
  expect(await readBundles(issuance)).toEqual([
    expect.stringContaining('1-4 RETIRED'),
    expect.stringContaining('5-10 LISTABLE'),
  ]);
  expect(await inventory.settle(createTrade(seller, buyer, [[issuance, 1, 4]]))).toMatchObject({ outcome: 'REFUSED' });
});

test('an offramp returns certificates to the account holder', async () => {
  const issuance = await scene.issue();
  expect(await inventory.settle(createOfframp(seller, [[issuance, 1, 10]]))).toMatchObject({ outcome: 'SUCCESS' });
  expect(await readBundles(issuance)).toEqual([`1-10 OFFRAMPED ${holderOf(seller)} `]);
  expect(await inventory.listRanges(seller)).toEqual([]);
});

test('old serials of 38 digits keep their leading zeros', async () => {
  const first = '00064314999999999999999999999999999995';
  const middle = '00064314999999999999999999999999999999';
  const next = '00064315000000000000000000000000000000';
  const last = '00064315000000000000000000000000000004';
  const issuance = await scene.issue(first, last);
  await inventory.settle(createTrade(seller, buyer, [[issuance, first, middle]]));
  expect(await inventory.list(buyer)).toMatchObject([
    { start: `${issuance}_${first}`, end: `${issuance}_${middle}`, volume: 5 },
  ]);
  expect(await inventory.list(seller)).toMatchObject([
    { start: `${issuance}_${next}`, end: `${issuance}_${last}`, volume: 5 },
  ]);
  const withoutZeros = next.replace(/^0+/, '');
  expect(await inventory.settle(createTrade(seller, buyer, [[issuance, withoutZeros, last]]))).toMatchObject({
    outcome: 'REFUSED',
  });
});

test('several selections over several issuances move together, each with its own price', async () => {
  const [a, b, c] = [await scene.issue(), await scene.issue('100', '999'), await scene.issue()];
  const parts: Part[] = [
    [b, 100, 149],
    [a, 1, 5],
    [a, 6, 10],
    [c, 1, 10],
    [b, 150, 150],
  ];
  const assets = parts.map((part, index) => ({ ...toSelection(part), unitPrice: `0.00000${index}` }));
  const transactionId = await inventory.settleTransaction(createTrade(seller, buyer, [], { assets }));
  expect((await inventory.listRanges(buyer)).toSorted()).toEqual(['1-10', '1-5', '100-149', '150-150', '6-10']);
  expect(await inventory.listRanges(seller)).toEqual(['151-999']);
  const lines = await inventory.service.sql(
    'select first::text, unit_price as price from transaction_line where transaction_id = $1 order by ordinal',
    [transactionId],
  );
  expect(lines).toEqual(parts.map(([_issuance, first], index) => ({ first: String(first), price: `0.00000${index}` })));
});

test('one invalid selection refuses the whole transfer', async () => {
  const [a, b] = [await scene.issue(), await scene.issue()];
  const outcome = await inventory.settle(
    createTrade(seller, buyer, [
      [a, 1, 5],
      [b, 1, 5],
      [a, 7, 8],
    ]),
  );
  expect(outcome).toEqual({
    outcome: 'REFUSED',
    transactionId: null,
    reason: expect.stringMatching(/^assets\/2\/start: /),
  });
  expect(await inventory.listRanges(seller)).toEqual(['1-10', '1-10']);
});

test('1,000 selections are one transaction', async () => {
  const issuance = await scene.issue('1', '1500');
  const parts = Array.from({ length: 1_000 }, (_, index): Part => [issuance, index + 1, index + 1]);
  const transactionId = await inventory.settleTransaction(createTrade(seller, buyer, parts));
  const lines = await inventory.service.sql(
    `select count(*)::int as count, sum(last - first + 1)::int as volume
     from transaction_line where transaction_id = $1`,
    [transactionId],
  );
  expect(lines).toEqual([{ count: 1_000, volume: 1_000 }]);
  expect(await inventory.listRanges(seller)).toEqual(['1001-1500']);
});

describe('refused', () => {
  const refusal = async (parts: Part[], fields: Parameters<typeof createTrade>[3] = {}): Promise<string | null> => {
    const outcome = await inventory.settle(createTrade(seller, buyer, parts, fields));
    expect(outcome).toMatchObject({ outcome: 'REFUSED', transactionId: null });
    return outcome.reason;
  };

  test('a start inside of a bundle', async () => {
    expect(await refusal([[await scene.issue(), 4, 6]])).toBe(
      'assets/0/start: This certificate is not the first of a bundle that the owner can move.',
    );
  });

  test('an end behind the bundle', async () => {
    expect(await refusal([[await scene.issue(), 1, 11]])).toBe('assets/0/end: The bundle ends with serial 10.');
  });

  test('an overlap', async () => {
    const issuance = await scene.issue();
    expect(
      await refusal([
        [issuance, 1, 5],
        [issuance, 5, 10],
      ]),
    ).toMatch(/^assets\/1\/start: .*overlaps another/);
  });

  test('an end before the start', async () => {
    expect(await refusal([[await scene.issue(), 5, 4]])).toMatch(/^assets\/0\/end: /);
  });

  test('selections of other owners or channels, unknown and malformed ones', async () => {
    const unknown = 'assets/0/start: This certificate is not the first of a bundle that the owner can move.';
    const issuance = await scene.issue();
    expect(await refusal([[issuance, 1, 5]], { sellerId: buyer, buyerId: seller })).toBe(unknown);
    expect(await refusal([[issuance, 1, 5]], { salesChannelId: 'another' })).toBe(unknown);
    expect(await refusal([['00000000-0000-4000-8000-000000000000', 1, 5]])).toBe(unknown);
    expect(await refusal([['no-uuid', 1, 5]])).toBe(unknown);
    expect(await refusal([[issuance, 'x', 5]])).toMatch(/^assets\/0\/start: Expected/);
    expect(await refusal([[issuance, '1'.repeat(39), 5]])).toMatch(/^assets\/0\/start: Expected/);
  });

  test('two issuances in one selection', async () => {
    const [a, b] = [await scene.issue(), await scene.issue()];
    const assets = [{ start: toSelection([a, 1, 5]).start, end: toSelection([b, 1, 5]).end, unitPrice: '1' }];
    expect(await refusal([], { assets })).toBe('assets/0/end: Start and end name different issuances.');
  });

  test('serials in another form', async () => {
    expect(await refusal([[await scene.issue(), '01', '5']])).toMatch(
      /^assets\/0\/start: In this issuance the serial is written as 1\.$/,
    );
  });

  test('expired certificates', async () => {
    const issuance = await scene.issue();
    await inventory.expire(issuance);
    expect(await refusal([[issuance, 1, 5]])).toBe('assets/0/start: The certificates have expired.');
  });

  test('stays refused on redelivery, even if it would succeed now', async () => {
    const issuance = await scene.issue();
    await inventory.settle(createTrade(seller, buyer, [[issuance, 1, 5]]));
    const request = createTrade(seller, buyer, [[issuance, 1, 5]]);
    const first = await inventory.settle(request);
    expect(first).toMatchObject({ outcome: 'REFUSED', transactionId: null });
    await inventory.settle(createTrade(buyer, seller, [[issuance, 1, 5]]));
    await inventory.publish(request);
    expect(await inventory.waitForReport(request.taskId, 2)).toEqual(first);
    expect(await inventory.listRanges(seller)).toEqual(['1-5', '6-10']);
  });
});

test('a redelivered task is executed once, and reported again', async () => {
  const issuance = await scene.issue();
  const request = createTrade(seller, buyer, [[issuance, 1, 5]]);
  const first = await inventory.settle(request);
  await inventory.publish(request, request);
  expect(await inventory.waitForReport(request.taskId, 2)).toEqual(first);
  expect(await inventory.listRanges(seller)).toEqual(['6-10']);
  expect(
    await inventory.service.sql('select count(*)::int as count from ledger_transaction where task_id = $1', [
      request.taskId,
    ]),
  ).toEqual([{ count: 1 }]);
  const changes = inventory
    .listReports(request.taskId)
    .filter(({ type }) => type === 'inventory.transaction.status-changed.v1');
  expect(changes).toHaveLength(1);
});

test('transfers of one message may depend on each other, and each has its own outcome', async () => {
  const issuance = await scene.issue();
  const requests = [
    createTrade(seller, buyer, [[issuance, 1, 5]]),
    createTrade(seller, buyer, [[issuance, 1, 5]]),
    createTrade(seller, buyer, [[issuance, 6, 8]]),
    createTrade(buyer, seller, [[issuance, 1, 2]]),
    createRetirement(seller, [[issuance, 9, 10]]),
  ];
  await inventory.publish(...requests);
  const outcomes: string[] = [];
  for (const { taskId } of requests) outcomes.push((await inventory.waitForReport(taskId)).outcome);
  expect(outcomes).toEqual(['SUCCESS', 'REFUSED', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  expect(await inventory.listRanges(seller)).toEqual(['1-2']);
  expect(await inventory.listRanges(buyer)).toEqual(['3-5', '6-8']);
});

test('a change of status is published to the log and to tasks', async () => {
  const issuance = await scene.issue();
  const request = createTrade(seller, buyer, [[issuance, 1, 5]], {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  });
  const transactionId = await inventory.settleTransaction(request);
  const { salesChannelId, taskId, traceparent } = request;
  const document = await inventory.gateway.GetTransaction(
    { transactionId },
    await asUser(salesChannelId, ['TRANSACTION_ADMINISTRATOR']),
  );
  const { completedAt } = JSON.parse(document.data.toString()) as { completedAt: string };
  const entry = {
    type: 'inventory.transaction.status-changed.v1',
    event: {
      eventId: expect.any(String),
      salesChannelId,
      transactionId,
      taskId,
      sequence: '1',
      status: 'SUCCESS',
      reason: null,
      effectiveAt: completedAt,
      traceparent,
    },
  };
  expect(inventory.listReports(taskId)).toEqual([entry]);
  const logged = await eventually(
    () => Promise.resolve(inventory.logEntries.find(({ event }) => event.taskId === taskId)),
    'an entry for the log',
  );
  expect(logged).toEqual(inventory.listReports(taskId)[0]);
});

test('while a session locks an issuance, other transfers settle, and its own settle in order afterwards', async () => {
  const other = inventory.scene();
  const [locked, free] = [await scene.issue(), await other.issue()];
  const session = createConnection(inventory.service.databaseUrl);
  await session.connect();
  await session.query('begin');
  await session.query('select 1 from issuance where id = $1 for update', [locked]);
  const first = createTrade(seller, buyer, [[locked, 1, 5]]);
  const tooLate = createTrade(seller, scene.trader('another'), [[locked, 1, 5]]);
  const createSale = (serial: number) => createTrade(other.seller, other.buyer, [[free, serial, serial]]);
  const sales = [createSale(1), createSale(2), createSale(3)] as const;
  await inventory.publish(first, sales[0]);
  await inventory.publish(sales[1], tooLate);
  await inventory.publish(sales[2]);
  for (const { taskId } of sales) expect(await inventory.waitForReport(taskId)).toMatchObject({ outcome: 'SUCCESS' });
  expect([first, tooLate].flatMap(({ taskId }) => inventory.listReports(taskId))).toEqual([]);
  await session.query('rollback');
  await session.end();
  expect(await inventory.waitForReport(first.taskId)).toMatchObject({ outcome: 'SUCCESS' });
  expect(await inventory.waitForReport(tooLate.taskId)).toMatchObject({ outcome: 'REFUSED' });
  expect(await inventory.listRanges(buyer)).toEqual(['1-5']);
  const deadLetters = await withDeadLetters(testBrokerUrl(), inventory.namespace, (letters) =>
    Promise.all(queuesOfFamily('inventory.transfers').map((queue) => letters.list(queue, 100))),
  );
  expect(deadLetters.flat()).toEqual([]);
});

test('a transfer that fails unexpectedly does not affect others', async () => {
  const issuance = await scene.issue();
  const broken = createOfframp(seller, [[issuance, 1, 5]], { sellerAccountHolderId: '' });
  const good = createTrade(seller, buyer, [[issuance, 1, 5]]);
  await inventory.publish(broken, good);
  expect(await inventory.waitForReport(good.taskId)).toMatchObject({ outcome: 'SUCCESS' });
});
