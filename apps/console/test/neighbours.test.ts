import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperatorClients } from '@saleschannel/edge/administration';
import type { QueueLevels } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import { eventually, startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { readContracts, type Contract, type Interaction } from '@saleschannel/testing/contracts';
import type { Context, Operations, RequestContext } from '../src/http/operation.ts';
import { serviceNames, type Addresses } from '../src/environment.ts';
import { createOperations } from '../src/app.ts';
import { Watch } from '../src/watch/watch.ts';
import { contract as eventsContract } from './contracts/events.ts';
import { contract as identityContract } from './contracts/identity.ts';
import { contract as inventoryContract } from './contracts/inventory.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';
import { contract as tasksContract } from './contracts/tasks.ts';
import { adminCredentials } from './support/credentials.ts';

/**
 * Tests the console with minimal answers according to the contracts: its own, and those of the admin command for shared
 * RPCs. Both have the same service key.
 */

const own = [eventsContract, identityContract, inventoryContract, rbacContract, registryImportContract, tasksContract];
const powers = ['userDirectory', 'identityAdministration', 'rbacAdministration', 'accountHolder'];
const isShared = ({ rpc, refusal }: Interaction): boolean =>
  // The console passes refusals on unchanged, and issues no keys.
  refusal === undefined && powers.some((name) => rpc.startsWith(name)) && !/\.Issue\w+Key$/.test(rpc);

let providers: FakeProviders[];
let operations: Operations;
let watch: Watch;
beforeAll(async () => {
  const contracts = await Promise.all(
    own.map(async (contract): Promise<Contract> => {
      const found = await readContracts(contract.provider);
      const shared = found.filter(({ program }) => program === 'admin').flatMap(({ interactions }) => interactions);
      return { ...contract, interactions: [...contract.interactions, ...shared.filter(isShared)] };
    }),
  );
  providers = await Promise.all(contracts.map((contract) => startFakeProviders(contract)));
  const nowhere = Object.fromEntries(serviceNames.map((name) => [name, '127.0.0.1:1'])) as Record<string, string>;
  const reachable = own.map(({ provider }, index) => [provider, providers[index]?.address]);
  const addresses = { ...nowhere, ...Object.fromEntries(reachable) } as Addresses;
  const connection = { addresses, tokens: await adminCredentials() };
  watch = new Watch({
    connection,
    levels: { read: () => Promise.resolve([]), close: () => undefined } as Partial<QueueLevels> as QueueLevels,
    closing: new AbortController().signal,
    now: Date.now,
    logger: silentLogger,
  });
  const { 'registry-import': registryImport } = addresses;
  const operatorClients = createOperatorClients({ ...connection, addresses: { ...addresses, registryImport } });
  const context = { operatorClients, connection };
  const trail = await providers[own.indexOf(identityContract)]?.client('auditLog', 'identity');
  const clientOf = <Key extends 'channelTasks' | 'channelUse'>(contract: Contract, key: Key) =>
    providers[own.indexOf(contract)]?.client(key, 'admin');
  const use = {
    tasks: await clientOf(tasksContract, 'channelTasks'),
    inventory: await clientOf(inventoryContract, 'channelUse'),
  } as Context['channelUse'];
  const audit = { identity: trail } as Partial<Context['audit']>;
  operations = createOperations({ ...context, watch, audit, channelUse: use } as Partial<Context> as Context);
});
afterAll(async () => {
  await watch.stop();
  const stopped = await Promise.allSettled(providers.map((provider) => provider.stop()));
  expect(stopped.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
});

const page = { limit: '100' };
const withoutResults = { action: 'rbac.role.granted', actor: 'nobody' };
const request = Object.assign(Readable.from([Buffer.from('{"type":"nothing"}\n')]), {
  headers: { 'content-type': 'application/x-ndjson' },
});
const within = {
  call: {},
  disconnected: new AbortController().signal,
  request,
} as Partial<RequestContext> as RequestContext;
/** Validates and handles the request as the console does. */
const ask = (name: keyof Operations, { path = {}, query = {}, body = {} }: Readonly<Record<string, object>> = {}) => {
  const { query: queryForm, body: bodyForm, handle } = operations[name];
  return handle({ path, query: queryForm?.parse(query), body: bodyForm?.parse(body) }, within);
};

const user = { path: { userId: 'u1' } };
const shown = { id: 'u1', subject: 'anna', disabledAt: null };
const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };
const reason = { reason: 'by order' };
const active = { status: 'ACTIVE', suspendedAt: null };
const suspended = { status: 'SUSPENDED', suspendedAt: expect.any(String), suspendedReason: 'by order' };
const one = { count: 1, isMore: false };
const imported = { importId: 'm2', status: 'COMPLETED', linesRead: 1, linesFailed: 1, completedAt: expect.any(String) };

test.each<[keyof Operations, Readonly<Record<string, object>>, object]>([
  ['searchUsers', { query: { ...page, subject: 'anna' } }, { items: [shown], next: null }],
  ['searchUsers', { query: { ...page, subjectContains: 'anna' } }, { items: [shown], next: null }],
  ['ensureUser', { body: { issuer: 'https://id.example', subject: 'anna' } }, shown],
  ['setAccountHolder', { ...user, body: { accountHolderId: null } }, { ...shown, accountHolderId: null }],
  ['setAccountHolder', { ...user, body: { accountHolderId: 'h1' } }, { ...shown, accountHolderId: 'h1' }],
  ['disableUser', { ...user, body: { reason: 'left' } }, { disabledAt: expect.any(String), disabledReason: 'left' }],
  ['enableUser', user, shown],
  ['listKeys', { query: { ...page, userId: 'u2' } }, { items: [{ id: 'k2', kind: 'API', madeWithKeyId: null }] }],
  ['revokeKey', { path: { keyId: 'k2' } }, { keyIds: ['k2'] }],
  ['revokeKey', { path: { keyId: 'k9' } }, { keyIds: [] }],
  ['listUserSessions', { path: { userId: 'u3' } }, { items: [{ id: 's3', client: 'portal', address: null }] }],
  ['endUserSessions', { path: { userId: 'u3' }, body: { reason: 'lost laptop' } }, { items: [{ id: 's3' }] }],
  ['revokeUserKeys', { path: { userId: 'u2' } }, { keyIds: ['k2'] }],
  ['listSalesChannels', {}, { items: [{ id: 'c1', ...active }] }],
  ['createSalesChannel', { body: { name: 'Nordic' } }, { id: 'c9', name: 'Nordic', ...active }],
  ['renameSalesChannel', { path: { salesChannelId: 'c1' }, body: { name: 'Arctic', ...reason } }, { name: 'Arctic' }],
  ['suspendSalesChannel', { path: { salesChannelId: 'c1' }, body: reason }, suspended],
  [
    'closeSalesChannel',
    { path: { salesChannelId: 'c3' }, body: { reason: 'contract ended' } },
    { id: 'c3', status: 'SUSPENDED', closedAt: expect.any(String), closedReason: 'contract ended' },
  ],
  [
    'getSalesChannelUse',
    { path: { salesChannelId: 'c1' } },
    { users: one, invitations: one, tasks: one, pendingTransactions: one, reservedBundles: one, listedBundles: one },
  ],
  ['resumeSalesChannel', { path: { salesChannelId: 'c2' } }, { id: 'c2', ...active }],
  ['assignRoles', { ...user, body: { salesChannelId: 'c1', roles: ['EVENT_VIEWER'] } }, { roles: ['EVENT_VIEWER'] }],
  ['listBindings', { query: { ...page, salesChannelId: 'c1' } }, { items: [{ userId: 'u0' }, { userId: 'u2' }] }],
  ['endBinding', { path: { userId: 'u2' } }, { binding: { userId: 'u2' }, wasLastAdministrator: false }],
  ['endBinding', { path: { userId: 'u0' } }, { binding: { userId: 'u0' }, wasLastAdministrator: true }],
  ['endBinding', { path: { userId: 'u3' } }, { binding: null, wasLastAdministrator: false }],
  ['listHolders', { query: { ...page, businessId: 'NO-2' } }, { items: [{ accountHolderId: 'h1', ...active }] }],
  [
    'listHolders',
    { query: { ...page, businessId: 'NO-2', nameContains: 'Havkalk' } },
    { items: [{ accountHolderId: 'h1', ...active }] },
  ],
  ['createHolder', { body: { name: 'Havkalk', businessId: 'NO-3', address } }, { accountHolderId: 'h9' }],
  ['setHolderKind', { path: { accountHolderId: 'h1' }, body: { kind: 'REGISTRY' } }, { kind: 'REGISTRY' }],
  ['suspendHolder', { path: { accountHolderId: 'h1' }, body: reason }, suspended],
  ['resumeHolder', { path: { accountHolderId: 'h2' } }, { accountHolderId: 'h2', ...active }],
  [
    'listAuditEvents',
    { query: { scope: 'c1', service: 'identity', ...page } },
    { items: [{ scope: 'c1', hash: '07'.repeat(32) }], next: null, total: 1 },
  ],
  [
    'listAuditEvents',
    { query: { scope: 'c1', service: 'identity', ...page, order: 'desc', ...withoutResults } },
    { items: [], next: null, total: 0 },
  ],
  ['startImport', {}, { importId: 'm1', status: 'PENDING', completedAt: null }],
  ['listImports', { query: page }, { items: [imported], next: null, total: 1 }],
  ['getImport', { path: { importId: 'm2' } }, imported],
  ['listImportErrors', { path: { importId: 'm2' }, query: page }, { items: [{ line: 1 }], total: 1 }],
])('%s %j', async (name, input, answer) => {
  expect(await ask(name, input)).toMatchObject(answer);
});

test('a snapshot consists of the reports of services', async () => {
  await watch.start();
  const snapshot = await eventually(async () => watch.latest.waitingTasks !== null && watch.latest, 'a snapshot');
  expect(snapshot).toMatchObject({ waitingTasks: 7, unfinishedImports: 3 });
  expect(snapshot.outboxes.toSorted((a, b) => a.service.localeCompare(b.service))).toEqual(
    ['identity', 'inventory', 'rbac', 'tasks'].map((service) => ({ service, ageSeconds: 1.5, refused: 2 })),
  );
});

test.each<[keyof Operations, object]>([
  ['searchUsers', { subjectContains: 'anna' }],
  ['listHolders', { nameContains: 'havkalk' }],
])('%s %j is rejected if a replica of the previous release ignores the search text', async (name, query) => {
  const everything = { users: [], accountHolders: [], searched: false };
  const old = new Proxy({}, { get: () => ({ ListUsers: () => everything, FindAccountHolders: () => everything }) });
  const { query: form, handle } = createOperations({
    operatorClients: old,
    audit: {},
    channelUse: {},
  } as Partial<Context> as Context)[name];
  const input = { path: {}, query: form?.parse({ ...page, ...query }), body: undefined };
  await expect(handle(input, within)).rejects.toMatchObject({ code: 'unavailable' });
});
