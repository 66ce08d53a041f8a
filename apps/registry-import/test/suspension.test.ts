import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import {
  listAuditedChanges,
  removeMarkers,
  callAs,
  catchFailure,
  asRegistry,
  asUser,
  eventually,
} from '@saleschannel/testing';
import { facilityOf, holderContent, issuanceOf } from './support/records.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

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
beforeEach(() => registry.putFacility(facilityOf('AB12CD')));
afterEach(() => registry.suspendedChannels.clear());

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
  expect(await catchFailure(Promise.reject(answered as Error))).toMatchObject({ code: 'unavailable' });
  await change.make(accountHolderId);
  expect(performance.now()).toBeGreaterThanOrEqual(until);
});

let issuances = 0;
const issuance = () => issuanceOf((issuances += 1), 'AB12CD');

const holder = (): Promise<string> => registry.createHolder(newId());

describe('the kind of an account holder', () => {
  test('is HOLDER until the operator sets REGISTRY, and visible to all readers', async () => {
    const accountHolderId = await holder();
    expect(await registry.get(accountHolderId)).toMatchObject({ kind: 'HOLDER', status: 'ACTIVE' });
    for (const kind of ['REGISTRY', 'REGISTRY', 'HOLDER', 'REGISTRY']) {
      expect(removeMarkers(await operator.SetKind({ accountHolderId, kind }))).toMatchObject({ accountHolderId, kind });
      expect(await registry.get(accountHolderId)).toMatchObject({ kind });
    }
    const directory = await registry.directory('identity');
    const { accountHolders } = await directory.GetAccountHolders({ accountHolderIds: [accountHolderId] });
    expect(accountHolders).toMatchObject([{ kind: 'REGISTRY', status: 'ACTIVE' }]);
    directory.close();
  });

  test('cannot be set by a registry key, in a record or in a file', async () => {
    const businessId = newId();
    const content = holderContent(businessId);
    const { accountHolder } = await registry.create(content);
    const id = accountHolder.accountHolderId;
    for (const patch of [{ kind: 'REGISTRY' }, { status: 'ACTIVE' }])
      expect(await catchFailure(registry.update(id, patch))).toMatchObject({
        code: 'invalid-request',
        violations: [{ code: 'unknown-member' }],
      });
    const line = JSON.stringify({ type: 'account-holder', ...content, kind: 'REGISTRY' });
    const { importId } = await registry.importFile(`${line}\n`);
    expect(await registry.errorsOf(importId)).toMatchObject([{ line: 1, code: 'unknown-member' }]);
    expect(await registry.get(id)).toMatchObject({ kind: 'HOLDER' });
  });

  test('stays when the registry changes or repeats the account holder', async () => {
    const businessId = newId();
    const { accountHolder } = await registry.create(holderContent(businessId));
    const id = accountHolder.accountHolderId;
    await operator.SetKind({ accountHolderId: id, kind: 'REGISTRY' });
    expect(await registry.update(id, { name: 'Another name' })).toMatchObject({ kind: 'REGISTRY' });
    await registry.update(id, { name: holderContent(businessId).name });
    const again = await registry.create(holderContent(businessId));
    expect(again).toMatchObject({ created: false, accountHolder: { kind: 'REGISTRY' } });
  });

  test('needs a known value and an existing account holder', async () => {
    const accountHolderId = await holder();
    expect(await catchFailure(operator.SetKind({ accountHolderId, kind: 'OWNER' }))).toMatchObject({
      code: 'invalid-request',
    });
    expect(await catchFailure(operator.SetKind({ accountHolderId: newId(), kind: 'HOLDER' }))).toMatchObject({
      code: 'not-found',
    });
  });
});

describe('a suspended account holder', () => {
  const suspended = async (): Promise<string> => {
    const accountHolderId = await holder();
    await operator.SuspendAccountHolder({ accountHolderId, reason: 'under investigation' });
    return accountHolderId;
  };

  test('is read with its status, and by operators with the reason', async () => {
    const accountHolderId = await suspended();
    expect(await registry.get(accountHolderId)).toMatchObject({ status: 'SUSPENDED' });
    const again = await operator.SuspendAccountHolder({ accountHolderId, reason: 'by order' });
    expect(again).toMatchObject({ suspendedReason: 'by order', suspendedAt: expect.any(String) });
    const resumed = removeMarkers(await operator.ResumeAccountHolder({ accountHolderId }));
    expect(resumed).toMatchObject({ status: 'ACTIVE' });
    expect(resumed).not.toHaveProperty('suspendedReason');
  });

  test('is in both trails with the former state, with the reason only in that of the installation', async () => {
    const accountHolderId = await holder();
    await operator.SuspendAccountHolder({ accountHolderId, reason: 'by order' });
    await operator.ResumeAccountHolder({ accountHolderId });
    const { address } = registry.service;
    const statesIn = (scope: string) =>
      listAuditedChanges({ name: 'registry-import', address }, scope, accountHolderId);
    const [active, suspended] = [
      { kind: 'HOLDER', status: 'ACTIVE' },
      { kind: 'HOLDER', status: 'SUSPENDED' },
    ];
    expect(await statesIn('registry')).toEqual([
      [active, suspended],
      [suspended, active],
    ]);
    const [running, stopped] = [
      { ...active, reason: null },
      { ...suspended, reason: 'by order' },
    ];
    expect(await statesIn('installation')).toEqual([
      [running, stopped],
      [stopped, running],
    ]);
  });

  test('cannot onramp, apply or be listed until resumed', async () => {
    const accountHolderId = await suspended();
    const salesChannelId = newId();
    registry.traders.onboard(accountHolderId, salesChannelId);
    const assets = [{ start: 'i_1', end: 'i_2' }];
    const acts = [
      () => registry.onramp({ idempotencyKey: newId(), accountHolderId, salesChannelId, assets }),
      () => registry.submit({ accountHolderId, salesChannelId }),
      () => registry.createIssuance({ issuance: { ...issuance(), accountHolderId, salesChannelId } }),
    ];
    for (const act of acts)
      expect(await catchFailure(act())).toMatchObject({
        code: 'request-refused',
        violations: [{ pointer: '#/accountHolderId', code: 'account-holder-suspended' }],
      });
    await operator.ResumeAccountHolder({ accountHolderId });
    for (const act of acts) await act();
  });

  test('gets the result of an earlier onramp again', async () => {
    const [accountHolderId, salesChannelId] = [await holder(), newId()];
    registry.traders.onboard(accountHolderId, salesChannelId);
    const assets = [{ start: 'i_1', end: 'i_2' }];
    const request = { idempotencyKey: newId(), accountHolderId, salesChannelId, assets };
    const first = await registry.onramp(request);
    await operator.SuspendAccountHolder({ accountHolderId, reason: 'x' });
    expect(await registry.onramp(request)).toMatchObject({ transactionId: first.transactionId });
    expect(await catchFailure(registry.onramp({ ...request, idempotencyKey: newId() }))).toMatchObject({
      violations: [{ code: 'account-holder-suspended' }],
    });
  });

  test('can still receive issuances, without a listing', async () => {
    const accountHolderId = await suspended();
    expect(await registry.createIssuance({ issuance: { ...issuance(), accountHolderId } })).toMatchObject({
      created: true,
    });
  });
});

