import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, startPublisher } from '@saleschannel/testing';
import { issue, retirementBody, seller, runTransfer, v1 } from './support/api.ts';
import {
  address,
  consoleOperations,
  startConsole,
  suspendInPast,
  type Console,
  type ConsoleBrowser,
  type Items,
} from './support/console.ts';
import { useOwnSystem } from './support/system.ts';

const system = useOwnSystem({ tls: true }, { notAudited: 'an unreadable message remains a dead letter' });
let console: Console;
let olga: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsole(system());
  olga = await console.signIn('olga');
}, 60_000);
afterAll(() => console?.stop());

interface AuditEvent {
  readonly action: string;
  readonly actor: { readonly kind: string; readonly id?: string };
  readonly subject: { readonly id: string };
  readonly hash: string;
}

/** Actions and actors for an object, according to the trail of a scope. */
async function listActors(scope: string, subjectId: string): Promise<[string, object][]> {
  const events: AuditEvent[] = [];
  for (let after: string | null = ''; after !== null;) {
    const query = new URLSearchParams({ scope, limit: '100', ...(after && { after }) });
    const page: Items<AuditEvent> = await olga.ok('GET', `/audit-events?${query}`);
    events.push(...page.items);
    after = page.next;
  }
  return events.filter(({ subject }) => subject.id === subjectId).map(({ action, actor }) => [action, actor]);
}

const named = { kind: 'operator', id: 'olga' };
const unnamed = { kind: 'operator' };

