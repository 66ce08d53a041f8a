import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser } from '@saleschannel/testing';
import { audit } from './audit.ts';
import {
  answerTo,
  expire,
  issue,
  listInventory,
  newChannel,
  offrampOf,
  outcomeOf,
  putFacility,
  rangesOf,
  retirementOf,
  selectionOf,
  settle,
  startLedger,
  tradeOf,
  type TestLedger,
} from './support.ts';

let ledger: TestLedger;
let seller: string;
let buyer: string;

beforeAll(async () => {
  ledger = await startLedger();
  await putFacility(ledger);
});
beforeEach(() => {
  const channel = newChannel();
  seller = `${channel}-seller`;
  buyer = `${channel}-buyer`;
});
afterAll(async () => {
  await audit(ledger).finally(() => ledger.stop());
});

const issued = (first = '1', last = '10'): Promise<string> =>
  issue(ledger, seller.slice(0, seller.indexOf('-')), seller, first, last);
const statesOf = async (issuance: string): Promise<string[]> =>
  (
    await ledger.sql<{ text: string }>(
      "select (previous_last + 1) || '-' || last || ' ' || state || ' ' || owner_id || ' ' || coalesce(sales_channel_id, '') as text from bundle where issuance_id = ? and owner_id is not null order by last",
      [issuance],
    )
  ).map(({ text }) => text);

test.each([
  ['the first certificate', 1, 1, ['2-10'], ['1-1']],
  ['the first part', 1, 4, ['5-10'], ['1-4']],
  ['all but the last', 1, 9, ['10-10'], ['1-9']],
  ['the whole bundle', 1, 10, [], ['1-10']],
])('a trade of %s', async (_name, first, last, left, moved) => {
  const issuance = await issued();
  expect(await settle(ledger, tradeOf(seller, buyer, [[issuance, first, last]]))).toMatchObject({
    said: 'SUCCESS',
    reason: null,
  });
  expect(await rangesOf(ledger, seller)).toEqual(left);
  expect(await rangesOf(ledger, buyer)).toEqual(moved);
});

test('what was bought can be sold again, down to single certificates', async () => {
  const issuance = await issued();
  const third = buyer.replace('buyer', 'third');
  await settle(ledger, tradeOf(seller, buyer, [[issuance, 1, 5]]));
  await settle(
    ledger,
    tradeOf(buyer, third, [
      [issuance, 1, 1],
      [issuance, 2, 2],
    ]),
  );
  await settle(ledger, tradeOf(third, seller, [[issuance, 1, 1]]));
  expect(await statesOf(issuance)).toEqual(
    ['1', '2', '3', '6'].map((first, index) => {
      const channel = seller.split('-')[0];
      return `${first}-${['1', '2', '5', '10'][index]} LISTABLE ${[seller, third, buyer, seller][index]} ${channel}`;
    }),
  );
});

test('a retirement takes certificates out of the market for good', async () => {
  const issuance = await issued();
  expect(await settle(ledger, retirementOf(seller, [[issuance, 1, 4]]))).toMatchObject({ said: 'SUCCESS' });
  expect(await statesOf(issuance)).toEqual([
    expect.stringContaining('1-4 RETIRED'),
    expect.stringContaining('5-10 LISTABLE'),
  ]);
  expect(await settle(ledger, tradeOf(seller, buyer, [[issuance, 1, 4]]))).toMatchObject({ said: 'REFUSED' });
});

test('an offramp gives certificates back to the account holder', async () => {
  const issuance = await issued();
  expect(await settle(ledger, offrampOf(seller, [[issuance, 1, 10]]))).toMatchObject({ said: 'SUCCESS' });
  expect(await statesOf(issuance)).toEqual([`1-10 OFFRAMPED holder-of-${seller} `]);
  expect(await rangesOf(ledger, seller)).toEqual([]);
});

test('old serials of 38 digits keep their zeros', async () => {
  const first = '00064314999999999999999999999999999995';
  const middle = '00064314999999999999999999999999999999';
  const next = '00064315000000000000000000000000000000';
  const last = '00064315000000000000000000000000000004';
  const issuance = await issued(first, last);
  await settle(ledger, tradeOf(seller, buyer, [[issuance, first, middle]]));
  expect(await listInventory(ledger, buyer)).toMatchObject([
    { start: `${issuance}_${first}`, end: `${issuance}_${middle}`, volume: 5 },
  ]);
  expect(await listInventory(ledger, seller)).toMatchObject([
    { start: `${issuance}_${next}`, end: `${issuance}_${last}`, volume: 5 },
  ]);
  expect(await settle(ledger, tradeOf(seller, buyer, [[issuance, next.replace(/^0+/, ''), last]]))).toMatchObject({
    said: 'REFUSED',
  });
});

