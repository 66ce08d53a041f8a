import { randomUUID } from 'node:crypto';
import { eventually, startPublisher } from '@saleschannel/testing';
import type { Client } from '../../../src/client.ts';
import { addBundles } from '../../../src/store/many-bundles.ts';
import type { System } from '../../../src/system.ts';
import {
  buyer,
  waitForEnd,
  inventoryPath,
  issue,
  withIdempotencyKey,
  onboard,
  operator,
  waitForTransaction,
  retirementBody,
  v1,
  type Task,
} from '../api.ts';
import { startReceiver } from '../followers.ts';
import type { BrowserSystem } from './in-browser.ts';

/** Enough bundles for many pages of a list. Measurements use ten times as many. */
export const LARGE_BUNDLES = 10_000;
/** The same in every run, because lists are sorted by issuance ids. */
const ISSUANCE = '7f3d0c1e-5a2b-4e8d-9c61-0d4be7a92f58';
export const FILL_LIMIT_MS = 120_000;

const traders = new WeakMap<System, Promise<string>>();

async function fill(system: System, bundles: number): Promise<string> {
  const holder = await onboard(system, system.channels[0], { name: 'Fjordkull Karbon AS' });
  const { issuanceId } = await issue(system, holder, { issuanceId: ISSUANCE });
  await addBundles(system.findDatabaseUrl('inventory'), issuanceId, bundles - 1);
  return holder.traderId;
}

/** Creates a trader of the first sales channel with this number of bundles. Stories of a file share it. */
export function ensureLargeInventory(system: System, bundles: number): Promise<string> {
  const known = traders.get(system) ?? fill(system, bundles);
  traders.set(system, known);
  return known;
}

/** Ids of sample data for pages, in addition to the demonstration. */
export interface SampleData {
  readonly traderId: string;
  readonly accountHolderId: string;
  /** A transaction that waits for its seller. */
  readonly waitingId: string;
  readonly retirementId: string;
  /** A public statement without embargo. */
  readonly statementId: string;
  /** A public statement with a beneficiary under embargo. */
  readonly hiddenStatementId: string;
  readonly certificate: string;
  readonly webhookEndpointId: string;
  /** Delivery of a rejected message. */
  readonly webhookDeliveryId: string;
  /** An import with an invalid line. */
  readonly importId: string;
}

/** User of the account holder with the sample data. */
export const HOLDER = 'nora';
/** Queue with a dead letter. */
export const QUEUE = 'events.log';

const EMBARGO_MS = 30 * 86_400_000;

const facilities = [
  ['NBC001', 'C03000000', 'CORC100+', 'FI'],
  ['NAM001', 'C03000000', 'CORC_200', 'NA'],
  ['ICE7W2', 'C04000000', 'CORC1000+', 'IS'],
] as const;

/** Issues different bundles on different days, so that they have a fixed order. */
async function issueSome(system: System, holder: { accountHolderId: string; salesChannelId: string }) {
  const issued: Awaited<ReturnType<typeof issue>>[] = [];
  for (let nth = 0; nth < 24; nth++) {
    const [productionFacilityCode, methodologyCode, creditType] = facilities[nth % 3] ?? facilities[0];
    const vintage = 2021 + (nth % 5);
    const fields = {
      // Lists are sorted by these ids.
      issuanceId: `5b0c7a52-31f4-4c1e-9d0a-${String(nth).padStart(12, '0')}`,
      productionFacilityCode,
      methodologyCode,
      creditType,
      vintage,
      productionStartDate: `${vintage}-01-01T00:00:00.000Z`,
      productionEndDate: `${vintage}-06-30T23:59:59.000Z`,
      issuingDate: `${vintage}-09-${String(nth + 1).padStart(2, '0')}T08:00:00.000Z`,
      lastSerial: String(100 + 37 * nth),
    };
    // The last one is not listed on a sales channel.
    issued.push(await issue(system, holder, nth === 23 ? { ...fields, salesChannelId: null } : fields));
  }
  return issued;
}

async function retire(system: System, traderId: string, body: object) {
  const client = system.createClient(operator(system.channels[0]));
  const path = inventoryPath(traderId, 'retire');
  const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
  const taskPath = `${path}/${taskId}`;
  const transactionId = await waitForTransaction(client, taskPath);
  await system.registry.ok('POST', `/Registry/api/transactions/${transactionId}/approve`);
  await waitForEnd(client, taskPath);
  const detail = await client.ok<{ statement: { id: string } }>('GET', `${v1}/transactions/${transactionId}/detail`);
  return { transactionId, statementId: detail.statement.id };
}

async function sell(system: System, traderId: string, asset: object): Promise<string> {
  const [channel] = system.channels;
  const client = system.createClient(operator(channel));
  const path = inventoryPath(traderId, 'trade');
  const body = { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...asset, unitPrice: 148.5 }] };
  const { taskId } = await client.ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
  return waitForTransaction(client, `${path}/${taskId}`);
}

