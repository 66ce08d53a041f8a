import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { asRegistry, asUser, failureOf, openTestDatabase } from '@saleschannel/testing';
import { decideTransaction } from '../src/operations/decide-transaction.ts';
import { schema } from '../src/store/schema.ts';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { holderOf, offrampOf, retirementOf, tradeOf, type Part } from './support/transfers.ts';

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

/** A seller who wants to approve. */
const asking = { autoApproval: false } as const;
const kinds = {
  TRADE: (parts: Part[]) => tradeOf(seller, buyer, parts, asking),
  RETIREMENT: (parts: Part[]) => retirementOf(seller, parts, asking),
  OFFRAMP: (parts: Part[]) => offrampOf(seller, parts, asking),
};

const stateOf = async (issuanceId: string, first: number): Promise<{ state: string; ownerId: string } | undefined> => {
  const [row] = await inventory.service.sql<{ state: string; ownerId: string }>(
    'select state, owner_id as "ownerId" from bundle where issuance_id = $1 and previous_last = $2',
    [issuanceId, first - 1],
  );
  return row;
};

async function reserve(request: TransferRequested): Promise<{ transactionId: string; taskId: string }> {
  const transactionId = await inventory.transact(request);
  expect(await inventory.answerTo(request.taskId)).toMatchObject({ said: 'RESERVED', reason: null });
  return { transactionId, taskId: request.taskId };
}

describe.each(['TRADE', 'RETIREMENT', 'OFFRAMP'] as const)('a %s that waits for approval', (kind) => {
  test('reserves its certificates, and moves them when it is approved', async () => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(kinds[kind]([[issuance, 1, 4]]));
    expect(await stateOf(issuance, 1)).toEqual({ state: 'RESERVED', ownerId: seller });
    expect(await inventory.ranges(seller)).toEqual(['5-10']);
    expect(await inventory.settle(tradeOf(seller, buyer, [[issuance, 1, 4]]))).toMatchObject({ said: 'REFUSED' });
    expect(await inventory.approve(transactionId)).toMatchObject({
      status: 'SUCCESS',
      completedAt: expect.any(String),
    });
    expect(await stateOf(issuance, 1)).toEqual(
      {
        TRADE: { state: 'LISTABLE', ownerId: buyer },
        RETIREMENT: { state: 'RETIRED', ownerId: seller },
        OFFRAMP: { state: 'OFFRAMPED', ownerId: holderOf(seller) },
      }[kind],
    );
    expect(await inventory.answerTo(taskId, 2)).toEqual({ said: 'SUCCESS', transactionId, reason: null });
  });

  test('gives them back when it is rejected, as one bundle', async () => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(kinds[kind]([[issuance, 1, 4]]));
    expect(await inventory.reject(transactionId)).toMatchObject({
      status: 'REJECTED',
      completedAt: expect.any(String),
    });
    expect(await inventory.ranges(seller)).toEqual(['1-10']);
    expect(await inventory.answerTo(taskId, 2)).toEqual({
      said: 'REJECTED',
      transactionId,
      reason: 'The seller rejected the transaction.',
    });
  });

  test('fails when the certificates expired before the approval', async () => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(kinds[kind]([[issuance, 1, 4]]));
    await inventory.expire(issuance);
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'FAILED' });
    expect(await inventory.answerTo(taskId, 2)).toEqual({
      said: 'FAILED',
      transactionId,
      reason: 'The certificates expired before the approval.',
    });
    expect(
      await inventory.service.sql(
        'select state, owner_id as "ownerId" from bundle where issuance_id = $1 and owner_id is not null',
        [issuance],
      ),
    ).toEqual([{ state: 'LISTABLE', ownerId: seller }]);
  });
});

test('expired certificates are given back all the same when the seller rejects', async () => {
  const issuance = await scene.issue();
  const { transactionId } = await reserve(kinds.TRADE([[issuance, 1, 10]]));
  await inventory.expire(issuance);
  expect(await inventory.reject(transactionId)).toMatchObject({ status: 'REJECTED' });
});