describe('actions of operators', () => {
  test('a sales channel is created, renamed, suspended and resumed, and the trail names the operator', async () => {
    const { id } = await olga.ok<{ id: string }>('POST', '/sales-channels', { body: { name: 'Nordic Removals' } });
    const renaming = { name: 'Arctic Removals', reason: 'new brand' };
    expect(await olga.ok('POST', `/sales-channels/${id}/rename`, { body: renaming })).toMatchObject({
      id,
      name: 'Arctic Removals',
    });
    const body = { reason: 'by order' };
    const suspended = await olga.ok('POST', `/sales-channels/${id}/suspend`, { body });
    expect(suspended).toMatchObject({ status: 'SUSPENDED', suspendedReason: 'by order' });
    const { items } = await olga.ok<Items<{ id: string }>>('GET', '/sales-channels?status=SUSPENDED');
    expect(items.map((each) => each.id)).toEqual([id]);
    expect(await olga.ok('POST', `/sales-channels/${id}/resume`)).toMatchObject({ status: 'ACTIVE' });
    const actions = ['created', 'renamed', 'suspended', 'resumed'].map((done) => `rbac.sales-channel.${done}`);
    expect(await listActors('installation', id)).toEqual(actions.map((action) => [action, named]));
    expect(await listActors(id, id)).toEqual(actions.map((action) => [action, unnamed]));
  });

  test('a sales channel without open transfers is closed, and its users lose access', async () => {
    const { id } = await olga.ok<{ id: string }>('POST', '/sales-channels', { body: { name: 'Baltic Removals' } });
    const user = await system().newUser({ ...system().channels[0], salesChannelId: id }, ['TRADER_VIEWER']);
    const none = { count: 0, isMore: false };
    expect(await olga.ok('GET', `/sales-channels/${id}/use`)).toEqual({
      users: { count: 1, isMore: false },
      invitations: none,
      tasks: none,
      pendingTransactions: none,
      reservedBundles: none,
      listedBundles: none,
    });
    await system().createClient(user).ok('GET', `${v1}/traders`);
    const closing = { body: { reason: 'contract ended' } };
    expect(await olga.send('POST', `/sales-channels/${id}/close`, closing)).toMatchObject({
      status: 400,
      body: { type: '/problems/request-refused', errors: [{ code: 'sales-channel-not-suspended' }] },
    });
    await suspendInPast(system(), olga, id);
    expect(await olga.ok('POST', `/sales-channels/${id}/close`, closing)).toMatchObject({
      id,
      status: 'SUSPENDED',
      suspendedReason: 'contract ended',
      closedAt: expect.any(String),
      closedReason: 'contract ended',
    });
    const { items } = await olga.ok<Items<{ id: string }>>('GET', '/sales-channels?status=CLOSED');
    expect(items.map((each) => each.id)).toEqual([id]);
    const read = () => system().createClient(user).send('GET', `${v1}/traders`);
    await eventually(async () => (await read()).status === 403, 'the end of the rights');
    for (const act of ['resume', 'suspend', 'rename'])
      expect(
        await olga.send('POST', `/sales-channels/${id}/${act}`, {
          ...(act !== 'resume' && { body: { reason: 'again', ...(act === 'rename' && { name: 'Arctic' }) } }),
        }),
      ).toMatchObject({ status: 400, body: { errors: [{ code: 'sales-channel-closed' }] } });
    const used = system().channels[0].salesChannelId;
    expect(await olga.ok('GET', `/sales-channels/${used}/use`)).toMatchObject({
      users: { count: expect.any(Number) },
      listedBundles: { count: expect.any(Number) },
    });
  });

  test('an account holder gets a user, and the user gets roles in a channel', async () => {
    const businessId = randomUUID();
    const body = { name: 'Biochar Oy', businessId, address };
    const holder = await olga.ok<{ accountHolderId: string }>('POST', '/account-holders', { body });
    expect(holder).toMatchObject({ businessId, kind: 'HOLDER', status: 'ACTIVE', autoApproval: true });
    const { accountHolderId } = holder;
    const holderPath = `/account-holders/${accountHolderId}`;
    expect(await olga.ok('POST', '/account-holders', { body })).toEqual(holder);
    const { items } = await olga.ok<Items<object>>('GET', `/account-holders?businessId=${businessId}`);
    expect(items).toEqual([holder]);
    expect(await olga.ok('PUT', `${holderPath}/kind`, { body: { kind: 'REGISTRY' } })).toMatchObject({
      kind: 'REGISTRY',
    });
    const reason = { reason: 'under investigation' };
    expect(await olga.ok('POST', `${holderPath}/suspend`, { body: reason })).toMatchObject({ status: 'SUSPENDED' });
    expect(await olga.ok('POST', `${holderPath}/resume`)).toMatchObject({ status: 'ACTIVE' });

    const subject = randomUUID();
    const issuer = 'https://id.example';
    const { id: userId } = await olga.ok<{ id: string }>('POST', '/users', { body: { issuer, subject } });
    const userPath = `/users/${userId}`;
    const into = await olga.ok('PUT', `${userPath}/account-holder`, { body: { accountHolderId } });
    expect(into).toMatchObject({ id: userId, subject, accountHolderId });
    expect(
      await olga.send('PUT', `${userPath}/account-holder`, { body: { accountHolderId: businessId } }),
    ).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/accountHolderId' }] } });
    expect(
      await olga.send('PUT', '/users/nothing/account-holder', { body: { accountHolderId: businessId } }),
    ).toMatchObject({ status: 404 });
    const found = await olga.ok<Items<object>>('GET', `/users?subject=${subject}&disabled=false`);
    expect(found).toEqual({ items: [into], next: null });
    const [{ salesChannelId }] = system().channels;
    const roles = ['ROLE_ADMINISTRATOR', 'ASSET_VIEWER'];
    const binding = await olga.ok('POST', `${userPath}/roles`, { body: { salesChannelId, roles } });
    expect(await olga.ok('GET', `/bindings?userId=${userId}`)).toEqual({ items: [binding], next: null });
    expect(await listActors('installation', userId)).toContainEqual(['rbac.user.bound', named]);
    expect(await listActors(salesChannelId, userId)).toContainEqual(['rbac.user.bound', unnamed]);
    expect(await olga.ok('POST', `${userPath}/disable`, { body: reason })).toMatchObject({
      disabledReason: reason.reason,
    });
    expect(await olga.ok('POST', `${userPath}/enable`)).toMatchObject({ disabledAt: null });
    expect(await olga.ok('DELETE', `${userPath}/binding`)).toMatchObject({ binding, wasLastAdministrator: false });
    expect(await olga.ok('DELETE', `${userPath}/binding`)).toMatchObject({ binding: null });
    expect(await olga.ok('PUT', `${userPath}/account-holder`, { body: { accountHolderId: null } })).toMatchObject({
      accountHolderId: null,
    });
  });

  test('the sessions of a user are listed and ended', async () => {
    const user = await system().newUser(undefined, []);
    expect(await olga.ok('GET', `/users/${user.userId}/sessions`)).toEqual({ items: [] });
    const body = { reason: 'lost laptop' };
    expect(await olga.ok('POST', `/users/${user.userId}/end-sessions`, { body })).toEqual({ items: [] });
    const unreasoned = await olga.send('POST', `/users/${user.userId}/end-sessions`, { body: {} });
    expect(unreasoned).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/reason' }] } });
  });

  test('keys are found and revoked, and no longer work', async () => {
    const [channel] = system().channels;
    const user = await system().newUser(channel, ['TRADER_VIEWER']);
    const path = '/saleschannel-services/v1/traders';
    expect(await system().createClient(user).send('GET', path)).toMatchObject({ status: 200 });
    const { items } = await olga.ok<Items<{ id: string; userId: string }>>('GET', '/keys?limit=1000');
    const key = items.find(({ id }) => id === user.apiKey.id);
    expect(await olga.ok('GET', `/keys?userId=${key?.userId}`)).toMatchObject({ items: [key] });
    expect(await olga.ok('DELETE', `/keys/${user.apiKey.id}`)).toEqual({ keyIds: [user.apiKey.id] });
    expect(await olga.ok('DELETE', `/users/${key?.userId}/keys`)).toEqual({ keyIds: [] });
    await eventually(
      async () => (await system().createClient(user).send('GET', path)).status === 401,
      'the end of the key',
    );
  });

  test('lists continue after the last row', async () => {
    const first = await olga.ok<Items<{ id: string }>>('GET', '/users?limit=1');
    const second = await olga.ok<Items<{ id: string }>>('GET', `/users?limit=1&after=${first.next}`);
    const both = await olga.ok<Items<{ id: string }>>('GET', '/users?limit=2');
    expect(both.items).toEqual([...first.items, ...second.items]);
  });

  test('an id is looked up at every service', async () => {
    const [{ salesChannelId }] = system().channels;
    expect(await olga.ok('GET', `/look-up?id=${salesChannelId}`)).toMatchObject({
      found: [{ service: 'rbac', facts: { status: 'ACTIVE' } }],
      unreachable: [],
    });
    expect(await olga.ok('GET', '/look-up?id=nothing')).toEqual({ found: [], unreachable: [] });
  });

  test('the trail by service and time', async () => {
    const of = (query: string) => olga.ok<Items<AuditEvent>>('GET', `/audit-events?scope=installation&${query}`);
    const { items } = await of('service=rbac&limit=1000');
    expect(new Set(items.map(({ action }) => action.replace(/\..*/, '')))).toEqual(new Set(['rbac']));
    expect(await of('to=2020-01-01T00:00:00Z')).toMatchObject({ items: [], total: 0 });
  });

  test('the trail in descending order, by action and operator', async () => {
    const of = (query: string) =>
      olga.ok<Items<AuditEvent>>('GET', `/audit-events?scope=installation&to=${now}&limit=1000&${query}`);
    const now = new Date().toISOString();
    const all = await of('order=asc');
    expect((await of('order=desc')).items).toEqual(all.items.toReversed());
    const created = all.items.filter(({ action }) => action === 'rbac.sales-channel.created');
    expect(await of('action=rbac.sales-channel.created')).toMatchObject({ items: created, total: created.length });
    const hers = all.items.filter(({ actor }) => actor.id === 'olga').toReversed();
    expect(await of('actor=olga&order=desc')).toMatchObject({ items: hers, total: hers.length });
  });
});

