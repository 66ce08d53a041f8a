import { beforeAll, describe, expect, test } from '@jest/globals';
import { accessRules, roles as allRoles, type AccessRule, type OperationId, type Role } from '@saleschannel/auth';
import type { DemoChannel, DemoUser } from '@saleschannel/local';
import type { Client, Method } from '../src/client.ts';
import { getOperation, operations } from '../src/contract.ts';
import type { System } from '../src/system.ts';
import { useSystem } from './support/system.ts';
import {
  buyer,
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  retirementBody,
  seller,
  v1,
  createDelivery,
  type Task,
} from './support/api.ts';

/** The complete matrix: operations × roles × own, another channel's and unknown objects × token and key. */

interface Actor {
  readonly name: string;
  readonly kind: 'user' | 'registry' | 'nobody';
  readonly roles: readonly Role[];
  readonly isBound: boolean;
  readonly isHolder: boolean;
  readonly client: Client;
}

type Ids = Record<string, string>;

const running = useSystem();
let system: System;
let actors: Actor[];
/** Path parameters of every operation, for objects of the actors' channel and of the other one. */
let own: (id: OperationId) => Ids;
let foreign: (id: OperationId) => Ids;
/** Valid requests. */
let bodies: Partial<Record<OperationId, unknown>>;

beforeAll(async () => {
  system = running();
  const [mine, theirs] = system.channels;
  actors = (await Promise.all([...userActors(mine), registryActors()])).flat();
  const ids = { mine: await createIds(mine), theirs: await createIds(theirs) };
  own = ids.mine;
  foreign = ids.theirs;
  const { at } = await issue(system, mine);
  const asset = { start: at(1), end: at(1) };
  bodies = {
    createTrader: { businessId: 'x', name: 'x', address: {} },
    updateTrader: {},
    startTrade: { buyerId: buyer(mine).id, currency: 'EUR', assets: [{ ...asset, unitPrice: 1 }] },
    startRetirement: retirementBody([asset]),
    startOfframp: { assets: [asset] },
    planTransfer: { type: 'RETIREMENT', assets: [asset] },
    updateStatement: { publication: 'LINK' },
    nameKey: { name: 'x' },
    ensureUser: { issuer: 'https://id.example', subject: 'x' },
    createInvitation: { roles: ['EVENT_VIEWER'] },
    acceptInvitation: { token: 'x' },
    createWebhookEndpoint: { url: 'https://hooks.example/in' },
    updateWebhookEndpoint: { ordered: true },
    rotateWebhookSecret: { overlapHours: 0 },
    replayWebhookEvents: { from: '2020-01-01T00:00:00Z' },
  };
});

function userActors(channel: DemoChannel): Promise<Actor[]>[] {
  const both = async (name: string, user: DemoUser, isBound: boolean, roles: readonly Role[]): Promise<Actor[]> => {
    const base = { kind: 'user' as const, roles, isBound, isHolder: user === operator(channel) };
    return [
      { ...base, name: `${name} by key`, client: system.createClient(user) },
      { ...base, name: `${name} by token`, client: await system.createBearerClient(user) },
    ];
  };
  const createUserActors = (
    name: string,
    roles: readonly Role[],
    bound: DemoChannel | undefined = channel,
  ): Promise<Actor[]> => system.newUser(bound, roles).then((user) => both(name, user, bound !== undefined, roles));
  return [
    ...allRoles.map((role) => createUserActors(role, [role])),
    createUserActors('all roles', allRoles),
    createUserActors('no role', []),
    system.newUser(undefined, []).then((user) => both('unbound', user, false, [])),
    both('user of an account holder', operator(channel), true, allRoles),
  ];
}

const registryActors = (): Promise<Actor[]> =>
  Promise.resolve([
    { name: 'registry key', kind: 'registry', roles: [], isBound: false, isHolder: false, client: system.registry },
    {
      name: 'nobody',
      kind: 'nobody',
      roles: [],
      isBound: false,
      isHolder: false,
      client: system.createClient('nobody'),
    },
  ]);