test('several selections over several issuances move together, each with its own price', async () => {
  const issuances = [await issued(), await issued('100', '999'), await issued()];
  const [a, b, c] = issuances as [string, string, string];
  const request = tradeOf(seller, buyer, [
    [b, 100, 149],
    [a, 1, 5],
    [a, 6, 10],
    [c, 1, 10],
    [b, 150, 150],
  ]);
  request.assets.forEach((asset, index) => (asset.unitPrice = `0.00000${index}`));
  expect(await settle(ledger, request)).toMatchObject({ said: 'SUCCESS' });
  expect((await rangesOf(ledger, buyer)).toSorted()).toEqual(['1-10', '1-5', '100-149', '150-150', '6-10']);
  expect(await rangesOf(ledger, seller)).toEqual(['151-999']);
});

test('all or nothing: one selection that does not hold, and no certificate moves', async () => {
  const [a, b] = [await issued(), await issued()];
  const outcome = await settle(
    ledger,
    tradeOf(seller, buyer, [
      [a, 1, 5],
      [b, 1, 5],
      [a, 7, 8],
    ]),
  );
  expect(outcome).toEqual({ said: 'REFUSED', transactionId: '', reason: expect.stringMatching(/^assets\/2\/start: /) });
  expect(await rangesOf(ledger, seller)).toEqual(['1-10', '1-10']);
});

test('1,000 selections are one transaction', async () => {
  const issuance = await issued('1', '1500');
  const parts = Array.from({ length: 1_000 }, (_, index) => [issuance, index + 1, index + 1] as const);
  const { transactionId } = await settle(ledger, tradeOf(seller, buyer, parts));
  const lines = await ledger.sql(
    'select count(*)::int as count, sum(last - first + 1)::int as volume from transaction_line where transaction_id = ?',
    [transactionId],
  );
  expect(lines).toEqual([{ count: 1_000, volume: 1_000 }]);
  expect(await rangesOf(ledger, seller)).toEqual(['1001-1500']);
});

describe('refused', () => {
  const refusal = async (parts: [string, string | number, string | number][], fields = {}): Promise<string | null> => {
    const outcome = await settle(ledger, tradeOf(seller, buyer, parts, fields));
    expect(outcome).toMatchObject({ said: 'REFUSED', transactionId: '' });
    return outcome.reason;
  };

  test('a start inside of a bundle', async () => {
    expect(await refusal([[await issued(), 4, 6]])).toBe(
      'assets/0/start: No listable bundle of this owner starts with this certificate.',
    );
  });
  test('an end behind the bundle', async () => {
    expect(await refusal([[await issued(), 1, 11]])).toBe('assets/0/end: The bundle ends with serial 10.');
  });
  test('an overlap', async () => {
    const issuance = await issued();
    expect(
      await refusal([
        [issuance, 1, 5],
        [issuance, 5, 10],
      ]),
    ).toMatch(/^assets\/1\/start: .*shares certificates/);
  });
  test('an end before the start', async () => {
    expect(await refusal([[await issued(), 5, 4]])).toMatch(/^assets\/0\/end: /);
  });
  test("somebody else's, another channel's, unknown and malformed ones, all alike", async () => {
    const nothing = 'assets/0/start: No listable bundle of this owner starts with this certificate.';
    const issuance = await issued();
    expect(await refusal([[issuance, 1, 5]], { sellerId: buyer, buyerId: seller })).toBe(nothing);
    expect(await refusal([[issuance, 1, 5]], { salesChannelId: 'another' })).toBe(nothing);
    expect(await refusal([['00000000-0000-4000-8000-000000000000', 1, 5]])).toBe(nothing);
    expect(await refusal([['no-uuid', 1, 5]])).toBe(nothing);
    expect(await refusal([[issuance, 'x', 5]])).toMatch(/^assets\/0\/start: Expected/);
    expect(await refusal([[issuance, '1'.repeat(39), 5]])).toMatch(/^assets\/0\/start: Expected/);
  });
  test('two issuances in one selection', async () => {
    const [a, b] = [await issued(), await issued()];
    const assets = [{ start: selectionOf([a, 1, 5]).start, end: selectionOf([b, 1, 5]).end, unitPrice: '1' }];
    expect(await refusal([], { assets })).toBe('assets/0/end: Start and end name different issuances.');
  });
  test('serials in another form', async () => {
    expect(await refusal([[await issued(), '01', '5']])).toMatch(/^assets\/0\/start: The serial is written 1 /);
  });
  test('expired certificates', async () => {
    const issuance = await issued();
    await expire(ledger, issuance);
    expect(await refusal([[issuance, 1, 5]])).toBe('assets/0/start: The certificates have expired.');
  });

  test('stays refused when the task is met again, even if it could be done now', async () => {
    const issuance = await issued();
    await settle(ledger, tradeOf(seller, buyer, [[issuance, 1, 5]]));
    const request = tradeOf(seller, buyer, [[issuance, 1, 5]]);
    const { reason } = await settle(ledger, request);
    await settle(ledger, tradeOf(buyer, seller, [[issuance, 1, 5]]));
    await ledger.publisher.publish('tasks.transfer.requested.v1', [request]);
    expect(outcomeOf(await answerTo(ledger, request.taskId, 2))).toEqual({
      said: 'REFUSED',
      transactionId: '',
      reason,
    });
    expect(await rangesOf(ledger, seller)).toEqual(['1-5', '6-10']);
  });
});

