import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { asRegistry, asUser, catchFailure, openTestDatabase } from '@saleschannel/testing';
import { decideTransaction } from '../src/operations/decide-transaction.ts';
import { schema } from '../src/store/schema.ts';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { holderOf, createOfframp, createRetirement, createTrade, type Part } from './support/transfers.ts';

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

const needsApproval = { autoApproval: false } as const;
const createTransfer = {
  TRADE: (parts: Part[]) => createTrade(seller, buyer, parts, needsApproval),
  RETIREMENT: (parts: Part[]) => createRetirement(seller, parts, needsApproval),
  OFFRAMP: (parts: Part[]) => createOfframp(seller, parts, needsApproval),
};

const findState = async (
  issuanceId: string,
  first: number,
): Promise<{ state: string; ownerId: string } | undefined> => {
  const [row] = await inventory.service.sql<{ state: string; ownerId: string }>(
    'select state, owner_id as "ownerId" from bundle where issuance_id = $1 and previous_last = $2',
    [issuanceId, first - 1],
  );
  return row;
};

async function reserve(request: TransferRequested): Promise<{ transactionId: string; taskId: string }> {
  const transactionId = await inventory.settleTransaction(request);
  expect(await inventory.waitForReport(request.taskId)).toMatchObject({ outcome: 'RESERVED', reason: null });
  return { transactionId, taskId: request.taskId };
}