/** Imports a file with one valid and one invalid line, as an operator. */
async function importWithFault(stage: BrowserSystem): Promise<string> {
  const olga = await stage.console().signIn('olga');
  const address = { postalCode: '00100', city: 'Helsinki', country: 'FI', street1: 'Katu 1' };
  const good = JSON.stringify({ type: 'account-holder', name: 'Biochar Oy', businessId: randomUUID(), address });
  const content = `${good}\n${good.replace('Helsinki', '')}x\n`;
  const { importId } = await olga.ok<{ importId: string }>('POST', '/imports', {
    file: ['application/x-ndjson', content],
  });
  await eventually(
    async () => (await olga.ok<{ status: string }>('GET', `/imports/${importId}`)).status === 'COMPLETED',
    'the end of the import',
  );
  return importId;
}

async function deadLetter(stage: BrowserSystem): Promise<void> {
  const { namespace } = stage.system();
  const publisher = await startPublisher(namespace);
  const type = 'inventory.transaction.status-changed.v1';
  await publisher.publishRaw(`${namespace}.${QUEUE}`, '{"entries": "nonsense"}', type);
  await publisher.stop();
  const olga = await stage.console().signIn('olga');
  await eventually(async () => {
    const { items } = await olga.ok<{ items: object[] }>('GET', `/dead-letters/${QUEUE}`);
    return items.length > 0;
  }, 'the dead letter');
}

/** An endpoint that rejected one message and accepts all others. */
async function webhook(client: Client): Promise<{ webhookEndpointId: string; webhookDeliveryId: string }> {
  const refused = new Set<string>();
  const { url } = await startReceiver(({ type, headers }) => {
    const isFirst = refused.size === 0 || refused.has(String(headers['webhook-id']));
    if (type !== 'TEST' || !isFirst) return undefined;
    refused.add(String(headers['webhook-id']));
    return '{"error":"the signature is not known"}';
  });
  const endpoints = `${v1}/webhook-endpoints`;
  const { id } = await client.ok<{ id: string }>('POST', endpoints, { body: { url, description: 'Order system' } });
  const sent = async (outcome: string): Promise<string> => {
    const delivery = await client.ok<{ id: string }>('POST', `${endpoints}/${id}/test`);
    const path = `${endpoints}/${id}/deliveries/${delivery.id}`;
    await eventually(
      async () => (await client.ok<{ status: string }>('GET', path)).status === outcome,
      `a test message that is ${outcome}`,
    );
    return delivery.id;
  };
  const webhookDeliveryId = await sent('FAILED');
  await sent('SUCCESS');
  return { webhookEndpointId: id, webhookDeliveryId };
}

async function createSampleData(stage: BrowserSystem): Promise<SampleData> {
  const system = stage.system();
  const { administration, demo, channels } = system;
  const [channel] = channels;
  const client = system.createClient(operator(channel));
  const shownWebhook = await webhook(client);
  const fields = { name: 'Nordic Biochar AS', businessId: 'NO-912345678', autoApproval: false };
  const holder = await onboard(system, channel, fields);
  const { traderId, accountHolderId } = holder;
  await administration.setAccountHolder({ issuer: demo.issuer, subject: HOLDER, accountHolderId });
  await administration.issueApiKey({ issuer: demo.issuer, subject: 'anna' });
  const [first, second, third] = await issueSome(system, holder);
  if (!first || !second || !third) throw new Error('Three issuances are required.');
  const retired = await retire(system, traderId, {
    ...retirementBody([first.range(1, 60)]),
    statement: { publication: 'PUBLIC' },
    externalReference: 'PO-4711',
    metadata: { project: 'Bergen-Stavanger', 'cost-centre': '7100' },
  });
  const beneficiaryHiddenUntil = new Date(Date.now() + EMBARGO_MS).toISOString();
  const hidden = await retire(system, traderId, {
    ...retirementBody([second.range(1, 25)]),
    statement: { publication: 'PUBLIC', beneficiaryHiddenUntil },
  });
  const waitingId = await sell(system, traderId, third.range(1, 90));
  const invitation = { email: 'kari@example.test', roles: ['TRADER_VIEWER', 'ASSET_VIEWER'] };
  await client.ok('POST', '/user-services/invitations', { body: invitation });
  await deadLetter(stage);
  return {
    traderId,
    accountHolderId,
    waitingId,
    retirementId: retired.transactionId,
    statementId: retired.statementId,
    hiddenStatementId: hidden.statementId,
    certificate: first.at(1),
    ...shownWebhook,
    importId: await importWithFault(stage),
  };
}

const known = new WeakMap<System, Promise<SampleData>>();

/** Creates sample data of every kind in the first sales channel. Stories share it. */
export function ensureSampleData(stage: BrowserSystem): Promise<SampleData> {
  const system = stage.system();
  const created = known.get(system) ?? createSampleData(stage);
  known.set(system, created);
  return created;
}
