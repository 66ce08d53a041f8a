import { expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import type { Answer, Client, Method } from '../../src/client.ts';
import { operations } from '../../src/contract.ts';
import { useSystem } from '../support/system.ts';
import {
  buyer,
  inventoryPath,
  issue,
  withIdempotencyKey,
  onboard,
  operator,
  retirementBody,
  seller,
  v1,
  createDelivery,
  type Asset,
  type Task,
} from '../support/api.ts';

/** Another channel's object and an unknown object get the same answer. */

const system = useSystem();

const UNKNOWN = 'cm7q1a9tr0003x9f2b6s2j8u';
const REQUEST_ID = 'the-same';

/** Headers that depend on the time and the connection, not on the object. */
const ofTheMoment = ['date', 'ratelimit', 'content-length', 'connection', 'keep-alive'];

const comparable = ({ status, text, headers }: Answer<unknown>, id: string): object => {
  const rest = Object.entries(headers).filter(([name]) => !ofTheMoment.includes(name));
  return { status, headers: Object.fromEntries(rest), text: text.replaceAll(id, 'ID') };
};

test('for every id in a path', async () => {
  const [mine, theirs] = system().channels;
  const client = system().createClient(operator(mine));
  const them = system().createClient(operator(theirs));
  const [first, second, third] = [
    await issue(system(), theirs),
    await issue(system(), theirs),
    await issue(system(), theirs),
  ];
  const start = async (kind: 'trade' | 'retire' | 'offramp', body: unknown): Promise<string> =>
    (await them.ok<Task>('POST', inventoryPath(seller(theirs).id, kind), { body, headers: withIdempotencyKey() }))
      .taskId;
  const tasks = {
    trade: await start('trade', {
      buyerId: buyer(theirs).id,
      currency: 'EUR',
      assets: [{ ...first.range(1, 1), unitPrice: 1 }],
    }),
    retire: await start('retire', retirementBody([second.range(1, 1)])),
    offramp: await start('offramp', { assets: [third.range(1, 1)] }),
  };
  await system().waitUntilDrained();
  const [transaction] = await them.ok<{ id: string }[]>('GET', `${v1}/transactions`);
  const [proposal] = await them.ok<{ id: string }[]>('GET', `${v1}/trader-onboarding-proposals`);
  const ours = await onboard(system(), mine);
  const own = await issue(system(), ours);
  const trade = { buyerId: buyer(mine).id, currency: 'EUR', assets: [{ ...own.range(1, 1), unitPrice: 1 }] };
  const user = operator(theirs);

  const invitation = await them.ok<{ id: string }>('POST', '/user-services/invitations', {
    body: { roles: ['EVENT_VIEWER'] },
  });
  const { webhookEndpointId, deliveryId } = await createDelivery(them);
  const { webhookEndpointId: ownHook } = await createDelivery(client);
  const hooks = `${v1}/webhook-endpoints`;
  const cases: [string, Method, (id: string) => string, string, unknown?][] = [
    ['deleteApiKey', 'DELETE', (id) => `/authentication/api-keys/${id}`, user.apiKey.id],
    ['nameKey', 'PATCH', (id) => `/account-portal/keys/${id}`, user.apiKey.id, { name: 'Mine' }],
    ['revokeInvitation', 'DELETE', (id) => `/user-services/invitations/${id}`, invitation.id],
    ['getUserBinding', 'GET', (id) => `/user-services/users/${id}/saleschannel-binding`, user.userId],
    ['bindUser', 'POST', (id) => `/user-services/users/${id}/saleschannel-binding/${mine.salesChannelId}`, user.userId],
    [
      'bindUser',
      'POST',
      (id) => `/user-services/users/${operator(mine).userId}/saleschannel-binding/${id}`,
      theirs.salesChannelId,
    ],
    [
      'unbindUser',
      'DELETE',
      (id) => `/user-services/users/${id}/saleschannel-binding/${mine.salesChannelId}`,
      user.userId,
    ],
    [
      'unbindUser',
      'DELETE',
      (id) => `/user-services/users/${operator(mine).userId}/saleschannel-binding/${id}`,
      theirs.salesChannelId,
    ],
    [
      'grantRole',
      'POST',
      (id) => `/user-services/users/${id}/saleschannel-binding/${mine.salesChannelId}/roles?role=EVENT_VIEWER`,
      user.userId,
    ],
    [
      'grantRole',
      'POST',
      (id) => `/user-services/users/${operator(mine).userId}/saleschannel-binding/${id}/roles?role=EVENT_VIEWER`,
      theirs.salesChannelId,
    ],
    [
      'removeRole',
      'DELETE',
      (id) => `/user-services/users/${id}/saleschannel-binding/${mine.salesChannelId}/roles?role=EVENT_VIEWER`,
      user.userId,
    ],
    [
      'removeRole',
      'DELETE',
      (id) => `/user-services/users/${operator(mine).userId}/saleschannel-binding/${id}/roles?role=EVENT_VIEWER`,
      theirs.salesChannelId,
    ],
    ['acceptProposal', 'POST', (id) => `${v1}/trader-onboarding-proposals/${id}/accept`, proposal?.id ?? ''],
    ['rejectProposal', 'POST', (id) => `${v1}/trader-onboarding-proposals/${id}/reject`, proposal?.id ?? ''],
    ['getTrader', 'GET', (id) => `${v1}/traders/${id}`, seller(theirs).id],
    ['updateTrader', 'PATCH', (id) => `${v1}/traders/${id}`, seller(theirs).id, { name: 'Mine' }],
    ['listInventory', 'GET', (id) => `${v1}/traders/${id}/inventory`, seller(theirs).id],
    ['summarizeInventory', 'GET', (id) => `${v1}/traders/${id}/inventory/summary`, seller(theirs).id],
    [
      'planTransfer',
      'POST',
      (id) => `${v1}/traders/${id}/inventory/plan`,
      seller(theirs).id,
      { type: 'TRADE', volume: 1, order: 'OLDEST' },
    ],
    [
      'updateStatement',
      'PATCH',
      (id) => `${v1}/transactions/${id}/statement`,
      transaction?.id ?? '',
      { publication: 'PUBLIC' },
    ],
    ['startTrade', 'POST', (id) => inventoryPath(id, 'trade'), seller(theirs).id, trade],
    [
      'startRetirement',
      'POST',
      (id) => inventoryPath(id, 'retire'),
      seller(theirs).id,
      retirementBody([own.range(1, 1)]),
    ],
    ['startOfframp', 'POST', (id) => inventoryPath(id, 'offramp'), seller(theirs).id, { assets: [own.range(1, 1)] }],
    ['getTradeTask', 'GET', (id) => `${inventoryPath(seller(mine).id, 'trade')}/${id}`, tasks.trade],
    ['getTradeTask', 'GET', (id) => `${inventoryPath(id, 'trade')}/${tasks.trade}`, seller(theirs).id],
    ['getRetirementTask', 'GET', (id) => `${inventoryPath(seller(mine).id, 'retire')}/${id}`, tasks.retire],
    ['getRetirementTask', 'GET', (id) => `${inventoryPath(id, 'retire')}/${tasks.retire}`, seller(theirs).id],
    ['getOfframpTask', 'GET', (id) => `${inventoryPath(seller(mine).id, 'offramp')}/${id}`, tasks.offramp],
    ['getOfframpTask', 'GET', (id) => `${inventoryPath(id, 'offramp')}/${tasks.offramp}`, seller(theirs).id],
    ['getTransaction', 'GET', (id) => `${v1}/transactions/${id}`, transaction?.id ?? ''],
    ['getHolderTransaction', 'GET', (id) => `/account-portal/transactions/${id}`, transaction?.id ?? ''],
    ['approveHolderTransaction', 'POST', (id) => `/account-portal/transactions/${id}/approve`, transaction?.id ?? ''],
    ['rejectHolderTransaction', 'POST', (id) => `/account-portal/transactions/${id}/reject`, transaction?.id ?? ''],
    ['getTransactionDetail', 'GET', (id) => `${v1}/transactions/${id}/detail`, transaction?.id ?? ''],
    ['getWebhookEndpoint', 'GET', (id) => `${hooks}/${id}`, webhookEndpointId],
    ['updateWebhookEndpoint', 'PATCH', (id) => `${hooks}/${id}`, webhookEndpointId, { status: 'DISABLED' }],
    ['deleteWebhookEndpoint', 'DELETE', (id) => `${hooks}/${id}`, webhookEndpointId],
    ['rotateWebhookSecret', 'POST', (id) => `${hooks}/${id}/secret`, webhookEndpointId, { overlapHours: 0 }],
    ['testWebhookEndpoint', 'POST', (id) => `${hooks}/${id}/test`, webhookEndpointId],
    [
      'replayWebhookEvents',
      'POST',
      (id) => `${hooks}/${id}/replay`,
      webhookEndpointId,
      { from: '2020-01-01T00:00:00Z' },
    ],
    ['listWebhookDeliveries', 'GET', (id) => `${hooks}/${id}/deliveries`, webhookEndpointId],
    ['getWebhookDelivery', 'GET', (id) => `${hooks}/${id}/deliveries/${deliveryId}`, webhookEndpointId],
    ['getWebhookDelivery', 'GET', (id) => `${hooks}/${ownHook}/deliveries/${id}`, deliveryId],
    ['retryWebhookDelivery', 'POST', (id) => `${hooks}/${id}/deliveries/${deliveryId}/retry`, webhookEndpointId],
    ['retryWebhookDelivery', 'POST', (id) => `${hooks}/${ownHook}/deliveries/${id}/retry`, deliveryId],
  ];
  const unlike: unknown[] = [];
  for (const [id, method, path, foreign, body] of cases) {
    const ask = async (asked: string) => {
      const options = {
        headers: { ...(body === undefined ? {} : withIdempotencyKey()), 'x-request-id': REQUEST_ID },
        ...(body === undefined ? {} : { body }),
      };
      return comparable(await client.send(method, path(asked), options), asked);
    };
    const answers = { foreign: await ask(foreign), unknown: await ask(UNKNOWN) };
    if (
      JSON.stringify(answers.foreign) !== JSON.stringify(answers.unknown) ||
      (answers.unknown as { status: number }).status !== 404
    )
      unlike.push({ id, ...answers });
  }
  expect(unlike).toEqual([]);
  // Excluded operations: facilities and suppliers belong to no channel, registry keys to an account holder, and
  // sessions to a person (identity/test/own-sessions.test.ts).
  const withIds = operations
    .filter(({ principal, path }) => principal === 'user' && path.includes('{'))
    .map(({ id }) => id);
  const ofNoChannel = ['getProductionFacility', 'getSupplier', 'deleteRegistryKey', 'endOwnSession'];
  const covered = new Set([...cases.map(([id]) => id), ...ofNoChannel]);
  expect(withIds.filter((id) => !covered.has(id))).toEqual([]);
  expect(await listOwnIds(client)).toEqual(expect.not.arrayContaining(await listOwnIds(them)));
});

test('a registry key belongs to its account holder only', async () => {
  const [mine, theirs] = system().channels;
  await system().administration.setKind(theirs.accountHolderId, 'REGISTRY');
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const them = system().createClient(operator(theirs));
  const { id } = await eventually(async () => {
    const created = await them.send<{ id: string }>('POST', '/account-portal/registry-keys', { body: { expiresAt } });
    return created.status === 201 && created.body;
  }, 'the right to registry keys');
  const client = system().createClient(operator(mine));
  const ask = async (asked: string) =>
    comparable(
      await client.send('DELETE', `/account-portal/registry-keys/${asked}`, {
        headers: { 'x-request-id': REQUEST_ID },
      }),
      asked,
    );
  expect(await ask(id)).toEqual(await ask(UNKNOWN));
});

/** Ids of all objects that a channel can list. */
async function listOwnIds(client: Client): Promise<string[]> {
  const lists = ['traders', 'trader-onboarding-proposals', 'transactions', 'events?$limit=1000'];
  const found = await Promise.all(lists.map((list) => client.ok<{ id: string }[]>('GET', `${v1}/${list}`)));
  const traders = found[0]?.map(({ id }) => id) ?? [];
  const assets = await Promise.all(traders.map((id) => client.ok<Asset[]>('GET', `${v1}/traders/${id}/inventory`)));
  return [...found.flat().map(({ id }) => id), ...assets.flat().map(({ start }) => start)];
}