describe.each(['TRADE', 'RETIREMENT', 'OFFRAMP'] as const)('a %s that needs approval', (kind) => {
  test('reserves its certificates, and moves them on approval', async () => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(createTransfer[kind]([[issuance, 1, 4]]));
    expect(await findState(issuance, 1)).toEqual({ state: 'RESERVED', ownerId: seller });
    expect(await inventory.listRanges(seller)).toEqual(['5-10']);
    expect(await inventory.settle(createTrade(seller, buyer, [[issuance, 1, 4]]))).toMatchObject({
      outcome: 'REFUSED',
    });
    expect(await inventory.approve(transactionId)).toMatchObject({
      status: 'SUCCESS',
      completedAt: expect.any(String),
    });
    expect(await findState(issuance, 1)).toEqual(
      {
        TRADE: { state: 'LISTABLE', ownerId: buyer },
        RETIREMENT: { state: 'RETIRED', ownerId: seller },
        OFFRAMP: { state: 'OFFRAMPED', ownerId: holderOf(seller) },
      }[kind],
    );
    expect(await inventory.waitForReport(taskId, 2)).toEqual({ outcome: 'SUCCESS', transactionId, reason: null });
  });

  test('returns its certificates on rejection, as one bundle', async () => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(createTransfer[kind]([[issuance, 1, 4]]));
    expect(await inventory.reject(transactionId)).toMatchObject({
      status: 'REJECTED',
      completedAt: expect.any(String),
    });
    expect(await inventory.listRanges(seller)).toEqual(['1-10']);
    expect(await inventory.waitForReport(taskId, 2)).toEqual({
      outcome: 'REJECTED',
      transactionId,
      reason: 'The seller rejected the transaction.',
    });
  });

  test('fails if the certificates expired before the approval', async () => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(createTransfer[kind]([[issuance, 1, 4]]));
    await inventory.expire(issuance);
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'FAILED' });
    expect(await inventory.waitForReport(taskId, 2)).toEqual({
      outcome: 'FAILED',
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

test('a rejection returns expired certificates too', async () => {
  const issuance = await scene.issue();
  const { transactionId } = await reserve(createTransfer.TRADE([[issuance, 1, 10]]));
  await inventory.expire(issuance);
  expect(await inventory.reject(transactionId)).toMatchObject({ status: 'REJECTED' });
});

describe('a rejection merges the returned certificates', () => {
  test('with adjacent bundles of the seller', async () => {
    const issuance = await scene.issue();
    // 1-3 returned by the buyer, 4-6 reserved, 7-10 untouched.
    await inventory.settle(createTrade(seller, buyer, [[issuance, 1, 3]]));
    await inventory.settle(createTrade(buyer, seller, [[issuance, 1, 3]]));
    const { transactionId } = await reserve(createTransfer.TRADE([[issuance, 4, 6]]));
    expect(await inventory.listRanges(seller)).toEqual(['1-3', '7-10']);
    await inventory.reject(transactionId);
    expect(await inventory.listRanges(seller)).toEqual(['1-10']);
    const merges = await inventory.service.sql(
      'select first::int, last::int from bundle_merge where transaction_id = $1 order by first',
      [transactionId],
    );
    expect(merges).toEqual([
      { first: 1, last: 3 },
      { first: 1, last: 6 },
    ]);
  });

  test('but not with bundles of other owners or reserved ones', async () => {
    const issuance = await scene.issue();
    await inventory.settle(createTrade(seller, buyer, [[issuance, 1, 3]]));
    const { transactionId } = await reserve(createTransfer.TRADE([[issuance, 4, 6]]));
    await reserve(createTransfer.TRADE([[issuance, 7, 8]]));
    await inventory.reject(transactionId);
    expect(await inventory.listRanges(seller)).toEqual(['4-6', '9-10']);
  });

  test('in any order of the selections, over several issuances', async () => {
    const [a, b] = [await scene.issue(), await scene.issue()];
    // Splits each into 1-2, 3-4 and 5-10 of the seller.
    await inventory.settle(
      createTrade(seller, buyer, [
        [a, 1, 2],
        [a, 3, 4],
        [b, 1, 2],
        [b, 3, 4],
      ]),
    );
    await inventory.settle(
      createTrade(buyer, seller, [
        [a, 1, 2],
        [a, 3, 4],
        [b, 1, 2],
        [b, 3, 4],
      ]),
    );
    const { transactionId } = await reserve(
      createTransfer.TRADE([
        [a, 5, 10],
        [b, 3, 4],
        [a, 3, 4],
        [b, 5, 6],
      ]),
    );
    await inventory.reject(transactionId);
    expect(await inventory.listRanges(seller)).toEqual(['1-10', '1-10']);
  });

  test('at both ends of an issuance, and for a single certificate', async () => {
    const issuance = await scene.issue('1', '3');
    const whole = await reserve(
      createTransfer.TRADE([
        [issuance, 1, 1],
        [issuance, 2, 2],
        [issuance, 3, 3],
      ]),
    );
    await inventory.reject(whole.transactionId);
    expect(await inventory.listRanges(seller)).toEqual(['1-3']);
    const single = await scene.issue('7', '7');
    await inventory.reject((await reserve(createTransfer.TRADE([[single, 7, 7]]))).transactionId);
    expect(await inventory.listRanges(seller, single)).toEqual(['7-7']);
  });

  test('up to the largest serial', async () => {
    const [first, last] = ['9'.repeat(37) + '5', '9'.repeat(38)];
    const issuance = await scene.issue(first, last);
    await inventory.reject((await reserve(createTransfer.TRADE([[issuance, first, last]]))).transactionId);
    expect(await inventory.listRanges(seller)).toEqual([`${first}-${last}`]);
  });
});

describe('ApproveTransaction and RejectTransaction', () => {
  test.each([
    ['approve', 'SUCCESS'],
    ['reject', 'REJECTED'],
  ] as const)('repeating %s changes nothing', async (decision, status) => {
    const issuance = await scene.issue();
    const { transactionId, taskId } = await reserve(createTransfer.TRADE([[issuance, 1, 4]]));
    const first = await inventory[decision](transactionId);
    expect(first).toMatchObject({ transactionId, status });
    expect(await inventory[decision](transactionId)).toEqual(first);
    // A report about the second decision would precede the report about this transfer.
    await inventory.settle(createTrade(seller, buyer, [[issuance, 5, 10]]));
    expect(inventory.listReports(taskId)).toHaveLength(2);
  });

  test.each([
    ['approve', 'reject', 'SUCCESS'],
    ['reject', 'approve', 'REJECTED'],
  ] as const)('after %s, %s is refused', async (first, second, status) => {
    const issuance = await scene.issue();
    const { transactionId } = await reserve(createTransfer.TRADE([[issuance, 1, 4]]));
    await inventory[first](transactionId);
    expect(await catchFailure(inventory[second](transactionId))).toMatchObject({
      code: 'request-refused',
      message: `The transaction is already ${status}.`,
      violations: [
        {
          parameter: 'transactionId',
          detail: `names a transaction that is ${status}`,
          code: `already-${status.toLowerCase()}`,
        },
      ],
    });
  });

  test('a transaction that succeeded without approval can be approved, not rejected', async () => {
    const transactionId = await inventory.settleTransaction(createTrade(seller, buyer, [[await scene.issue(), 1, 4]]));
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'SUCCESS' });
    expect(await catchFailure(inventory.reject(transactionId))).toMatchObject({ code: 'request-refused' });
  });

  test('a failed transaction can be neither approved nor rejected', async () => {
    const issuance = await scene.issue();
    const { transactionId } = await reserve(createTransfer.TRADE([[issuance, 1, 4]]));
    await inventory.expire(issuance);
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'FAILED' });
    for (const decision of ['approve', 'reject'] as const) {
      expect(await catchFailure(inventory[decision](transactionId))).toMatchObject({
        code: 'request-refused',
        message: 'The transaction is already FAILED.',
        violations: [{ parameter: 'transactionId', code: 'already-failed' }],
      });
    }
  });

  test.each(['approve', 'reject'] as const)(
    '%s of an unknown transaction, or of one that is no transfer, is not-found',
    async (decision) => {
      for (const transactionId of ['nothing', '', 'a\0b', await scene.issue()])
        expect(await catchFailure(inventory[decision](transactionId))).toMatchObject({ code: 'not-found' });
    },
  );

  test.each([
    ['its sales channel', () => scene.channel, 'sales-channel-suspended'],
    ['its seller', () => holderOf(seller), 'account-holder-suspended'],
    ['its buyer', () => holderOf(buyer), 'account-holder-suspended'],
  ])('while %s is suspended, a transaction stays pending, and can be decided afterwards', async (_name, whom, code) => {
    const issuance = await scene.issue();
    const { transactionId } = await reserve(createTrade(seller, buyer, [[issuance, 1, 4]], needsApproval));
    inventory.suspended.add(whom());
    try {
      for (const decision of ['approve', 'reject'] as const)
        expect(await catchFailure(inventory[decision](transactionId))).toMatchObject({
          code: 'request-refused',
          violations: [{ parameter: 'transactionId', code }],
        });
      expect(await findState(issuance, 1)).toEqual({ state: 'RESERVED', ownerId: seller });
    } finally {
      inventory.suspended.delete(whom());
    }
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'SUCCESS' });
    inventory.suspended.add(whom());
    // Repeating an earlier decision still succeeds.
    expect(await inventory.approve(transactionId)).toMatchObject({ status: 'SUCCESS' });
    inventory.suspended.delete(whom());
  });

  test.each(['ApproveTransaction', 'RejectTransaction'] as const)(
    '%s is for registry keys, through the gateway',
    async (rpc) => {
      const request = { transactionId: 'x' };
      const byUser = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
      expect(await catchFailure(inventory.registryImport[rpc](request, await asRegistry()))).toMatchObject({
        code: 'forbidden',
      });
      expect(await catchFailure(inventory.registryGateway[rpc](request, byUser))).toMatchObject({ code: 'forbidden' });
      expect(await catchFailure(inventory.registryGateway[rpc](request))).toMatchObject({ code: 'unauthenticated' });
    },
  );
});

