import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { toCanonicalText } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../../src/client.ts';
import { testCoverage } from '../support/coverage.ts';
import { useSystem } from '../support/system.ts';
import { buyer, issue, operator, seller, runTransfer } from '../support/api.ts';

/** The audit trail, as a sales channel and the registry read and verify it. */

const system = useSystem();

interface AuditEvent {
  scope: string;
  sequence: number;
  action: string;
  actor: { kind: string; id?: string; keyId?: string };
  subject: { type: string; id: string };
  address: string | null;
  requestId: string | null;
  previousHash: string;
  hash: string;
  after: Record<string, unknown> | null;
}

async function everything(client: Client, path: string): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  for (let query: Record<string, string> = { limit: '50' }; ;) {
    const page = await client.ok<{ pagination: { next: string }; data: AuditEvent[] }>('GET', path, { query });
    found.push(...page.data);
    if (page.data.length < 50) return found;
    query = { limit: '50', after: page.pagination.next };
  }
}

/** Verifies every chain of a trail as the guide describes. Each service has one. */
function expectWhole(events: readonly AuditEvent[]): void {
  for (const chain of Object.values(Object.groupBy(events, ({ action }) => action.split('.')[0] ?? ''))) {
    let previous = '0'.repeat(64);
    for (const [index, { hash, ...event }] of (chain ?? []).entries()) {
      expect([event.sequence, event.previousHash]).toEqual([index + 1, previous]);
      expect(createHash('sha256').update(toCanonicalText(event)).digest('hex')).toBe(hash);
      previous = hash;
    }
  }
}

const path = '/user-services/audit-events';

test('a channel reads who moved certificates and who got roles, and verifies that the trail is complete', async () => {
  const [channel, other] = system().channels;
  const administrator = system().createClient(operator(channel));
  const { range } = await issue(system(), channel);
  const { responsePayload } = await runTransfer(administrator, seller(channel).id, 'trade', {
    buyerId: buyer(channel).id,
    currency: 'EUR',
    assets: [{ ...range(1, 10), unitPrice: 1 }],
  });
  const user = await system().newUser(channel, ['TRADER_VIEWER']);
  const events = await everything(administrator, path);
  expectWhole(events);
  expect(new Set(events.map(({ scope }) => scope))).toEqual(new Set([channel.salesChannelId]));
  expect(events.find(({ subject }) => subject.id === responsePayload.id)).toMatchObject({
    action: 'inventory.transaction.created',
    actor: { kind: 'user', id: operator(channel).userId, keyId: operator(channel).apiKey.id },
    address: expect.stringMatching(/127\.0\.0\.1$/),
    requestId: expect.any(String),
    after: { type: 'TRADE', status: 'SUCCESS' },
  });
  expect(events.filter(({ subject }) => subject.id === user.userId).map(({ action }) => action)).toContain(
    'rbac.role.granted',
  );
  const others = await everything(system().createClient(operator(other)), path);
  expectWhole(others);
  expect(others.some(({ subject }) => subject.id === responsePayload.id)).toBe(false);
});

test('a channel reads its trail newest first, by action and by person', async () => {
  const [channel] = system().channels;
  const administrator = system().createClient(operator(channel));
  const user = await system().newUser(channel, ['TRADER_VIEWER']);
  const all = await everything(administrator, path);
  const read = async (query: Record<string, string>) =>
    (await administrator.ok<{ data: AuditEvent[] }>('GET', path, { query: { limit: '20', ...query } })).data;
  const newest = await read({ order: 'desc' });
  expect(newest).toEqual(all.toReversed().slice(0, 20));
  expect(newest.some(({ subject }) => subject.id === user.userId)).toBe(true);
  const granted = all.filter(({ action }) => action === 'rbac.role.granted').toReversed();
  expect(await read({ order: 'desc', action: 'rbac.role.granted' })).toEqual(granted.slice(0, 20));
  const { userId } = operator(channel);
  const own = all.filter(({ actor }) => actor.id === userId);
  expect(await read({ actor: userId })).toEqual(own.slice(0, 20));
  const exported = await administrator.send('GET', `${path}/export`, { query: { actor: userId } });
  expect(exported.text.split('\n').filter(Boolean)).toHaveLength(own.length);
});

test('the registry reads issuances with the key that made them', async () => {
  const [channel] = system().channels;
  const { issuanceId } = await issue(system(), channel);
  const events = await everything(system().registry, '/Registry/api/audit-events');
  expectWhole(events);
  expect(events.find(({ subject }) => subject.id === issuanceId)).toMatchObject({
    action: 'inventory.issuance.created',
    actor: { kind: 'registry-key', keyId: expect.any(String) },
  });
});

test('both trails are exported line by line, and a collector resumes at its position', async () => {
  const [channel] = system().channels;
  for (const [client, from] of [
    [system().createClient(operator(channel)), path],
    [system().registry, '/Registry/api/audit-events'],
  ] as const) {
    const exported = await client.send('GET', `${from}/export`);
    expect(exported.status).toBe(200);
    const lines = exported.text.split('\n').filter(Boolean);
    expectWhole(lines.map((line) => JSON.parse(line) as AuditEvent));
    const next = /^<(.+)>; rel="next"$/.exec(String(exported.headers['link']))?.[1] ?? '';
    await issue(system(), channel);
    const more = await eventually(async () => (await client.send('GET', next)).text || false, 'what comes later');
    expect(lines).not.toContain(more.split('\n')[0]);
  }
});

test("the operator reads every trail, and the installation's", async () => {
  const [channel, other] = system().channels;
  await issue(system(), channel);
  await issue(system(), other);
  const lines = (await system().runAdmin('audit-events')).split('\n').filter(Boolean);
  const byScope = Object.groupBy(
    lines.map((line) => JSON.parse(line) as AuditEvent),
    ({ scope }) => scope,
  );
  expect(Object.keys(byScope)).toEqual(
    expect.arrayContaining(['installation', 'registry', channel.salesChannelId, other.salesChannelId]),
  );
  for (const events of Object.values(byScope)) expectWhole(events ?? []);
  expect(byScope['installation']).toContainEqual(
    expect.objectContaining({ action: 'identity.user.account-holder-set', actor: { kind: 'operator' } }),
  );
  const ofRbac = await system().runAdmin('audit-events', '--scope', channel.salesChannelId, '--service', 'rbac');
  expect(ofRbac).toContain('rbac.user.bound');
  expect(ofRbac).not.toContain('inventory.');
});

testCoverage('audit');
