import { randomBytes, randomUUID } from 'node:crypto';
import type { DemoChannel, DemoTrader, DemoUser } from '@saleschannel/local';
import { eventually } from '@saleschannel/testing';
import type { Client, SendOptions } from '../../src/client.ts';
import type { System } from '../../src/system.ts';

const AT_ONCE = 16;

/** Runs work on items with limited concurrency. Resolves with the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = AT_ONCE,
): Promise<R[]> {
  const queue = items.entries();
  const done: R[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of queue) done[index] = await work(item);
    }),
  );
  return done;
}

/** Shared by journeys: types of answers, and shortcuts through the public API. */

export const v1 = '/saleschannel-services/v1';

export interface Task {
  taskId: string;
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'REJECTED';
  idempotencyKey: string;
  message: string;
  responsePayload: { id?: string };
}

export interface Asset {
  volume: number;
  issuanceId: string;
  certificates: string;
  start: string;
  end: string;
  productionFacilityId: string;
  supplierId: string;
}

export interface Transaction {
  id: string;
  type: string;
  sellerId: string;
  buyerId: string | null;
  status: string;
  createdAt: string;
  completedAt: string | null;
  assets: { start: string; end: string; unitPrice: number | null; volume: number }[];
  currency: string | null;
}

export interface LogEvent {
  id: string;
  eventType: string;
  createdAt: string;
  eventAt: string;
  payload: { transactionId: string; status: string };
}

export interface Page<T> {
  pagination: { total: number; offset: number; limit: number };
  data: T[];
}

export const newKey = (): string => `key-${randomBytes(9).toString('base64url')}`;
export const withIdempotencyKey = (key = newKey()): Record<string, string> => ({ 'idempotency-key': key });

export const operator = (channel: DemoChannel): DemoUser => channel.users[0];
/** The trader of the onboarded account holder, for which issuances are listed. */
export const seller = (channel: DemoChannel): DemoTrader => channel.traders[0] as DemoTrader;
export const buyer = (channel: DemoChannel): DemoTrader => channel.traders[1] as DemoTrader;

export interface Issue {
  readonly issuanceId: string;
  /** Certificate with this serial. */
  at(serial: number | string): string;
  /** Selection of the certificates between two serials, inclusive. */
  range(first: number | string, last: number | string): { start: string; end: string };
}

export const issuanceBody = (
  channel: Pick<DemoChannel, 'accountHolderId' | 'salesChannelId'>,
  fields: Record<string, unknown> = {},
) => ({
  issuanceId: randomUUID(),
  productionFacilityCode: 'NBC001',
  standard: 'PURO',
  registry: 'PR',
  creditType: 'CORC100+',
  methodologyCode: 'C03000000',
  vintage: 2025,
  productionStartDate: '2025-01-01T00:00:00.000Z',
  productionEndDate: '2025-06-30T23:59:59.000Z',
  issuingDate: '2025-09-15T08:00:00.000Z',
  firstSerial: '1',
  lastSerial: '100',
  accountHolderId: channel.accountHolderId,
  salesChannelId: channel.salesChannelId as string | null,
  ...fields,
});

/** Issues a private bundle for a test, listed for the channel's onboarded trader. */
export async function issue(
  system: System,
  channel: Pick<DemoChannel, 'accountHolderId' | 'salesChannelId'>,
  fields: Record<string, unknown> = {},
): Promise<Issue> {
  const body = issuanceBody(channel, fields);
  await system.registry.ok('POST', '/Registry/api/issuances', { body });
  const at = (serial: number | string): string => `${body.issuanceId}_${serial}`;
  return { issuanceId: body.issuanceId, at, range: (first, last) => ({ start: at(first), end: at(last) }) };
}

/** Bundles of an issuance that the trader can sell, by serial. */
export async function listBundles(
  client: Client,
  traderId: string,
  issuanceId: string,
): Promise<{ start: string; end: string; volume: number }[]> {
  const assets = await client.ok<Asset[]>('GET', `${v1}/traders/${traderId}/inventory`);
  return assets
    .filter((asset) => asset.issuanceId === issuanceId)
    .map(({ start, end, volume }) => ({ start, end, volume }));
}

export type TransferKind = 'trade' | 'retire' | 'offramp';

export const inventoryPath = (traderId: string, kind: TransferKind): string =>
  `${v1}/traders/${traderId}/inventory/${kind}`;

/** Starts a transfer and waits for the end of its task. */
export async function runTransfer(
  client: Client,
  traderId: string,
  kind: TransferKind,
  body: unknown,
  options: SendOptions = {},
): Promise<Task> {
  const path = inventoryPath(traderId, kind);
  const { taskId } = await client.ok<Task>('POST', path, { ...options, body, headers: withIdempotencyKey() });
  return waitForEnd(client, `${path}/${taskId}`);
}