describe('imports', () => {
  const line = (businessId: string) =>
    JSON.stringify({ type: 'account-holder', name: 'Biochar Oy', businessId, address });
  const send = (content: string, type = 'application/x-ndjson', path = '/imports') =>
    olga.ok<{ importId: string }>('POST', path, { file: [type, content] });
  const waitForImport = (importId: string) =>
    eventually(async () => {
      const found = await olga.ok<{ status: string }>('GET', `/imports/${importId}`);
      return found.status === 'COMPLETED' && found;
    }, `the end of import ${importId}`);

  test('a file with an invalid line is imported, and the corrected line afterwards', async () => {
    const [good, bad] = [randomUUID(), randomUUID()];
    const { importId } = await send(`${line(good)}\n${line(bad).replace('Helsinki', '')}x\n`);
    expect(await waitForImport(importId)).toMatchObject({ linesRead: 2, linesApplied: 1, linesFailed: 1 });
    const failed = await olga.ok('GET', `/imports/${importId}/errors`);
    expect(failed).toMatchObject({ items: [{ line: 2, code: 'json' }], next: null, total: 1 });
    const again = await send(`${line(bad)}\n`);
    expect(await waitForImport(again.importId)).toMatchObject({ linesApplied: 1, linesFailed: 0 });
    const { items } = await olga.ok<Items<{ importId: string }>>('GET', '/imports?limit=2');
    expect(items.map((each) => each.importId)).toEqual([again.importId, importId]);
    expect(await listActors('installation', importId)).toEqual([['registry-import.import.received', named]]);
  });

  test('a CSV import needs a record type', async () => {
    const content = 'name,businessId,address.postalCode,address.city,address.country,address.street1\n';
    const row = `Biochar Oy,${randomUUID()},00100,Helsinki,FI,Katu 1\n`;
    const { importId } = await send(content + row, 'text/csv', '/imports?type=account-holder');
    expect(await waitForImport(importId)).toMatchObject({ linesApplied: 1, linesFailed: 0 });
    const without = await olga.send('POST', '/imports', { file: ['text/csv', content] });
    expect(without).toMatchObject({ status: 400, body: { errors: [{ parameter: 'type' }] } });
    expect(await olga.send('POST', '/imports', { body: {} })).toMatchObject({ status: 415 });
  });

  test('an unknown import is not found', async () => {
    expect(await olga.send('GET', '/imports/nothing')).toMatchObject({ status: 404 });
    expect(await olga.send('GET', '/imports/nothing/errors')).toMatchObject({ status: 404 });
  });
});