describe('what a rejection gives back becomes one bundle again', () => {
  test('between two others of the seller', async () => {
    const issuance = await scene.issue();
    // 1-3 back from the buyer, 4-6 reserved, 7-10 left.
    await inventory.settle(tradeOf(seller, buyer, [[issuance, 1, 3]]));
    await inventory.settle(tradeOf(buyer, seller, [[issuance, 1, 3]]));
    const { transactionId } = await reserve(kinds.TRADE([[issuance, 4, 6]]));
    expect(await inventory.ranges(seller)).toEqual(['1-3', '7-10']);
    await inventory.reject(transactionId);
    expect(await inventory.ranges(seller)).toEqual(['1-10']);
    const merges = await inventory.service.sql(
      'select first::int, last::int from bundle_merge where transaction_id = $1 order by first',
      [transactionId],
    );
    expect(merges).toEqual([
      { first: 1, last: 3 },
      { first: 1, last: 6 },
    ]);
  });

  test('but not with those of others, or with what is reserved', async () => {
    const issuance = await scene.issue();
    await inventory.settle(tradeOf(seller, buyer, [[issuance, 1, 3]]));
    const { transactionId } = await reserve(kinds.TRADE([[issuance, 4, 6]]));
    await reserve(kinds.TRADE([[issuance, 7, 8]]));
    await inventory.reject(transactionId);
    expect(await inventory.ranges(seller)).toEqual(['4-6', '9-10']);
  });

  test('in any order of the selections, over several issuances', async () => {
    const [a, b] = [await scene.issue(), await scene.issue()];
    // Makes 1-2, 3-4, 5-10 of each, all of the seller.
    await inventory.settle(
      tradeOf(seller, buyer, [
        [a, 1, 2],
        [a, 3, 4],
        [b, 1, 2],
        [b, 3, 4],
      ]),
    );
    await inventory.settle(
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
    await inventory.reject(transactionId);
    expect(await inventory.ranges(seller)).toEqual(['1-10', '1-10']);
  });

  test('at both ends of an issuance, and for one certificate', async () => {
    const issuance = await scene.issue('1', '3');
    const whole = await reserve(
      kinds.TRADE([
        [issuance, 1, 1],
        [issuance, 2, 2],
        [issuance, 3, 3],
      ]),
    );
    await inventory.reject(whole.transactionId);
    expect(await inventory.ranges(seller)).toEqual(['1-3']);
    const single = await scene.issue('7', '7');
    await inventory.reject((await reserve(kinds.TRADE([[single, 7, 7]]))).transactionId);
    expect(await inventory.ranges(seller, single)).toEqual(['7-7']);
  });

  test('with the last serial there can be', async () => {
    const [first, last] = ['9'.repeat(37) + '5', '9'.repeat(38)];
    const issuance = await scene.issue(first, last);
    await inventory.reject((await reserve(kinds.TRADE([[issuance, first, last]]))).transactionId);
    expect(await inventory.ranges(seller)).toEqual([`${first}-${last}`]);
  });
});

describe('ApproveTransaction and RejectTransaction', () => {
  test.each([
    ['approve', 'SUCCESS'],
    ['reject', 'REJECTED'],
  ] as const)('%s again changes nothing', async (decision, status) => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(kinds.TRADE([[issuance, 1, 4]]));
    const first = await inventory[decision](transactionId);
    expect(first).toMatchObject({ transactionId, status });
    expect(await inventory[decision](transactionId)).toEqual(first);
    // Whatever the second decision told would have come before the answer to this.
    await inventory.settle(tradeOf(seller, buyer, [[issuance, 5, 10]]));
    expect(inventory.answersTo(taskId)).toHaveLength(2);
  });

  test.each([
    ['approve', 'reject', 'SUCCESS'],
    ['reject', 'approve', 'REJECTED'],
  ] as const)('%s and then %s is refused', async (first, second, status) => {
    const issuance = await scene.issue();
    const { transactionId } = await reserve(kinds.TRADE([[issuance, 1, 4]]));
    await inventory[first](transactionId);
    expect(await failureOf(inventory[second](transactionId))).toMatchObject({
      code: 'request-refused',
      message: `The transaction is ${status} already.`,
      violations: [
        {
          parameter: 'transactionId',
          detail: `names a transaction that is ${status}`,
          code: `already-${status.toLowerCase()}`,
        },
      ],
    });
  });

  test('of what succeeded without approval: approved it is, rejected it cannot be', async () => {
    const transactionId = await inventory.transact(tradeOf(seller, buyer, [[await scene.issue(), 1, 4]]));
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'SUCCESS' });
    expect(await failureOf(inventory.reject(transactionId))).toMatchObject({ code: 'request-refused' });
  });

  test('of what failed are both refused', async () => {
    const issuance = await scene.issue();
    const { transactionId } = await reserve(kinds.TRADE([[issuance, 1, 4]]));
    await inventory.expire(issuance);
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'FAILED' });
    for (const decision of ['approve', 'reject'] as const) {
      expect(await failureOf(inventory[decision](transactionId))).toMatchObject({
        code: 'request-refused',
        message: 'The transaction is FAILED already.',
        violations: [{ parameter: 'transactionId', code: 'already-failed' }],
      });
    }
  });

  test.each(['approve', 'reject'] as const)(
    '%s of what does not exist, or is no transfer, is not-found',
    async (decision) => {
      for (const transactionId of ['nothing', '', 'a\0b', await scene.issue()])
        expect(await failureOf(inventory[decision](transactionId))).toMatchObject({ code: 'not-found' });
    },
  );

  test.each([
    ['its sales channel', () => scene.channel, 'sales-channel-suspended'],
    ['its seller', () => holderOf(seller), 'account-holder-suspended'],
    ['its buyer', () => holderOf(buyer), 'account-holder-suspended'],
  ])('while %s is suspended a transaction is kept as it is, and goes on afterwards', async (_what, whom, code) => {
    const issuance = await scene.issue();
    const { transactionId } = await reserve(tradeOf(seller, buyer, [[issuance, 1, 4]], asking));
    inventory.suspended.add(whom());
    try {
      for (const decision of ['approve', 'reject'] as const)
        expect(await failureOf(inventory[decision](transactionId))).toMatchObject({
          code: 'request-refused',
          violations: [{ parameter: 'transactionId', code }],
        });
      expect(await stateOf(issuance, 1)).toEqual({ state: 'RESERVED', ownerId: seller });
    } finally {
      inventory.suspended.delete(whom());
    }
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'SUCCESS' });
    inventory.suspended.add(whom());
    // What was decided stays decided, and says so.
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'SUCCESS' });
    inventory.suspended.delete(whom());
  });

  test.each(['ApproveTransaction', 'RejectTransaction'] as const)(
    '%s is for registry keys, through the gateway',
    async (rpc) => {
      const request = { transactionId: 'x' };
      const byUser = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
      expect(await failureOf(inventory.registryImport[rpc](request, await asRegistry()))).toMatchObject({
        code: 'forbidden',
      });
      expect(await failureOf(inventory.registryGateway[rpc](request, byUser))).toMatchObject({ code: 'forbidden' });
      expect(await failureOf(inventory.registryGateway[rpc](request))).toMatchObject({ code: 'unauthenticated' });
    },
  );
});