async function createIds(channel: DemoChannel): Promise<(id: OperationId) => Ids> {
  const client = system.createClient(operator(channel));
  const victim = await system.newUser(channel, []);
  const tasks: Ids = {};
  for (const kind of ['trade', 'retire', 'offramp'] as const) {
    const { range } = await issue(system, channel);
    const body = {
      trade: { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...range(1, 1), unitPrice: 1 }] },
      retire: retirementBody([range(1, 1)]),
      offramp: { assets: [range(1, 1)] },
    }[kind];
    tasks[kind] = (
      await client.ok<Task>('POST', inventoryPath(seller(channel).id, kind), { body, headers: withIdempotencyKey() })
    ).taskId;
  }
  await system.waitUntilDrained();
  const first = async (path: string): Promise<string> =>
    (await client.ok<{ id: string }[]>('GET', `${v1}/${path}`))[0]?.id ?? '';
  const [asset] = await client.ok<{ supplierId: string }[]>('GET', `${v1}/traders/${seller(channel).id}/inventory`);
  const invitation = { roles: ['EVENT_VIEWER'] };
  const hook = await createDelivery(client);
  const ids: Ids = {
    userId: victim.userId,
    salesChannelId: channel.salesChannelId,
    traderId: seller(channel).id,
    apiKeyId: victim.apiKey.id,
    keyId: victim.apiKey.id,
    invitationId: (await client.ok<{ id: string }>('POST', '/user-services/invitations', { body: invitation })).id,
    traderOnboardingProposalId: await first('trader-onboarding-proposals'),
    transactionId: await first('transactions'),
    productionFacilityId: await first('production-facilities'),
    supplierId: asset?.supplierId ?? '',
    registryKeyId: 'cm7q1a9tr0003x9f2b6s2j8u',
    sessionId: 'cm7q1a9tr0003x9f2b6s2j8u',
    accountHolderId: channel.accountHolderId,
    code: 'NBC001',
    certificate: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_1',
    importId: 'cm7q1a9tr0003x9f2b6s2j8u',
    ...hook,
    issuanceId: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913',
  };
  const taskOf: Partial<Record<OperationId, string>> = {
    getTradeTask: 'trade',
    getRetirementTask: 'retire',
    getOfframpTask: 'offramp',
  };
  return (id) => ({ ...ids, taskId: tasks[taskOf[id] ?? 'trade'] ?? '' });
}

const UNKNOWN = 'cm7q1a9tr0003x9f2b6s2j8u';
const unknown = (): Ids => new Proxy({}, { get: () => UNKNOWN }) as Ids;

const toPath = (id: OperationId, ids: Ids): string =>
  getOperation(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));