/** Reads a task until it has ended. */
export const waitForEnd = (client: Client, path: string): Promise<Task> =>
  eventually(async () => {
    const task = await client.ok<Task>('GET', path);
    return task.status !== 'PENDING' && task;
  }, `the end of ${path}`);

/** Reads a task until its transaction exists. */
export const waitForTransaction = (client: Client, path: string): Promise<string> =>
  eventually(async () => (await client.ok<Task>('GET', path)).responsePayload.id, `the transaction of ${path}`);

/** Waits for the event of a transaction's end. */
export const waitForEvent = (client: Client, transactionId: string): Promise<LogEvent> =>
  eventually(async () => {
    const events = await client.ok<LogEvent[]>('GET', `${v1}/events`, {
      query: { $orderBy: '{"createdAt":"desc"}', $limit: '1000' },
    });
    return events.find((event) => event.payload.transactionId === transactionId);
  }, `the event of ${transactionId}`);

export const readTransaction = (client: Client, id: string): Promise<Transaction> =>
  client.ok('GET', `${v1}/transactions/${id}`);

export const retirementBody = (assets: unknown[], currency: string | null = null) => ({
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  consumptionCountryCode: 'NO',
  consumptionPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2024-12-31T23:59:59.000Z' },
  retirementPurpose: 'Residual emissions of 2024',
  assets,
  currency,
});

export const accountHolderBody = (fields: Record<string, unknown> = {}) => ({
  name: 'Basalt Storage ehf',
  businessId: `IS-${randomBytes(6).toString('hex')}`,
  address: { postalCode: '101', city: 'Reykjavík', country: 'Iceland', street1: 'Laugavegur 1' },
  ...fields,
});

interface Proposal {
  id: string;
  onboardedTraderId: string;
}

/** Creates another account holder with a trader in the channel. */
export async function onboard(
  system: System,
  channel: DemoChannel,
  fields: Record<string, unknown> = {},
): Promise<{ accountHolderId: string; salesChannelId: string; traderId: string }> {
  const { accountHolderId } = await system.registry.ok<{ accountHolderId: string }>(
    'POST',
    '/Registry/api/account-holders',
    {
      body: accountHolderBody(fields),
    },
  );
  const { salesChannelId } = channel;
  const { id } = await system.registry.ok<Proposal>('POST', '/Registry/api/trader-onboarding-proposals', {
    body: { accountHolderId, salesChannelId },
  });
  const accepted = await system
    .createClient(operator(channel))
    .ok<Proposal>('POST', `${v1}/trader-onboarding-proposals/${id}/accept`);
  return { accountHolderId, salesChannelId, traderId: accepted.onboardedTraderId };
}

/** Creates a trader of the channel. */
export async function createTrader(client: Client, name = 'Kestrel Offsets'): Promise<string> {
  const body = { name, businessId: `DE-${randomBytes(6).toString('hex')}`, address: { city: 'Hamburg' } };
  return (await client.ok<{ id: string }>('POST', `${v1}/traders`, { body, headers: withIdempotencyKey() })).id;
}

/** Creates a webhook endpoint without a receiver in the client's channel, with a delivery. */
export async function createDelivery(client: Client): Promise<{ webhookEndpointId: string; deliveryId: string }> {
  const path = `${v1}/webhook-endpoints`;
  const { id } = await client.ok<{ id: string }>('POST', path, { body: { url: 'http://127.0.0.1:1/' } });
  const test = await client.ok<{ id: string }>('POST', `${path}/${id}/test`);
  return { webhookEndpointId: id, deliveryId: test.id };
}

interface Import {
  readonly importId: string;
  readonly status: string;
  readonly linesFailed: number;
}

/** Issues many bundles of 100 certificates with one import. @returns first certificate of each */
export async function issueMany(system: System, channel: DemoChannel, count: number): Promise<string[]> {
  const issuanceIds = Array.from({ length: count }, () => randomUUID());
  const lines = issuanceIds.map((issuanceId) =>
    JSON.stringify({ type: 'issuance', ...issuanceBody(channel, { issuanceId }) }),
  );
  const { importId } = await system.registry.ok<Import>('POST', '/Registry/api/imports', {
    body: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const { status, linesFailed } = await eventually(async () => {
    const now = await system.registry.ok<Import>('GET', `/Registry/api/imports/${importId}`);
    return now.status !== 'PENDING' && now.status !== 'RUNNING' && now;
  }, 'the end of the import');
  if (status !== 'COMPLETED' || linesFailed > 0)
    throw new Error(`The import ended as ${status}, ${linesFailed} failed.`);
  return issuanceIds.map((issuanceId) => `${issuanceId}_1`);
}
