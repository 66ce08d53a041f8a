import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Role } from '@saleschannel/auth';
import type { SentTo, ServiceClient } from '@saleschannel/grpc';
import { asUser, callAs } from '@saleschannel/testing';
import { startContracted, type ContractedSandbox } from './support/contracted.ts';

/** Checks that the sandbox can work with the minimal answers of its contracts. */

let sandbox: ContractedSandbox;
let gateway: ServiceClient<'sandbox'>;
beforeAll(async () => {
  sandbox = await startContracted();
  gateway = await callAs('gateway', 'sandbox', sandbox.address);
});
afterAll(async () => {
  gateway.close();
  await sandbox.verify();
});

const roles: Role[] = ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER', 'ROLE_ADMINISTRATOR'];
const trigger = async (request: SentTo<'sandbox.Trigger'>) => gateway.Trigger(request, await asUser('c1', roles));

test('a trade succeeds', async () => {
  expect(await trigger({ kind: 'trade-succeeded' })).toMatchObject({
    traderId: 't1',
    taskId: 'k1',
    transactionId: 'x1',
    message: 'done',
  });
});

test('a seller is onboarded and suspended', async () => {
  expect(await trigger({ kind: 'holder-suspended' })).toMatchObject({ traderId: 't3' });
});

test('webhook endpoints are broken', async () => {
  const broken = await trigger({ kind: 'webhook-down', webhookEndpointId: 'e1', seconds: 10 });
  expect(broken).toMatchObject({ webhookEndpointIds: ['e1'], until: '2026-01-01T00:00:00.000Z' });
});

test('a sales channel is replaced by a new one, and its endpoints are deleted', async () => {
  const replaced = await gateway.Reset({}, await asUser('c1', roles));
  expect(replaced).toEqual({ salesChannelId: 'c2', previousSalesChannelId: 'c1' });
});