test('a task that is met twice is carried out once, and told again', async () => {
  const issuance = await issued();
  const request = tradeOf(seller, buyer, [[issuance, 1, 5]]);
  const first = await settle(ledger, request);
  // Now the buyer is the seller of the same range: done twice, it would move on.
  await ledger.publisher.publish('tasks.transfer.requested.v1', [request, request]);
  const again = outcomeOf(await answerTo(ledger, request.taskId, 2));
  expect(again).toEqual(first);
  expect(await rangesOf(ledger, seller)).toEqual(['6-10']);
  expect(
    await ledger.sql('select count(*)::int as count from ledger_transaction where task_id = ?', [request.taskId]),
  ).toEqual([{ count: 1 }]);
  const changes = ledger.heard.filter((entry) => entry.event.taskId === request.taskId && 'status' in entry.event);
  expect(changes).toHaveLength(1);
});

test('one message holds transfers that depend on each other, each with an outcome of its own', async () => {
  const issuance = await issued();
  const requests = [
    tradeOf(seller, buyer, [[issuance, 1, 5]]),
    tradeOf(seller, buyer, [[issuance, 1, 5]]),
    tradeOf(seller, buyer, [[issuance, 6, 8]]),
    tradeOf(buyer, seller, [[issuance, 1, 2]]),
    retirementOf(seller, [[issuance, 9, 10]]),
  ];
  await ledger.publisher.publish('tasks.transfer.requested.v1', requests);
  const said: string[] = [];
  for (const { taskId } of requests) said.push(outcomeOf(await answerTo(ledger, taskId)).said);
  expect(said).toEqual(['SUCCESS', 'REFUSED', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  expect(await rangesOf(ledger, seller)).toEqual(['1-2']);
  expect(await rangesOf(ledger, buyer)).toEqual(['3-5', '6-8']);
});

test('the change of a status is told to the log and to the task, with what both need', async () => {
  const issuance = await issued();
  const request = tradeOf(seller, buyer, [[issuance, 1, 5]], {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  });
  const { transactionId } = await settle(ledger, request);
  const { event } = await answerTo(ledger, request.taskId);
  const { salesChannelId, taskId, traceparent } = request;
  expect(event).toEqual({
    eventId: expect.any(String),
    salesChannelId,
    transactionId,
    taskId,
    status: 'SUCCESS',
    reason: null,
    effectiveAt: expect.any(String),
    traceparent,
  });
  const { data } = await ledger.gateway.GetTransaction(
    { transactionId },
    await asUser(salesChannelId, ['TRANSACTION_ADMINISTRATOR']),
  );
  expect(JSON.parse(data.toString())).toMatchObject({ completedAt: (event as { effectiveAt: string }).effectiveAt });
});

test('a request that no rule foresees harms nobody else', async () => {
  const issuance = await issued();
  const broken = offrampOf(seller, [[issuance, 1, 5]], { sellerAccountHolderId: null });
  const good = tradeOf(seller, buyer, [[issuance, 1, 5]], { taskId: newId() });
  await ledger.publisher.publish('tasks.transfer.requested.v1', [broken, good]);
  expect(outcomeOf(await answerTo(ledger, good.taskId)).said).toBe('SUCCESS');
});
