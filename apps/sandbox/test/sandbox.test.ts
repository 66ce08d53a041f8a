import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Role } from '@saleschannel/auth';
import { requestRefused, unavailable } from '@saleschannel/errors';
import type { GrpcServer, SentTo, ServiceClient } from '@saleschannel/grpc';
import { sandboxKinds } from '@saleschannel/sdk';
import {
  asUser,
  callAs,
  eventually,
  failureOf,
  madeOnce,
  neighbour,
  repeatCall,
  startNeighbours,
  startTestService,
} from '@saleschannel/testing';
import { service } from '../src/app.ts';

/** What the sandbox asks others for, and what it makes of their answers. The whole system drives it in lab/e2e. */

interface Answer {
  status: number;
  body: object;
}

const accepted = { id: 'p1', status: 'ACCEPTED', onboardedTraderId: 't1' };
const isOf = (request: IncomingMessage, path: string): boolean => request.url === `/Registry/api/${path}`;

/** Keys that the registry API takes. */
const goodKeys = new Set<string>();
/** What the registry API answers, where a test says so. */
let answer: (request: IncomingMessage) => Answer | undefined;
/** Whether it breaks off in the middle of its answer. */
let cut = false;
let issued = 0;
/** How often a key was asked for, and what its maker waits for. */
let asking = 0;
let gate: Promise<void> | undefined;
let accepts = 0;
let taskStatus: string;
/** What was asked of webhooks, rbac and registry-import, in its order. */
let asked: unknown[];
/** With which idempotency keys webhooks and rbac were called. */
let keysPassedOn: unknown[];
/** What webhooks refuses with. */
let webhooksFault: Error | undefined;
let rbacFault: Error | undefined;
let api: Server;
let neighbours: GrpcServer;
let sandbox: Awaited<ReturnType<typeof startTestService>>;
let gateway: ServiceClient<'sandbox'>;

const usual = (request: IncomingMessage): Answer => {
  if (isOf(request, 'account-holders')) return { status: 201, body: { accountHolderId: 'h1' } };
  if (isOf(request, 'trader-onboarding-proposals')) return { status: 201, body: accepted };
  return { status: 200, body: {} };
};

const variables = (): Record<string, string> => ({
  SANDBOX: 'true',
  SANDBOX_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
  ...Object.fromEntries(
    ['IDENTITY', 'RBAC', 'TRADERS', 'TASKS', 'REGISTRY_IMPORT', 'WEBHOOKS'].map((name) => [
      `${name}_ADDRESS`,
      neighbours.address,
    ]),
  ),
});

