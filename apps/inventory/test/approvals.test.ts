import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asRegistry, failureOf } from '@saleschannel/testing';
import { audit } from './audit.ts';
import {
  answerTo,
  decide,
  expire,
  issue,
  newChannel,
  offrampOf,
  outcomeOf,
  putFacility,
  rangesOf,
  retirementOf,
  settle,
  startLedger,
  tradeOf,
  type Part,
  type TestLedger,
} from './support.ts';

let ledger: TestLedger;
let channel: string;
let seller: string;
let buyer: string;

beforeAll(async () => {
  ledger = await startLedger();
  await putFacility(ledger);
});
beforeEach(() => {
  channel = newChannel();
  seller = `${channel}-seller`;
  buyer = `${channel}-buyer`;
});
afterAll(async () => {
  await audit(ledger).finally(() => ledger.stop());
});

/** A seller who wants to approve. */
const asking = { autoApproval: false } as const;
const kinds = {
  TRADE: (parts: Part[]) => tradeOf(seller, buyer, parts, asking),
  RETIREMENT: (parts: Part[]) => retirementOf(seller, parts, asking),
  OFFRAMP: (parts: Part[]) => offrampOf(seller, parts, asking),
};

const stateOf = async (issuance: string, first: number): Promise<{ state: string; owner_id: string } | undefined> =>
  (
    await ledger.sql<{ state: string; owner_id: string }>(
      'select state, owner_id from bundle where issuance_id = ? and previous_last = ?',
      [issuance, first - 1],
    )
  )[0];

async function reserve(request: ReturnType<typeof tradeOf>): Promise<{ transactionId: string; taskId: string }> {
  const outcome = await settle(ledger, request);
  expect(outcome).toMatchObject({ said: 'RESERVED', reason: null });
  return { transactionId: outcome.transactionId, taskId: request.taskId };
}

describe.each(['TRADE', 'RETIREMENT', 'OFFRAMP'] as const)('a %s that waits for approval', (kind) => {
  test('reserves its certificates, and moves them when it is approved', async () => {
    const issuance = await issue(ledger, channel, seller);
    const { transactionId, taskId } = await reserve(kinds[kind]([[issuance, 1, 4]]));
    expect(await stateOf(issuance, 1)).toEqual({ state: 'RESERVED', owner_id: seller });
    expect(await rangesOf(ledger, seller)).toEqual(['5-10']);
    expect(await settle(ledger, tradeOf(seller, buyer, [[issuance, 1, 4]]))).toMatchObject({ said: 'REFUSED' });
    expect(await decide(ledger, transactionId, 'APPROVE')).toMatchObject({
      status: 'SUCCESS',
      completedAt: expect.any(String),
    });
    expect(await stateOf(issuance, 1)).toEqual(
      {
        TRADE: { state: 'LISTABLE', owner_id: buyer },
        RETIREMENT: { state: 'RETIRED', owner_id: seller },
        OFFRAMP: { state: 'OFFRAMPED', owner_id: `holder-of-${seller}` },
      }[kind],
    );
    expect(outcomeOf(await answerTo(ledger, taskId, 2))).toEqual({ said: 'SUCCESS', transactionId, reason: null });
  });

  test('gives them back when it is rejected, as one bundle', async () => {
    const issuance = await issue(ledger, channel, seller);
    const { transactionId, taskId } = await reserve(kinds[kind]([[issuance, 1, 4]]));
    expect(await decide(ledger, transactionId, 'REJECT')).toMatchObject({
      status: 'REJECTED',
      completedAt: expect.any(String),
    });
    expect(await rangesOf(ledger, seller)).toEqual(['1-10']);
    expect(outcomeOf(await answerTo(ledger, taskId, 2))).toEqual({
      said: 'REJECTED',
      transactionId,
      reason: 'The seller rejected the transaction.',
    });
  });

  test('fails when the certificates expired before the approval', async () => {
    const issuance = await issue(ledger, channel, seller);
    const { transactionId, taskId } = await reserve(kinds[kind]([[issuance, 1, 4]]));
    await expire(ledger, issuance);
    expect(await decide(ledger, transactionId, 'APPROVE')).toMatchObject({ status: 'FAILED' });
    expect(outcomeOf(await answerTo(ledger, taskId, 2))).toEqual({
      said: 'FAILED',
      transactionId,
      reason: 'The certificates expired before the approval.',
    });
    expect(
      await ledger.sql('select state, owner_id from bundle where issuance_id = ? and owner_id is not null', [issuance]),
    ).toEqual([{ state: 'LISTABLE', owner_id: seller }]);
  });
});

