import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { identityVariables, startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { contract as eventsContract } from './contracts/events.ts';
import { contract as identityContract } from './contracts/identity.ts';
import { contract as inventoryContract } from './contracts/inventory.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';
import { contract as tasksContract } from './contracts/tasks.ts';
import { contract as tradersContract } from './contracts/traders.ts';
import { contract as webhooksContract } from './contracts/webhooks.ts';
import { runIn } from './support/admin.ts';

/** Checks that the commands can work with the minimal answers of the contracts. */

const contracts = [
  eventsContract,
  identityContract,
  inventoryContract,
  rbacContract,
  registryImportContract,
  tasksContract,
  tradersContract,
  webhooksContract,
];
let providers: FakeProviders[];
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  providers = await Promise.all(contracts.map((contract) => startFakeProviders(contract)));
  const addresses = contracts.map(({ provider }, index) => [
    `${provider.toUpperCase().replaceAll('-', '_')}_ADDRESS`,
    providers[index]?.address,
  ]);
  const { SERVICE_PRIVATE_KEY } = identityVariables('admin');
  environment = { SERVICE_PRIVATE_KEY, ...(Object.fromEntries(addresses) as NodeJS.ProcessEnv) };
});
afterAll(async () => {
  const stopped = await Promise.allSettled(providers.map((provider) => provider.stop()));
  expect(stopped.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
});

const anna = ['--issuer', 'https://id.example', '--subject', 'anna'];
const user = { id: 'u1', issuer: 'https://id.example', subject: 'anna' };
const key = { id: 'k1', secret: 'the-secret' };
const address = ['--postal-code', '3208', '--city', 'Sandefjord', '--country', 'Norway', '--street1', 'Ranvikveien 9'];
const later = '2126-01-01T00:00:00.000Z';

test.each<[string[], unknown]>([
  [['set-account-holder', ...anna, '--account-holder', 'h1'], { ...user, accountHolderId: 'h1' }],
  [['set-account-holder', ...anna, '--none'], user],
  [['issue-api-key', ...anna], { userId: 'u1', ...key }],
  [['issue-registry-key', '--account-holder', 'h1', '--expires-at', later], { ...key, expiresAt: later }],
  [['list', 'users', '--subject', 'anna'], { users: [user], next: null }],
  [['disable-user', 'u1', '--reason', 'left'], { id: 'u1', disabledReason: 'left' }],
  [['enable-user', 'u1'], user],
  [['list', 'keys', '--user', 'u2'], { keys: [{ id: 'k2', kind: 'API', userId: 'u2' }] }],
  [['revoke-key', 'k2'], { revoked: ['k2'] }],
  [['revoke-key', 'k9'], { revoked: [] }],
  [['revoke-user-keys', 'u2'], { revoked: ['k2'] }],
  [['end-sessions', 'u3', '--reason', 'lost laptop'], { ended: [{ id: 's3', client: 'portal' }] }],
  [['create-sales-channel', '--name', 'Nordic'], { id: 'c9', name: 'Nordic' }],
  [['list-sales-channels'], [{ id: 'c1', name: 'Nordic' }]],
  [['list', 'channels', '--status', 'ACTIVE'], { channels: [{ id: 'c1' }] }],
  [['rename-channel', 'c1', '--name', 'Arctic', '--reason', 'by order'], { id: 'c1', name: 'Arctic' }],
  [['suspend-channel', 'c1', '--reason', 'by order'], { status: 'SUSPENDED', suspendedReason: 'by order' }],
  [['close-channel', 'c3', '--reason', 'contract ended'], { status: 'CLOSED', closedReason: 'contract ended' }],
  [['resume-channel', 'c2'], { id: 'c2', status: 'ACTIVE' }],
  [
    ['assign-roles', ...anna, '--sales-channel', 'c1', '--roles', 'EVENT_VIEWER'],
    { userId: 'u1', salesChannelId: 'c1', roles: ['EVENT_VIEWER'] },
  ],
  [['list', 'bindings', '--sales-channel', 'c1'], { bindings: [{ userId: 'u0' }, { userId: 'u2' }] }],
  [['unbind-user', 'u2'], { unbound: { userId: 'u2', salesChannelId: 'c1' } }],
  [
    ['create-account-holder', '--name', 'Havkalk', '--business-id', 'NO-3', ...address],
    { accountHolderId: 'h9', businessId: 'NO-3', kind: 'HOLDER' },
  ],
  [['list', 'holders', '--business-id', 'NO-2'], { holders: [{ accountHolderId: 'h1' }], next: null }],
  [['set-kind', 'h1', 'REGISTRY'], { kind: 'REGISTRY' }],
  [['suspend-holder', 'h1', '--reason', 'by order'], { status: 'SUSPENDED', suspendedReason: 'by order' }],
  [['resume-holder', 'h2'], { accountHolderId: 'h2', status: 'ACTIVE' }],
  [
    ['reconcile', '--status', '--channel', 'c1'],
    [
      { consumer: 'tasks', lagEntries: '4', channels: [{ missing: '4' }] },
      { consumer: 'events', lagSeconds: 90.5 },
    ],
  ],
])('%j', async (words, answer) => {
  const { exitCode, errors, json } = await runIn(environment, ...words);
  expect([exitCode, errors.replace(/^.*There is no such key.*\n/, '')]).toEqual([0, '']);
  expect(json()).toMatchObject(answer as object);
});

test.each<[string[], RegExp]>([
  [['disable-user', 'u9', '--reason', 'left'], /no such user/],
  [['suspend-channel', 'c9', '--reason', 'by order'], /no such sales channel/],
  [['set-kind', 'h8', 'REGISTRY'], /no such account holder/],
  [['assign-roles', ...anna, '--sales-channel', 'c9', '--roles', 'EVENT_VIEWER'], /no such sales channel/],
])('%j fails', async (words, fault) => {
  const { exitCode, errors } = await runIn(environment, ...words);
  expect([exitCode, errors]).toEqual([1, expect.stringMatching(fault)]);
});

test.each([
  ['u0', 'ROLE_ADMINISTRATOR'],
  ['u3', 'has no sales channel'],
])('unbind-user warns about %s', async (id, warning) => {
  const { exitCode, errors } = await runIn(environment, 'unbind-user', id);
  expect([exitCode, errors]).toEqual([0, expect.stringContaining(warning)]);
});

test('look-up queries every service', async () => {
  const { json } = await runIn(environment, 'look-up', 'x1');
  const found = json() as { service: string; facts: object }[];
  expect(found.map(({ service }) => service).toSorted()).toEqual(contracts.map((each) => each.provider));
  expect(found).toContainEqual({ service: 'registry-import', kind: 'thing', facts: {} });
});

test('audit-events prints the events of a channel from each service', async () => {
  const { exitCode, output } = await runIn(environment, 'audit-events', '--scope', 'c1');
  const hash = '07'.repeat(32);
  expect([exitCode, output]).toEqual([0, `{"scope":"c1","hash":"${hash}"}\n`.repeat(5)]);
});
