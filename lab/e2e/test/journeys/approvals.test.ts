import { expect, test } from '@jest/globals';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import {
  withIdempotencyKey,
  operator,
  buyer,
  issue,
  listBundles,
  inventoryPath,
  waitForEnd,
  waitForTransaction,
  waitForEvent,
  readTransaction,
  retirementBody,
  onboard,
  type Task,
  type TransferKind,
} from '../support/api.ts';

/** Transfers of a seller who approves each one. */

const system = useSystem();

async function pending(kind: TransferKind) {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const party = await onboard(system(), channel, { autoApproval: false });
  const bundle = await issue(system(), party);
  const assets = [bundle.range(1, 60)];
  const body =
    kind === 'trade'
      ? {
          buyerId: buyer(channel).id,
          currency: 'EUR',
          assets: assets.map((asset) => ({ ...asset, unitPrice: 12.5 })),
        }
      : kind === 'retire'
        ? retirementBody(assets)
        : { assets };
  const path = inventoryPath(party.traderId, kind);
  const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
  const taskPath = `${path}/${taskId}`;
  const transactionId = await waitForTransaction(client, taskPath);
  expect(await client.send('GET', taskPath)).toMatchObject({
    body: { status: 'PENDING', responsePayload: { id: transactionId } },
    headers: { 'retry-after': expect.any(String) },
  });
  expect(await readTransaction(client, transactionId)).toMatchObject({ status: 'PENDING', completedAt: null });
  expect(await listBundles(client, party.traderId, bundle.issuanceId)).toEqual([
    { ...bundle.range(61, 100), volume: 40 },
  ]);
  const decide = (decision: 'approve' | 'reject') =>
    system().registry.send<{ status: string }>('POST', `/Registry/api/transactions/${transactionId}/${decision}`);
  return { channel, client, bundle, party, taskPath, transactionId, decide };
}

/** Answer to the opposite of a decision already made. */
const refusedAs = (status: 'SUCCESS' | 'REJECTED') => ({
  status: 400,
  body: {
    type: '/problems/request-refused',
    detail: `The transaction is already ${status}.`,
    errors: [
      {
        parameter: 'transactionId',
        detail: `names a transaction that is ${status}`,
        code: `already-${status.toLowerCase()}`,
      },
    ],
  },
});

test.each<[TransferKind, string]>([
  ['trade', 'TRADE'],
  ['retire', 'RETIREMENT'],
  ['offramp', 'OFFRAMP'],
])('an approved %s is executed', async (kind, type) => {
  const { client, decide, taskPath, transactionId, party, bundle, channel } = await pending(kind);
  const approved = await decide('approve');
  expect(approved).toMatchObject({ status: 200, body: { status: 'SUCCESS', type } });
  expect((await decide('approve')).body).toEqual(approved.body);
  expect(await decide('reject')).toMatchObject(refusedAs('SUCCESS'));
  expect(await waitForEnd(client, taskPath)).toMatchObject({
    status: 'SUCCESS',
    responsePayload: { id: transactionId },
  });
  expect(await waitForEvent(client, transactionId)).toMatchObject({ payload: { status: 'SUCCESS' } });
  expect(await listBundles(client, party.traderId, bundle.issuanceId)).toEqual([
    { ...bundle.range(61, 100), volume: 40 },
  ]);
  expect(await listBundles(client, buyer(channel).id, bundle.issuanceId)).toEqual(
    kind === 'trade' ? [{ ...bundle.range(1, 60), volume: 60 }] : [],
  );
});

test('a rejected trade is undone, and the bundle is whole again', async () => {
  const { client, decide, taskPath, transactionId, party, bundle } = await pending('trade');
  const rejected = await decide('reject');
  expect(rejected).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
  expect((await decide('reject')).body).toEqual(rejected.body);
  expect(await decide('approve')).toMatchObject(refusedAs('REJECTED'));
  expect(await waitForEnd(client, taskPath)).toMatchObject({
    status: 'REJECTED',
    responsePayload: { id: transactionId },
  });
  expect(await waitForEvent(client, transactionId)).toMatchObject({ payload: { status: 'REJECTED' } });
  expect(await listBundles(client, party.traderId, bundle.issuanceId)).toEqual([
    { ...bundle.range(1, 100), volume: 100 },
  ]);
});

testCoverage('approvals');