test('a task that waits for approval and is met again is told to be reserved, and keeps its transaction', async () => {
  const issuance = await scene.issue();
  const request = kinds.TRADE([[issuance, 1, 4]]);
  const { transactionId } = await reserve(request);
  await inventory.publish(request);
  expect(await inventory.answerTo(request.taskId, 2)).toEqual({
    said: 'RESERVED',
    transactionId,
    reason: null,
  });
  await inventory.reject(transactionId);
  await inventory.publish(request);
  expect(await inventory.answerTo(request.taskId, 4)).toEqual({
    said: 'REJECTED',
    transactionId,
    reason: 'The seller rejected the transaction.',
  });
  expect(await inventory.ranges(seller)).toEqual(['1-10']);
});

test('ends no earlier than it began, also by a replica whose clock is behind', async () => {
  const { transactionId, taskId } = await reserve(kinds.TRADE([[await scene.issue(), 1, 4]]));
  const replica = await openTestDatabase({
    url: inventory.service.databaseUrl,
    poolMax: 2,
    ...schema,
  });
  const clock = { now: () => new Date(0) };
  const order = { transactionId, decision: 'APPROVED', actor: { kind: 'operator' } } as const;
  await decideTransaction(replica, clock, order, () => Promise.resolve()).finally(() => replica.stop());
  expect(await inventory.answerTo(taskId, 2)).toMatchObject({ said: 'SUCCESS' });
  const [row] = await inventory.service.sql(
    `select completed_at = created_at as "isAtOnce", effective_at = completed_at as "isToldSo"
     from ledger_transaction join status_change on transaction_id = id where id = $1`,
    [transactionId],
  );
  expect(row).toEqual({ isAtOnce: true, isToldSo: true });
});