test('expired certificates are given back all the same when the seller rejects', async () => {
  const issuance = await issue(ledger, channel, seller);
  const { transactionId } = await reserve(kinds.TRADE([[issuance, 1, 10]]));
  await expire(ledger, issuance);
  expect(await decide(ledger, transactionId, 'REJECT')).toMatchObject({ status: 'REJECTED' });
});

describe('what a rejection gives back becomes one bundle again', () => {
  test('between two others of the seller', async () => {
    const issuance = await issue(ledger, channel, seller);
    // 1-3 back from the buyer, 4-6 reserved, 7-10 left.
    await settle(ledger, tradeOf(seller, buyer, [[issuance, 1, 3]]));
    await settle(ledger, tradeOf(buyer, seller, [[issuance, 1, 3]]));
    const { transactionId } = await reserve(kinds.TRADE([[issuance, 4, 6]]));
    expect(await rangesOf(ledger, seller)).toEqual(['1-3', '7-10']);
    await decide(ledger, transactionId, 'REJECT');
    expect(await rangesOf(ledger, seller)).toEqual(['1-10']);
    const merges = await ledger.sql(
      'select first::int, last::int from bundle_merge where transaction_id = ? order by first',
      [transactionId],
    );
    expect(merges).toEqual([
      { first: 1, last: 3 },
      { first: 1, last: 6 },
    ]);
  });

  test('but not with those of others, or with what is reserved', async () => {
    const issuance = await issue(ledger, channel, seller);
    await settle(ledger, tradeOf(seller, buyer, [[issuance, 1, 3]]));
    const { transactionId } = await reserve(kinds.TRADE([[issuance, 4, 6]]));
    await reserve(kinds.TRADE([[issuance, 7, 8]]));
    await decide(ledger, transactionId, 'REJECT');
    expect(await rangesOf(ledger, seller)).toEqual(['4-6', '9-10']);
  });

  test('in any order of the selections, over several issuances', async () => {
    const [a, b] = [await issue(ledger, channel, seller), await issue(ledger, channel, seller)];
    // Makes 1-2, 3-4, 5-10 of each, all of the seller.
    await settle(
      ledger,
      tradeOf(seller, buyer, [
        [a, 1, 2],
        [a, 3, 4],
        [b, 1, 2],
        [b, 3, 4],
      ]),
    );
    await settle(
      ledger,
      tradeOf(buyer, seller, [
        [a, 1, 2],
        [a, 3, 4],
        [b, 1, 2],
        [b, 3, 4],
      ]),
    );
    const { transactionId } = await reserve(
      kinds.TRADE([
        [a, 5, 10],
        [b, 3, 4],
        [a, 3, 4],
        [b, 5, 6],
      ]),
    );
    await decide(ledger, transactionId, 'REJECT');
    expect(await rangesOf(ledger, seller)).toEqual(['1-10', '1-10']);
  });

  test('at both ends of an issuance, and for one certificate', async () => {
    const issuance = await issue(ledger, channel, seller, '1', '3');
    const whole = await reserve(
      kinds.TRADE([
        [issuance, 1, 1],
        [issuance, 2, 2],
        [issuance, 3, 3],
      ]),
    );
    await decide(ledger, whole.transactionId, 'REJECT');
    expect(await rangesOf(ledger, seller)).toEqual(['1-3']);
    const single = await issue(ledger, channel, seller, '7', '7');
    await decide(ledger, (await reserve(kinds.TRADE([[single, 7, 7]]))).transactionId, 'REJECT');
    expect(await rangesOf(ledger, seller, single)).toEqual(['7-7']);
  });

  test('with the last serial there can be', async () => {
    const [first, last] = ['9'.repeat(37) + '5', '9'.repeat(38)];
    const issuance = await issue(ledger, channel, seller, first, last);
    await decide(ledger, (await reserve(kinds.TRADE([[issuance, first, last]]))).transactionId, 'REJECT');
    expect(await rangesOf(ledger, seller)).toEqual([`${first}-${last}`]);
  });
});