describe('dead letters', () => {
  const queue = 'events.log';

  test('an unreadable message is shown with its reason, and replayed', async () => {
    const publisher = await startPublisher(system().namespace);
    const type = 'inventory.transaction.status-changed.v1';
    await publisher.publishRaw(`${system().namespace}.${queue}`, '{"entries": "nonsense"}', type);
    await publisher.stop();
    const [letter] = await eventually(async () => {
      const { items } = await olga.ok<Items<{ id: string; reason: string }>>('GET', `/dead-letters/${queue}`);
      return items.length > 0 && items;
    }, 'the dead letter');
    expect(letter).toMatchObject({ queue, type });
    const full = await olga.ok('GET', `/dead-letters/${queue}/messages/${letter?.id}`);
    expect(full).toEqual({ ...letter, body: '{"entries": "nonsense"}' });
    await eventually(async () => {
      const { items } = await olga.ok<Items<{ queue: string; deadLetters: number }>>('GET', '/dead-letters');
      return items.some((each) => each.queue === queue && each.deadLetters === 1);
    }, 'the count of dead letters');
    expect(await olga.ok('POST', `/dead-letters/${queue}/replay`, { body: { limit: 10 } })).toEqual({
      queue,
      replayed: 1,
    });
    await eventually(async () => {
      const { items } = await olga.ok<Items<{ id: string }>>('GET', `/dead-letters/${queue}`);
      return items[0]?.id === letter?.id;
    }, 'the dead letter to come back');
  });

  test('concurrent operators see the same dead letters', async () => {
    const reads = await Promise.all(
      Array.from({ length: 4 }, () => olga.ok<Items<{ id: string }>>('GET', `/dead-letters/${queue}`)),
    );
    for (const { items } of reads) expect(items).toEqual(reads[0]?.items);
  });

  test('unknown queues and messages are not found', async () => {
    expect(await olga.send('GET', '/dead-letters/identity.log')).toMatchObject({ status: 404 });
    expect(await olga.send('GET', `/dead-letters/${queue}/messages/nothing`)).toMatchObject({ status: 404 });
    const body = { limit: 1 };
    expect(await olga.send('POST', '/dead-letters/identity.log/replay', { body })).toMatchObject({ status: 404 });
  });
});

