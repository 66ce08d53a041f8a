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
  catchFailure,
  createdOnce,
  neighbour,
  repeatCall,
  startNeighbours,
  startTestService,
} from '@saleschannel/testing';
import { service } from '../src/app.ts';

/** The sandbox with fake neighbours. lab/e2e tests it in the whole system. */

interface Answer {
  status: number;
  body: object;
}

const accepted = { id: 'p1', status: 'ACCEPTED', onboardedTraderId: 't1' };
const hasPath = (request: IncomingMessage, path: string): boolean => request.url === `/Registry/api/${path}`;

/** Keys that the registry API accepts. */
const validKeys = new Set<string>();
/** Overrides the answer of the registry API. */
let answer: (request: IncomingMessage) => Answer | undefined;
/** Whether the registry API closes the connection before the end of its answer. */
let cut = false;
let issued = 0;
/** Number of requests for a key, and the gate that delays them. */
let keyRequests = 0;
let gate: Promise<void> | undefined;
let accepts = 0;
let taskStatus: string;
/** Calls of webhooks, rbac and registry-import, in order. */
let calls: unknown[];
/** Idempotency keys of calls to webhooks and rbac. */
let passedKeys: unknown[];
/** Error of webhooks. */
let webhooksFault: Error | undefined;
let rbacFault: Error | undefined;
let api: Server;
let neighbours: GrpcServer;
let sandbox: Awaited<ReturnType<typeof startTestService>>;
let gateway: ServiceClient<'sandbox'>;