interface Request {
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

const isRead = (id: OperationId): boolean => getOperation(id).method === 'GET';
/** Required query parameters. */
const required: Partial<Record<OperationId, Record<string, string>>> = {
  grantRole: { role: 'EVENT_VIEWER' },
  removeRole: { role: 'EVENT_VIEWER' },
  summarizeTransactions: { groupBy: 'month' },
  search: { q: 'fjord' },
};

/** A valid request. If it would change data, it has one unknown parameter. */
const harmless = (id: OperationId, ids: Ids): Request => ({
  path: toPath(id, ids),
  ...(bodies[id] === undefined ? {} : { body: bodies[id], headers: withIdempotencyKey() }),
  query: { ...required[id], ...(isRead(id) ? {} : { tpyo: '1' }) },
});

/** A valid request for an object out of reach. */
const wellFormed = (id: OperationId, ids: Ids): Request => {
  const { query: { tpyo: _, ...query } = {}, ...rest } = harmless(id, ids);
  return { ...rest, query };
};

const garbage = (id: OperationId): Request => ({
  path: toPath(id, unknown()),
  query: { tpyo: '1' },
  ...(isRead(id)
    ? {}
    : {
        body: '{"a":',
        headers: { 'content-type': getOperation(id).mediaTypes.length > 0 ? 'text/plain' : 'application/json' },
      }),
});

const ask = async (actor: Actor, id: OperationId, { path, ...options }: Request): Promise<number> =>
  (await actor.client.send(getOperation(id).method as Method, path, options)).status;

type Outcome = 'unauthenticated' | 'forbidden' | 'admitted';

/** Expected outcome according to the matrix, derived independently. */
function expected(rule: AccessRule, actor: Actor): Outcome {
  if (actor.kind !== rule.principal) return 'unauthenticated';
  if (rule.principal !== 'user') return 'admitted';
  if (rule.holder) return actor.isHolder ? 'admitted' : 'forbidden';
  if (rule.roles.length === 0) return 'admitted';
  return actor.isBound && rule.roles.some((role) => actor.roles.includes(role)) ? 'admitted' : 'forbidden';
}

/** A user who may only plan offramps may not plan a retirement, which the service checks. */
const mayPlan = (id: OperationId, { roles }: Actor): boolean =>
  id !== 'planTransfer' || roles.includes('TRANSACTION_ADMINISTRATOR');

const refusals = { unauthenticated: 401, forbidden: 403 } as const;

/** Operations on objects of the whole installation, or of the caller. */
const shared = new Set<OperationId>(['getProductionFacility', 'getSupplier', 'getOwnBinding']);

const ids = Object.keys(accessRules) as OperationId[];
const userOperations = ids.filter((id) => accessRules[id].principal === 'user');

describe.each(userOperations)('%s', (id) => {
  const rule: AccessRule = accessRules[id];
  const hasPathIds = getOperation(id).path.includes('{');

  async function table(request: Request, admitted: (actor: Actor) => number | number[]): Promise<void> {
    const rows = await Promise.all(
      actors.map(async (actor) => {
        const outcome = expected(rule, actor);
        const expectedStatuses = outcome === 'admitted' ? admitted(actor) : refusals[outcome];
        return { actor: actor.name, expectedStatuses, status: await ask(actor, id, request) };
      }),
    );
    expect(rows.filter(({ expectedStatuses, status }) => ![expectedStatuses].flat().includes(status))).toEqual([]);
  }

  test('own objects', async () => {
    const isMissing = id === 'getOwnBinding' ? (actor: Actor) => !actor.isBound : () => false;
    await table(harmless(id, own(id)), (actor) => (isMissing(actor) ? 404 : isRead(id) ? 200 : 400));
  });

  test('unknown objects, in a completely invalid request: the role is checked first', () =>
    table(garbage(id), () => [400, 415]));

  if (hasPathIds && !shared.has(id)) {
    test('objects of another channel', () =>
      table(wellFormed(id, foreign(id)), (actor) => (mayPlan(id, actor) ? 404 : 403)));
    test('unknown objects', () => table(wellFormed(id, unknown()), (actor) => (mayPlan(id, actor) ? 404 : 403)));
  }
});

describe('the registry API', () => {
  const registryOperations = ids.filter((id) => accessRules[id].principal === 'registry');

  test.each(registryOperations)('%s is for registry keys only', async (id) => {
    for (const request of [harmless(id, own(id)), garbage(id)]) {
      const rows = await Promise.all(
        actors.map(async (actor) => ({ actor: actor.name, kind: actor.kind, status: await ask(actor, id, request) })),
      );
      expect(
        rows.filter(({ kind, status }) =>
          kind === 'registry' ? ![200, 400, 404, 415].includes(status) : status !== 401,
        ),
      ).toEqual([]);
    }
  });
});

test('users may always read their own binding, and those of others only with the role', async () => {
  const [mine] = system.channels;
  const user = await system.newUser(mine, ['ASSET_VIEWER']);
  const read = (userId: string) =>
    system.createClient(user).send('GET', `/user-services/users/${userId}/saleschannel-binding`);
  expect(await read(user.userId)).toMatchObject({ status: 200, body: { roles: ['ASSET_VIEWER'] } });
  expect(await read(operator(mine).userId)).toMatchObject({ status: 403 });
});

test('the matrix and the contract have the same operations', () => {
  const inContract = operations.filter(({ principal }) => principal !== 'public').map(({ id }) => id);
  expect(inContract.toSorted()).toEqual(ids.toSorted());
});

test('no request changed data', async () => {
  const [mine, theirs] = system.channels;
  for (const channel of [mine, theirs]) {
    const client = system.createClient(operator(channel));
    expect(await client.ok<unknown[]>('GET', `${v1}/transactions`)).toHaveLength(3);
    expect(await client.ok<unknown[]>('GET', `${v1}/traders`)).toHaveLength(3);
    expect(await client.ok<{ status: string }[]>('GET', `${v1}/trader-onboarding-proposals`)).toMatchObject([
      { status: 'ACCEPTED' },
    ]);
  }
});