interface Picture {
  readonly at: string;
  readonly rates: Record<'ledger' | 'tasks' | 'events', number | null>;
  readonly queues: readonly { queue: string }[];
  readonly outboxes: readonly { service: string }[];
  readonly waitingTasks: number | null;
  readonly services: readonly { name: string; status: string; since: string }[];
}

describe('activity and health', () => {
  const getPart = async (name: string) => {
    const { items } = await olga.ok<Items<{ name: string; status: string; checkedAt: string }>>('GET', '/health');
    return items.find((each) => each.name === name);
  };
  const getHealth = async (name: string) => (await getPart(name))?.status;

  test('all services are up', async () => {
    const { items } = await eventually(async () => {
      const health = await olga.ok<Items<{ status: string }>>('GET', '/health');
      return health.items.every(({ status }) => status === 'UP') && health;
    }, 'all parts to be up');
    expect(items).toHaveLength(9);
    const picture = await olga.ok<Picture>('GET', '/activity');
    expect(picture.outboxes.map(({ service }) => service)).toEqual(['identity', 'rbac', 'inventory', 'tasks']);
    expect(picture.queues.map(({ queue }) => queue)).toEqual(['inventory.transfers', 'tasks.outcomes', 'events.log']);
    expect(picture.waitingTasks).toBe(0);
  });

  test('activity is streamed as events, with rates of ledger, tasks and event log', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Portal': 'background' };
    const {
      statusCode,
      headers: answered,
      body,
    } = await olga.open(`${console.url}/operator/v1/activity/stream`, 'GET', { headers });
    expect([statusCode, answered['content-type']]).toEqual([200, 'text/event-stream']);
    const [channel] = system().channels;
    const { range } = await issue(system(), channel);
    const client = system().createClient(channel.users[0]);
    let isSeen = false;
    const retire = async () => {
      for (let serial = 1; !isSeen && serial <= 100; serial += 1)
        await runTransfer(client, seller(channel).id, 'retire', retirementBody([range(serial, serial)]));
    };
    let text = '';
    const pictures = () =>
      [...text.matchAll(/^event: activity\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)) as Picture);
    let retiring: Promise<void> | undefined;
    for await (const piece of body) {
      text += String(piece);
      // A rate needs counts from before and after a change.
      if (pictures().length > 0) retiring ??= retire();
      if (pictures().some(({ rates }) => Object.values(rates).every((rate) => rate !== null && rate > 0))) break;
    }
    isSeen = true;
    await retiring;
    expect(new Set(pictures().map(({ at }) => at)).size).toBe(pictures().length);
  });

  test('a stream ends with the session of its reader', async () => {
    const otto = await console.signIn('otto');
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Portal': 'background' };
    const { statusCode, body } = await otto.open(`${console.url}/operator/v1/activity/stream`, 'GET', { headers });
    expect(statusCode).toBe(200);
    const waitForImport = body.text();
    const signOut = { headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Portal': '1' } };
    await (await otto.open(`${console.url}/sign-out`, 'POST', signOut)).body.dump();
    expect(await waitForImport).toContain('event: activity');
    await olga.ok('GET', '/health');
  });

  test('a stopped service is down after two health checks, and up again after its start', async () => {
    await system().stopService('traders');
    // Health is checked every two seconds. A check in progress may still have found it up.
    const reads = new Set([(await getPart('traders'))?.checkedAt]);
    await eventually(async () => {
      const part = await getPart('traders');
      if (part?.status !== 'DOWN') reads.add(part?.checkedAt);
      return part?.status === 'DOWN';
    }, 'traders to be down');
    expect(reads.size).toBeLessThanOrEqual(2);
    expect(await olga.ok('GET', '/look-up?id=nothing')).toMatchObject({ unreachable: ['traders'] });
    expect(await getHealth('rbac')).toBe('UP');
    await system().startService('traders');
    await eventually(async () => (await getHealth('traders')) === 'UP', 'traders to be up again');
  });
});

test('every operation of the contract has succeeded in this file, with checked answers', () => {
  const streamed = 'GET /activity/stream';
  expect([...console.succeeded, streamed].toSorted()).toEqual(consoleOperations.toSorted());
});