test('a redelivered task that needs approval is reported as reserved, and keeps its transaction', async () => {
  const issuance = await scene.issue();
  const request = createTransfer.TRADE([[issuance, 1, 4]]);
  const { transactionId } = await reserve(request);
  await inventory.publish(request);
  expect(await inventory.waitForReport(request.taskId, 2)).toEqual({
    outcome: 'RESERVED',
    transactionId,
    reason: null,
  });
  await inventory.reject(transactionId);
  await inventory.publish(request);
  expect(await inventory.waitForReport(request.taskId, 4)).toEqual({
    outcome: 'REJECTED',
    transactionId,
    reason: 'The seller rejected the transaction.',
  });
  expect(await inventory.listRanges(seller)).toEqual(['1-10']);
});

test('a transaction never ends before it began, even if the clock of a replica is behind', async () => {
  const { transactionId, taskId } = await reserve(createTransfer.TRADE([[await scene.issue(), 1, 4]]));
  const replica = await openTestDatabase({
    url: inventory.service.databaseUrl,
    poolMax: 2,
    ...schema,
  });
  const clock = { now: () => new Date(0) };
  const order = { transactionId, decision: 'APPROVED', actor: { kind: 'operator' } } as const;
  await decideTransaction(replica, clock, order, () => Promise.resolve()).finally(() => replica.stop());
  expect(await inventory.waitForReport(taskId, 2)).toMatchObject({ outcome: 'SUCCESS' });
  const [row] = await inventory.service.sql(
    `select completed_at = created_at as "isSameTime", effective_at = completed_at as "isEffective"
     from ledger_transaction join status_change on transaction_id = id where id = $1`,
    [transactionId],
  );
  expect(row).toEqual({ isSameTime: true, isEffective: true });
});
