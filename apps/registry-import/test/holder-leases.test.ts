import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, eventually, failureOf } from '@saleschannel/testing';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

/** Leases of account holders, which delay the answers to changes (ADR 7). */

let registry: RegistryImport;
let operator: ServiceClient<'accountHolderAdministration'>;
let gateway: ServiceClient<'registryImport'>;
let portal: ServiceClient<'holderPortal'>;
let directory: ServiceClient<'accountHolderDirectory'>;
beforeAll(async () => {
  registry = await startRegistryImport();
  operator = await registry.operator();
  gateway = await registry.clientOf('gateway');
  portal = await registry.portal();
  directory = await registry.directory('tasks');
});
afterAll(async () => {
  for (const client of [operator, gateway, portal, directory]) client.close();
  await registry.stop();
});

interface Change {
  /** @param timeoutMs deadline of the call */
  readonly make: (accountHolderId: string, timeoutMs?: number) => Promise<unknown>;
  /** Reports whether an answer of the directory has the change. */
  readonly isSeen: (holder: { autoApproval: boolean; status: string }) => boolean;
  readonly isSuspendedBefore?: true;
}

const limit = (timeoutMs?: number) => (timeoutMs === undefined ? {} : { timeoutMs });
const PATCH = JSON.stringify({ autoApproval: false });
const hasPatch = ({ autoApproval }: { autoApproval: boolean }) => !autoApproval;

const changes: Record<string, Change> = {
  'a suspension': {
    make: (accountHolderId, timeoutMs) =>
      operator.SuspendAccountHolder(
        { accountHolderId, reason: 'x' },
        { idempotencyKey: accountHolderId, ...limit(timeoutMs) },
      ),
    isSeen: ({ status }) => status === 'SUSPENDED',
  },
  'the end of a suspension': {
    make: (accountHolderId, timeoutMs) =>
      operator.ResumeAccountHolder({ accountHolderId }, { idempotencyKey: accountHolderId, ...limit(timeoutMs) }),
    isSeen: ({ status }) => status === 'ACTIVE',
    isSuspendedBefore: true,
  },
  'an approval that the registry changes': {
    make: async (accountHolderId, timeoutMs) =>
      gateway.UpdateAccountHolder(
        { accountHolderId, mergePatchJson: PATCH },
        { ...(await asRegistry()), ...limit(timeoutMs) },
      ),
    isSeen: hasPatch,
  },
  'an approval that the account holder changes': {
    make: async (accountHolderId, timeoutMs) =>
      portal.UpdateOwnHolder(
        { mergePatchJson: PATCH },
        { ...(await asUser(undefined, [], newId(), accountHolderId)), ...limit(timeoutMs) },
      ),
    isSeen: hasPatch,
  },
};

/** Resolves with the end of the last lease before the change. */
async function lastLease(accountHolderId: string, isSeen: Change['isSeen']): Promise<number> {
  let until = 0;
  await eventually(async () => {
    const startedAt = performance.now();
    const { accountHolders, leaseMs } = await directory.GetAccountHolders({ accountHolderIds: [accountHolderId] });
    if (accountHolders.some(isSeen)) return true;
    until = startedAt + leaseMs;
    return false;
  }, 'the change');
  return until;
}

/** Makes the change right after a lease with the old state began. */
async function changed({ make, isSeen, isSuspendedBefore }: Change, timeoutMs?: number) {
  const accountHolderId = await registry.createHolder(newId());
  if (isSuspendedBefore) await operator.SuspendAccountHolder({ accountHolderId, reason: 'x' });
  const lease = await directory.GetAccountHolders({ accountHolderIds: [accountHolderId] });
  expect(lease.leaseMs).toBeGreaterThan(0);
  expect(lease.accountHolders.some(isSeen)).toBe(false);
  const leaseUntil = performance.now() + lease.leaseMs;
  // Clients count from the start of their call, slightly earlier.
  const changing = make(accountHolderId, timeoutMs).then(
    () => performance.now(),
    (error: unknown) => error,
  );
  const until = Math.max(leaseUntil, await lastLease(accountHolderId, isSeen));
  return { accountHolderId, until, answered: await changing };
}

test.each(Object.entries(changes))('%s is answered after all leases with the old state', async (_name, change) => {
  const { until, answered } = await changed(change);
  expect(answered).toBeGreaterThanOrEqual(until);
});

test.each(Object.entries(changes))('%s is not answered sooner when repeated', async (_name, change) => {
  const GIVES_UP_MS = 300;
  const { accountHolderId, until, answered } = await changed(change, GIVES_UP_MS);
  expect(await failureOf(Promise.reject(answered as Error))).toMatchObject({ code: 'unavailable' });
  await change.make(accountHolderId);
  expect(performance.now()).toBeGreaterThanOrEqual(until);
});