const usual = (request: IncomingMessage): Answer => {
  if (hasPath(request, 'account-holders')) return { status: 201, body: { accountHolderId: 'h1' } };
  if (hasPath(request, 'trader-onboarding-proposals')) return { status: 201, body: accepted };
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
    const isValid = validKeys.has(Buffer.from(encoded, 'base64').toString());
    const { status, body } = isValid ? (answer(request) ?? usual(request)) : { status: 401, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...(cut && { 'content-length': 1_000 }) });
    if (cut) response.write('{', () => response.destroy());
    else response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const task = () => ({ id: 'k1', status: taskStatus, message: 'done', transactionId: 'x1' });
  neighbours = await startNeighbours(
    neighbour('userDirectory', ['sandbox'], {
      async IssueRegistryKey() {
        keyRequests += 1;
        await gate;
        issued += 1;
        validKeys.add(`k${issued}:secret`);
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
        calls.push({ suspended: accountHolderId });
        return Promise.resolve({});
      },
    }),
    neighbour('endpointSandbox', ['sandbox'], {
      BreakEndpoints: ({ endpointId, fault, seconds }, { idempotencyKey }) => {
        passedKeys.push(idempotencyKey);
        calls.push({ endpointId, fault, seconds });
        if (webhooksFault) return Promise.reject(webhooksFault);
        return Promise.resolve({ endpointIds: ['e1'], until: '2026-01-01T00:00:00.000Z' });
      },
      LeaveEndpoints: ({ dryRun }) => {
        calls.push({ dryRun });
        return webhooksFault ? Promise.reject(webhooksFault) : Promise.resolve({ endpoints: 1 });
      },
    }),
    neighbour('rbac', ['sandbox'], {
      ReplaceSalesChannel: (_request, { idempotencyKey }) => {
        calls.push('replace');
        passedKeys.push(idempotencyKey);
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
  calls = [];
  passedKeys = [];
  webhooksFault = undefined;
  rbacFault = undefined;
});

const triggerWith = async (request: SentTo<'sandbox.Trigger'>) =>
  gateway.Trigger(request, await asUser('c1', ['TRANSACTION_ADMINISTRATOR']));

const trigger = async (kind: string, roles: readonly Role[] = ['TRANSACTION_ADMINISTRATOR'], timeoutMs = 20_000) =>
  gateway.Trigger({ kind }, { ...(await asUser('c1', roles)), timeoutMs });

test('concurrent requests share a key, and a refused key is replaced', async () => {
  const before = issued;
  await Promise.all(Array.from({ length: 10 }, () => trigger('proposal-submitted')));
  expect(issued).toBe(Math.max(before, 1));
  const known = issued;
  validKeys.clear();
  expect(await trigger('trade-succeeded')).toMatchObject({ taskId: 'k1', transactionId: 'x1' });
  expect(issued).toBeGreaterThan(known);
});

test('a caller that cancels while the key is issued does not fail the others', async () => {
  await trigger('proposal-submitted');
  validKeys.clear();
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gate = promise;
  const before = keyRequests;
  const cancelled = catchFailure(trigger('proposal-submitted', undefined, 2_000));
  await eventually(() => Promise.resolve(keyRequests > before));
  const other = trigger('proposal-submitted');
  expect(await cancelled).toMatchObject({ code: 'unavailable' });
  gate = undefined;
  open();
  expect(await other).toMatchObject({ proposalId: 'p1' });
});

test('a user who may not accept proposals is refused before the channel changes', async () => {
  answer = (request) =>
    hasPath(request, 'trader-onboarding-proposals')
      ? { status: 201, body: { id: 'p1', status: 'PENDING', onboardedTraderId: null } }
      : undefined;
  expect(await catchFailure(trigger('trade-succeeded'))).toMatchObject({ code: 'forbidden' });
  expect(accepts).toBe(0);
  const roles: Role[] = ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER'];
  expect(await trigger('trade-succeeded', roles)).toMatchObject({ traderId: 't1' });
  expect(accepts).toBe(2);
});

test.each([
  ['sales-channel-suspended', 'sales-channel-suspended'],
  ['account-holder-suspended', 'request-refused'],
])('a registry API that refuses with %s leads to %s', async (reason, code) => {
  answer = (request) =>
    hasPath(request, 'issuances')
      ? { status: 400, body: { detail: 'It is suspended.', errors: [{ code: reason }] } }
      : undefined;
  expect(await catchFailure(trigger('trade-succeeded'))).toMatchObject({ code });
});

test.each([429, 503])('a registry API that answers %d is unavailable', async (status) => {
  answer = () => ({ status, body: {} });
  expect(await catchFailure(trigger('proposal-submitted'))).toMatchObject({ code: 'unavailable' });
});

test('a task that does not end in time is unavailable, before the deadline of the caller', async () => {
  taskStatus = 'PENDING';
  const failure = await catchFailure(trigger('trade-succeeded', undefined, 2_000));
  expect(failure).toMatchObject({ code: 'unavailable' });
});

test('a task that ends with another status than the kind promises is an internal error', async () => {
  taskStatus = 'REJECTED';
  expect(await catchFailure(trigger('trade-succeeded'))).toMatchObject({ code: 'internal' });
  expect(await catchFailure(trigger('task-failed'))).toMatchObject({ code: 'internal' });
});

test('webhook faults affect all endpoints of the channel for a minute by default', async () => {
  const until = '2026-01-01T00:00:00.000Z';
  expect(await trigger('webhook-down')).toMatchObject({ webhookEndpointIds: ['e1'], until });
  expect(await triggerWith({ kind: 'webhook-late', webhookEndpointId: 'e1', seconds: 10 })).toMatchObject({ until });
  expect(calls).toEqual([
    { endpointId: undefined, fault: 'DOWN', seconds: 60 },
    { endpointId: 'e1', fault: 'LATE', seconds: 10 },
  ]);
});

test('other kinds refuse the parameters of webhook faults', async () => {
  const failure = await catchFailure(triggerWith({ kind: 'trade-succeeded', webhookEndpointId: 'e1', seconds: 60 }));
  expect(failure).toMatchObject({
    code: 'invalid-request',
    violations: [
      { pointer: '#/webhookEndpointId', code: 'not-allowed' },
      { pointer: '#/seconds', code: 'not-allowed' },
    ],
  });
  expect(issued + accepts + calls.length).toBe(issued);
});

test('holder-suspended requires the role to accept proposals, and suspends the account holder last', async () => {
  expect(await catchFailure(trigger('holder-suspended'))).toMatchObject({ code: 'forbidden' });
  const roles: Role[] = ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER'];
  expect(await trigger('holder-suspended', roles)).toMatchObject({ traderId: 't1' });
  expect(calls).toEqual([{ suspended: 'h1' }]);
});

const reset = async () => gateway.Reset({}, await asUser('c1', ['ROLE_ADMINISTRATOR']));

test('a reset deletes the webhook endpoints of the old channel once the new one exists', async () => {
  expect(await reset()).toEqual({ salesChannelId: 'c2', previousSalesChannelId: 'c1' });
  expect(calls).toEqual([{ dryRun: true }, 'replace', { dryRun: false }]);
});

test('a reset that rbac refuses, or while webhooks is unavailable, deletes nothing', async () => {
  rbacFault = requestRefused('too many users');
  expect(await catchFailure(reset())).toMatchObject({ code: 'request-refused' });
  expect(calls).toEqual([{ dryRun: true }, 'replace']);
  rbacFault = undefined;
  webhooksFault = unavailable(new Error('away'));
  expect(await catchFailure(reset())).toMatchObject({ code: 'unavailable' });
  expect(calls.filter((each) => each === 'replace')).toHaveLength(1);
});

test.each(['IDENTITY', 'REGISTRY_IMPORT', 'TRADERS', 'TASKS', 'RBAC', 'WEBHOOKS'])(
  'while %s cannot be reached, requests that need it are unavailable',
  async (away) => {
    const without = await startTestService(service, {
      databaseUrl: 'postgresql://unused',
      variables: { ...variables(), [`${away}_ADDRESS`]: '127.0.0.1:1' },
    });
    const caller = await callAs('gateway', 'sandbox', without.address);
    const roles: Role[] = ['TRANSACTION_ADMINISTRATOR', 'TRADERONBOARDERPROPOSAL_ACCEPTER', 'ROLE_ADMINISTRATOR'];
    const options = { ...(await asUser('c1', roles)), timeoutMs: 3_000 };
    answer = (request) =>
      hasPath(request, 'trader-onboarding-proposals')
        ? { status: 201, body: { id: 'p1', status: 'PENDING', onboardedTraderId: null } }
        : undefined;
    try {
      const request =
        away === 'RBAC' || away === 'WEBHOOKS'
          ? caller.Reset({}, options)
          : caller.Trigger({ kind: 'trade-succeeded' }, options);
      expect(await catchFailure(request)).toMatchObject({ code: 'unavailable' });
      expect(calls).toEqual(away === 'RBAC' ? [{ dryRun: true }] : []);
    } finally {
      caller.close();
      await without.stop();
    }
  },
);

test('an incomplete answer of the registry API is unavailable', async () => {
  cut = true;
  try {
    expect(await catchFailure(trigger('proposal-submitted'))).toMatchObject({ code: 'unavailable' });
  } finally {
    cut = false;
  }
});

test('the guide describes exactly the kinds of the contract', () => {
  const guide = readFileSync(new URL('../../../docs/integrate/sandbox.md', import.meta.url), 'utf8');
  const [, table = 'none'] = guide.split('## Trigger a case');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const kinds = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? 'none').matchAll(/`([^`]+)`/g)].map(([, kind]) => kind),
  );
  expect(kinds.filter((kind) => kind !== 'kind').toSorted()).toEqual([...sandboxKinds].toSorted());
});

test('the service does not start unless the installation is a sandbox', async () => {
  const start = startTestService(service, {
    databaseUrl: 'postgresql://unused',
    variables: { ...variables(), SANDBOX: 'false' },
  });
  expect((await catchFailure(start)).message).toContain('SANDBOX is not true');
});

test('only the gateway may call it, on behalf of a user with the role', async () => {
  const other = await callAs('tasks', 'sandbox', sandbox.address);
  const options = await asUser('c1', ['TRANSACTION_ADMINISTRATOR', 'ROLE_ADMINISTRATOR']);
  expect(await catchFailure(other.Trigger({ kind: 'trade-succeeded' }, options))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(other.Reset({}, options))).toMatchObject({ code: 'forbidden' });
  other.close();
  expect(await catchFailure(trigger('trade-succeeded', ['EVENT_VIEWER']))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(gateway.Reset({}, await asUser('c1', ['EVENT_VIEWER'])))).toMatchObject({
    code: 'forbidden',
  });
});

test('a trigger happens once per key, and nested calls carry no key', async () => {
  const as = await asUser('c1', ['TRANSACTION_ADMINISTRATOR']);
  const repeats = await repeatCall(as, (options, isOther) =>
    gateway.Trigger({ kind: 'webhook-down', seconds: isOther ? 20 : 10 }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect(calls).toEqual([{ endpointId: undefined, fault: 'DOWN', seconds: 10 }]);
  expect(passedKeys).toEqual([undefined]);
});

test('a refused trigger uses no key', async () => {
  const options = { ...(await asUser('c1', ['TRANSACTION_ADMINISTRATOR'])), idempotencyKey: 'refused-1' };
  webhooksFault = requestRefused('No webhook endpoint is enabled.');
  expect(await catchFailure(gateway.Trigger({ kind: 'webhook-down' }, options))).toMatchObject({
    code: 'request-refused',
  });
  webhooksFault = undefined;
  expect(await gateway.Trigger({ kind: 'webhook-late' }, options)).toMatchObject({ webhookEndpointIds: ['e1'] });
});

test('the key of a reset is passed to rbac, and a retry keeps the endpoints of the new channel', async () => {
  const reset = async (salesChannelId: string) =>
    gateway.Reset({}, { ...(await asUser(salesChannelId, ['ROLE_ADMINISTRATOR'])), idempotencyKey: 'reset-1' });
  const first = await reset('c1');
  expect(calls).toEqual([{ dryRun: true }, 'replace', { dryRun: false }]);
  calls = [];
  expect(await reset('c2')).toEqual(first);
  expect(calls).toEqual([{ dryRun: true }, 'replace']);
  expect(passedKeys).toEqual(['reset-1', 'reset-1']);
});