beforeAll(async () => {
  api = createServer((request, response) => {
    request.resume();
    const [, encoded = 'none'] = (request.headers.authorization ?? 'none').split(' ');
    const isGood = goodKeys.has(Buffer.from(encoded, 'base64').toString());
    const { status, body } = isGood ? (answer(request) ?? usual(request)) : { status: 401, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...(cut && { 'content-length': 1_000 }) });
    if (cut) response.write('{', () => response.destroy());
    else response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const task = () => ({ id: 'k1', status: taskStatus, message: 'so it is', transactionId: 'x1' });
  neighbours = await startNeighbours(
    neighbour('userDirectory', ['sandbox'], {
      async IssueRegistryKey() {
        asking += 1;
        await gate;
        issued += 1;
        goodKeys.add(`k${issued}:secret`);
        const key = { id: `k${issued}`, createdOn: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-03T00:00:00.000Z' };
        return { key, secret: 'secret' };
      },
    }),
    neighbour('accountHolderDirectory', ['sandbox'], {
      EnsureAccountHolder: () => Promise.resolve({ accountHolderId: 'h0', kind: 'HOLDER' }),
    }),
    neighbour('accountHolderAdministration', ['sandbox'], {
      SetKind: () => Promise.resolve({}),
      SuspendAccountHolder: ({ accountHolderId }) => {
        asked.push({ suspended: accountHolderId });
        return Promise.resolve({});
      },
    }),
    neighbour('endpointSandbox', ['sandbox'], {
      BreakEndpoints: ({ endpointId, fault, seconds }, { idempotencyKey }) => {
        keysPassedOn.push(idempotencyKey);
        asked.push({ endpointId, fault, seconds });
        if (webhooksFault) return Promise.reject(webhooksFault);
        return Promise.resolve({ endpointIds: ['e1'], until: '2026-01-01T00:00:00.000Z' });
      },
      LeaveEndpoints: ({ dryRun }) => {
        asked.push({ dryRun });
        return webhooksFault ? Promise.reject(webhooksFault) : Promise.resolve({ endpoints: 1 });
      },
    }),
    neighbour('rbac', ['sandbox'], {
      ReplaceSalesChannel: (_request, { idempotencyKey }) => {
        asked.push('replace');
        keysPassedOn.push(idempotencyKey);
        if (rbacFault) return Promise.reject(rbacFault);
        return Promise.resolve({ salesChannelId: 'c2', previousSalesChannelId: 'c1' });
      },
    }),
    neighbour('traders', ['sandbox'], {
      AcceptProposal() {
        accepts += 1;
        return Promise.resolve({ id: 'p1', status: 'ACCEPTED', onboardedTraderId: 't1' });
      },
    }),
    neighbour('tasks', ['sandbox'], {
      StartTransfers: ({ transfers }) => Promise.resolve({ results: transfers.map(() => ({ task: task() })) }),
      GetTask: () => Promise.resolve(task()),
    }),
  );
  sandbox = await startTestService(service, { databaseUrl: 'postgresql://unused', variables: variables() });
  gateway = await callAs('gateway', 'sandbox', sandbox.address);
});
afterAll(async () => {
  gateway.close();
  await sandbox.stop();
  await neighbours.stop();
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});
beforeEach(() => {
  answer = () => undefined;
  taskStatus = 'SUCCESS';
  accepts = 0;
  asked = [];
  keysPassedOn = [];
  webhooksFault = undefined;
  rbacFault = undefined;
});

const triggerWith = async (request: SentTo<'sandbox.Trigger'>) =>
  gateway.Trigger(request, await asUser('c1', ['TRANSACTION_ADMINISTRATOR']));

const trigger = async (kind: string, roles: readonly Role[] = ['TRANSACTION_ADMINISTRATOR'], timeoutMs = 20_000) =>
  gateway.Trigger({ kind }, { ...(await asUser('c1', roles)), timeoutMs });

test('one key serves many requests at once, and one that is refused is made anew', async () => {
  const before = issued;
  await Promise.all(Array.from({ length: 10 }, () => trigger('proposal-submitted')));
  expect(issued).toBe(Math.max(before, 1));
  const known = issued;
  goodKeys.clear();
  expect(await trigger('trade-succeeded')).toMatchObject({ taskId: 'k1', transactionId: 'x1' });
  expect(issued).toBeGreaterThan(known);
});

test('who is gone before the key is there takes it from nobody else', async () => {
  await trigger('proposal-submitted');
  goodKeys.clear();
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gate = promise;
  const before = asking;
  const hasty = failureOf(trigger('proposal-submitted', undefined, 2_000));
  await eventually(() => Promise.resolve(asking > before));
  const patient = trigger('proposal-submitted');
  expect(await hasty).toMatchObject({ code: 'unavailable' });
  gate = undefined;
  open();
  expect(await patient).toMatchObject({ proposalId: 'p1' });
});

test('who may not accept proposals is refused before anything changes on the channel', async () => {
  answer = (request) =>
    isOf(request, 'trader-onboarding-proposals')
      ? { status: 201, body: { id: 'p1', status: 'PENDING', onboardedTraderId: null } }
      : undefined;
  expect(await failureOf(trigger('trade-succeeded'))).toMatchObject({ code: 'forbidden' });
  expect(accepts).toBe(0);
  const roles: Role[] = ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER'];
  expect(await trigger('trade-succeeded', roles)).toMatchObject({ traderId: 't1' });
  expect(accepts).toBe(2);
});

test.each([
  ['sales-channel-suspended', 'sales-channel-suspended'],
  ['account-holder-suspended', 'request-refused'],
])('a registry that is refused for %s answers %s', async (reason, code) => {
  answer = (request) =>
    isOf(request, 'issuances')
      ? { status: 400, body: { detail: 'It is suspended.', errors: [{ code: reason }] } }
      : undefined;
  expect(await failureOf(trigger('trade-succeeded'))).toMatchObject({ code });
});

test.each([429, 503])('a registry API that answers %d is unavailable', async (status) => {
  answer = () => ({ status, body: {} });
  expect(await failureOf(trigger('proposal-submitted'))).toMatchObject({ code: 'unavailable' });
});

test('a task that does not end in time is told as unavailable, before the caller gives up', async () => {
  taskStatus = 'PENDING';
  const failure = await failureOf(trigger('trade-succeeded', undefined, 2_000));
  expect(failure).toMatchObject({ code: 'unavailable' });
});

test('a task that ends otherwise than promised is a failure of ours', async () => {
  taskStatus = 'REJECTED';
  expect(await failureOf(trigger('trade-succeeded'))).toMatchObject({ code: 'internal' });
  expect(await failureOf(trigger('task-failed'))).toMatchObject({ code: 'internal' });
});

test('webhook endpoints are broken for a minute, all of the channel, unless somebody says otherwise', async () => {
  const until = '2026-01-01T00:00:00.000Z';
  expect(await trigger('webhook-down')).toMatchObject({ webhookEndpointIds: ['e1'], until });
  expect(await triggerWith({ kind: 'webhook-late', webhookEndpointId: 'e1', seconds: 10 })).toMatchObject({ until });
  expect(asked).toEqual([
    { endpointId: undefined, fault: 'DOWN', seconds: 60 },
    { endpointId: 'e1', fault: 'LATE', seconds: 10 },
  ]);
});

test('other kinds know nothing of webhook endpoints', async () => {
  const failure = await failureOf(triggerWith({ kind: 'trade-succeeded', webhookEndpointId: 'e1', seconds: 60 }));
  expect(failure).toMatchObject({
    code: 'invalid-request',
    violations: [
      { pointer: '#/webhookEndpointId', code: 'not-allowed' },
      { pointer: '#/seconds', code: 'not-allowed' },
    ],
  });
  expect(issued + accepts + asked.length).toBe(issued);
});

test('an account holder is suspended when it has trader and certificates, for who may accept that', async () => {
  expect(await failureOf(trigger('holder-suspended'))).toMatchObject({ code: 'forbidden' });
  const roles: Role[] = ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER'];
  expect(await trigger('holder-suspended', roles)).toMatchObject({ traderId: 't1' });
  expect(asked).toEqual([{ suspended: 'h1' }]);
});

const reset = async () => gateway.Reset({}, await asUser('c1', ['ROLE_ADMINISTRATOR']));

test('a reset takes the webhook endpoints of the old channel away when the new one is there', async () => {
  expect(await reset()).toEqual({ salesChannelId: 'c2', previousSalesChannelId: 'c1' });
  expect(asked).toEqual([{ dryRun: true }, 'replace', { dryRun: false }]);
});

test('a reset that is refused, or that webhooks cannot follow, takes nothing away', async () => {
  rbacFault = requestRefused('too many users');
  expect(await failureOf(reset())).toMatchObject({ code: 'request-refused' });
  expect(asked).toEqual([{ dryRun: true }, 'replace']);
  rbacFault = undefined;
  webhooksFault = unavailable(new Error('away'));
  expect(await failureOf(reset())).toMatchObject({ code: 'unavailable' });
  expect(asked.filter((each) => each === 'replace')).toHaveLength(1);
});

test.each(['IDENTITY', 'REGISTRY_IMPORT', 'TRADERS', 'TASKS', 'RBAC', 'WEBHOOKS'])(
  'while %s is away, what takes it is unavailable',
  async (away) => {
    const without = await startTestService(service, {
      databaseUrl: 'postgresql://unused',
      variables: { ...variables(), [`${away}_ADDRESS`]: '127.0.0.1:1' },
    });
    const caller = await callAs('gateway', 'sandbox', without.address);
    const roles: Role[] = ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER', 'ROLE_ADMINISTRATOR'];
    const options = { ...(await asUser('c1', roles)), timeoutMs: 3_000 };
    answer = (request) =>
      isOf(request, 'trader-onboarding-proposals')
        ? { status: 201, body: { id: 'p1', status: 'PENDING', onboardedTraderId: null } }
        : undefined;
    try {
      const taken =
        away === 'RBAC' || away === 'WEBHOOKS'
          ? caller.Reset({}, options)
          : caller.Trigger({ kind: 'trade-succeeded' }, options);
      expect(await failureOf(taken)).toMatchObject({ code: 'unavailable' });
      expect(asked).toEqual(away === 'RBAC' ? [{ dryRun: true }] : []);
    } finally {
      caller.close();
      await without.stop();
    }
  },
);

test('an answer of the registry API that is cut is unavailable', async () => {
  cut = true;
  try {
    expect(await failureOf(trigger('proposal-submitted'))).toMatchObject({ code: 'unavailable' });
  } finally {
    cut = false;
  }
});

test('the guide has each kind that the contract has, and no other', () => {
  const guide = readFileSync(new URL('../../../docs/integrate/sandbox.md', import.meta.url), 'utf8');
  const [, table = 'none'] = guide.split('## Trigger a case');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const kinds = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? 'none').matchAll(/`([^`]+)`/g)].map(([, kind]) => kind),
  );
  expect(kinds.filter((kind) => kind !== 'kind').toSorted()).toEqual([...sandboxKinds].toSorted());
});

test('it does not start where the installation is no sandbox', async () => {
  const start = startTestService(service, {
    databaseUrl: 'postgresql://unused',
    variables: { ...variables(), SANDBOX: 'false' },
  });
  expect((await failureOf(start)).message).toContain('SANDBOX is not true');
});

test('only the gateway calls it, in the name of a user with the role', async () => {
  const other = await callAs('tasks', 'sandbox', sandbox.address);
  const options = await asUser('c1', ['TRANSACTION_ADMINISTRATOR', 'ROLE_ADMINISTRATOR']);
  expect(await failureOf(other.Trigger({ kind: 'trade-succeeded' }, options))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(other.Reset({}, options))).toMatchObject({ code: 'forbidden' });
  other.close();
  expect(await failureOf(trigger('trade-succeeded', ['EVENT_VIEWER']))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(gateway.Reset({}, await asUser('c1', ['EVENT_VIEWER'])))).toMatchObject({ code: 'forbidden' });
});

test('a trigger happens once per key, and the calls that it takes carry no key', async () => {
  const as = await asUser('c1', ['TRANSACTION_ADMINISTRATOR']);
  const repeats = await repeatCall(as, (options, isOther) =>
    gateway.Trigger({ kind: 'webhook-down', seconds: isOther ? 20 : 10 }, options),
  );
  expect(repeats).toEqual(madeOnce(repeats.answers[0]));
  expect(asked).toEqual([{ endpointId: undefined, fault: 'DOWN', seconds: 10 }]);
  expect(keysPassedOn).toEqual([undefined]);
});

test('a refused trigger uses no key', async () => {
  const options = { ...(await asUser('c1', ['TRANSACTION_ADMINISTRATOR'])), idempotencyKey: 'refused-1' };
  webhooksFault = requestRefused('No webhook endpoint is enabled.');
  expect(await failureOf(gateway.Trigger({ kind: 'webhook-down' }, options))).toMatchObject({
    code: 'request-refused',
  });
  webhooksFault = undefined;
  expect(await gateway.Trigger({ kind: 'webhook-late' }, options)).toMatchObject({ webhookEndpointIds: ['e1'] });
});

test('the key of a reset goes on to rbac, and a repeat leaves the endpoints of the new channel', async () => {
  const reset = async (salesChannelId: string) =>
    gateway.Reset({}, { ...(await asUser(salesChannelId, ['ROLE_ADMINISTRATOR'])), idempotencyKey: 'reset-1' });
  const first = await reset('c1');
  expect(asked).toEqual([{ dryRun: true }, 'replace', { dryRun: false }]);
  asked = [];
  expect(await reset('c2')).toEqual(first);
  expect(asked).toEqual([{ dryRun: true }, 'replace']);
  expect(keysPassedOn).toEqual(['reset-1', 'reset-1']);
});