describe('a suspended sales channel', () => {
  test('refuses onramps and listings, in a record or in a file', async () => {
    const accountHolderId = await holder();
    const salesChannelId = newId();
    registry.traders.onboard(accountHolderId, salesChannelId);
    registry.suspendedChannels.add(salesChannelId);
    const listed = { ...issuance(), accountHolderId, salesChannelId };
    const refused = { violations: [{ pointer: '#/salesChannelId', code: 'sales-channel-suspended' }] };
    const assets = [{ start: 'i_1', end: 'i_2' }];
    expect(
      await catchFailure(registry.onramp({ idempotencyKey: newId(), accountHolderId, salesChannelId, assets })),
    ).toMatchObject(refused);
    expect(await catchFailure(registry.createIssuance({ issuance: listed }))).toMatchObject(refused);
    const line = JSON.stringify({ type: 'issuance', ...listed });
    const { importId } = await registry.importFile(`${line}\n`);
    expect(await registry.errorsOf(importId)).toMatchObject([{ line: 1, code: 'sales-channel-suspended' }]);
    registry.suspendedChannels.clear();
    await registry.createIssuance({ issuance: listed });
  });
});

test('operators list account holders by kind and status, page by page', async () => {
  const ids = [await holder(), await holder(), await holder()];
  await Promise.all(ids.map((accountHolderId) => operator.SuspendAccountHolder({ accountHolderId, reason: 'x' })));
  const last = { limit: 2, status: 'SUSPENDED', kind: 'HOLDER' };
  const first = await operator.FindAccountHolders({ ...last, after: ids[0] });
  expect(first.accountHolders.map((found) => found.accountHolderId)).toEqual(ids.slice(1));
  const { businessId } = await registry.get(ids[0] ?? '');
  const one = await operator.FindAccountHolders({ limit: 10, businessId });
  expect(one.accountHolders.map((found) => found.accountHolderId)).toEqual([ids[0]]);
  expect(await catchFailure(operator.FindAccountHolders({ limit: 10, kind: 'x' }))).toMatchObject({
    code: 'invalid-request',
  });
  const { name } = await registry.get(ids[2] ?? '');
  const namePart = name.slice(1).toUpperCase();
  const named = await operator.FindAccountHolders({ ...last, namePart, after: ids[1] });
  expect([named.accountHolders.map((found) => found.accountHolderId), named.searched]).toEqual([ids.slice(2), true]);
  expect(one.searched).toBe(false);
  expect(await operator.FindAccountHolders({ limit: 10, namePart: 'nobody' })).toMatchObject({ accountHolders: [] });
  expect(await catchFailure(operator.FindAccountHolders({ limit: 10, namePart: '' }))).toMatchObject({
    violations: [{ parameter: 'nameContains', code: 'minLength' }],
  });
});

test('operators look up an id', async () => {
  const client = await callAs('admin', 'lookUp', registry.service.address, 'registry-import');
  const accountHolderId = await holder();
  expect(await client.LookUp({ id: accountHolderId })).toMatchObject({
    things: [{ kind: 'account holder', facts: { accountHolderId, kind: 'HOLDER', status: 'ACTIVE' } }],
  });
  const { name } = await registry.get(accountHolderId);
  const part = name.slice(1).toUpperCase();
  const { things } = await client.LookUp({ id: part, names: true });
  expect(things.map(({ facts }) => facts['name'])).toContain(name);
  expect(await client.LookUp({ id: part })).toMatchObject({ things: [] });
  client.close();
});

test.each(['gateway', 'identity', 'inventory'] as const)('%s may not call the RPCs of operators', async (caller) => {
  const client = await callAs(caller, 'accountHolderAdministration', registry.service.address);
  const accountHolderId = newId();
  const failures = await Promise.all(
    [
      client.FindAccountHolders({ limit: 1 }),
      client.SetKind({ accountHolderId, kind: 'REGISTRY' }),
      client.SuspendAccountHolder({ accountHolderId, reason: 'x' }),
      client.ResumeAccountHolder({ accountHolderId }),
    ].map((call: Promise<unknown>) => catchFailure(call)),
  );
  expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['forbidden']));
  client.close();
});