describe('DecideTransaction', () => {
  test('again the same way changes nothing', async () => {
    const issuance = await issue(ledger, channel, seller);
    const { transactionId, taskId } = await reserve(kinds.TRADE([[issuance, 1, 4]]));
    const first = await decide(ledger, transactionId, 'APPROVE');
    expect(await decide(ledger, transactionId, 'APPROVE')).toEqual(first);
    await settle(ledger, tradeOf(seller, buyer, [[issuance, 5, 10]]));
    expect(ledger.heard.filter(({ event }) => event.taskId === taskId)).toHaveLength(2);
  });

  test.each([
    ['APPROVE', 'REJECT', 'SUCCESS'],
    ['REJECT', 'APPROVE', 'REJECTED'],
  ] as const)('%s and then %s is refused', async (first, second, status) => {
    const issuance = await issue(ledger, channel, seller);
    const { transactionId } = await reserve(kinds.TRADE([[issuance, 1, 4]]));
    await decide(ledger, transactionId, first);
    expect(await failureOf(decide(ledger, transactionId, second))).toMatchObject({
      code: 'request-refused',
      message: `The transaction is ${status} already.`,
    });
  });

  test('of what succeeded without approval: approved it is, rejected it cannot be', async () => {
    const issuance = await issue(ledger, channel, seller);
    const { transactionId } = await settle(ledger, tradeOf(seller, buyer, [[issuance, 1, 4]]));
    expect(await decide(ledger, transactionId, 'APPROVE')).toMatchObject({ status: 'SUCCESS' });
    expect(await failureOf(decide(ledger, transactionId, 'REJECT'))).toMatchObject({ code: 'request-refused' });
  });

  test('of what does not exist, or is no transfer, is not-found', async () => {
    expect(await failureOf(decide(ledger, 'nothing', 'APPROVE'))).toMatchObject({ code: 'not-found' });
    expect(await failureOf(decide(ledger, await issue(ledger, channel, seller), 'REJECT'))).toMatchObject({
      code: 'not-found',
    });
  });

  test('is for registry keys, through the gateway', async () => {
    const request = { transactionId: 'x', decision: 'APPROVE' } as const;
    expect(await failureOf(ledger.registryImport.DecideTransaction(request, await asRegistry()))).toMatchObject({
      code: 'forbidden',
    });
    expect(await failureOf(ledger.registryGateway.DecideTransaction(request))).toMatchObject({
      code: 'unauthenticated',
    });
  });
});

test('a task that waits for approval and is met again is told to be reserved, and keeps its transaction', async () => {
  const issuance = await issue(ledger, channel, seller);
  const request = kinds.TRADE([[issuance, 1, 4]]);
  const { transactionId } = await reserve(request);
  await ledger.publisher.publish('tasks.transfer.requested.v1', [request]);
  expect(outcomeOf(await answerTo(ledger, request.taskId, 2))).toEqual({
    said: 'RESERVED',
    transactionId,
    reason: null,
  });
  await decide(ledger, transactionId, 'REJECT');
  await ledger.publisher.publish('tasks.transfer.requested.v1', [request]);
  expect(outcomeOf(await answerTo(ledger, request.taskId, 4))).toEqual({
    said: 'REJECTED',
    transactionId,
    reason: 'The seller rejected the transaction.',
  });
  expect(await rangesOf(ledger, seller)).toEqual(['1-10']);
});
