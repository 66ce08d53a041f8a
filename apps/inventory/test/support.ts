import { randomUUID } from 'node:crypto';
import { services, type TransferRequested } from '@saleschannel/contracts';
import { createGrpcServer, implement, type GrpcServer, type ServiceClient } from '@saleschannel/grpc';
import { createTokenVerifier } from '@saleschannel/auth';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { asRegistry, asUser, callAs, eventually, identityVariables, startListener, startPublisher, startTestService, testNamespace, type TestListener, type TestPublisher, type TestService } from '@saleschannel/testing';
import { service } from '../src/app.ts';

/** The ledger as its neighbours see it: over gRPC and RabbitMQ. Every trader whose id begins with the channel's belongs to it. */
export interface TestLedger {
  readonly service: TestService;
  readonly publisher: TestPublisher;
  readonly listener: TestListener<'inventory.transaction.status-changed.v1' | 'inventory.transfer.reported.v1'>;
  readonly gateway: ServiceClient<typeof services.inventory>;
  readonly registryGateway: ServiceClient<typeof services.ledger>;
  readonly registryImport: ServiceClient<typeof services.ledger>;
  readonly tasks: ServiceClient<typeof services.selectionChecks>;
  stop(): Promise<void>;
}

/** The traders service, as far as the ledger asks it. */
async function startTraders(): Promise<GrpcServer> {
  const variables = identityVariables('traders');
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tokens: createTokenVerifier(JSON.parse(variables['SERVICE_PUBLIC_KEYS'] ?? '')),
    logger: silentLogger,
    services: [
      implement(services.traderDirectory, {
        GetParties: {
          callers: ['inventory'],
          access: { principal: 'none' },
          handler: async ({ keys }) => ({ parties: keys.filter(({ salesChannelId, traderId }) => traderId.startsWith(salesChannelId)) }),
        },
        FindOnboardedTraders: { callers: [], access: { principal: 'none' }, handler: async () => ({ parties: [] }) },
        SubmitProposal: { callers: [], access: { principal: 'none' }, handler: async () => ({}) },
      }),
    ],
  });
  await server.start();
  return server;
}

export async function startLedger(): Promise<TestLedger> {
  const namespace = testNamespace();
  const traders = await startTraders();
  const running = await startTestService(service, { namespace, variables: { TRADERS_ADDRESS: traders.address } });
  const publisher = await startPublisher(namespace);
  const listener = await startListener(namespace, ['inventory.transaction.status-changed.v1', 'inventory.transfer.reported.v1']);
  const gateway = await callAs('gateway', services.inventory, running.address);
  const registryGateway = await callAs('gateway', services.ledger, running.address);
  const registryImport = await callAs('registry-import', services.ledger, running.address);
  const tasks = await callAs('tasks', services.selectionChecks, running.address);
  return {
    service: running,
    publisher,
    listener,
    gateway,
    registryGateway,
    registryImport,
    tasks,
    async stop() {
      for (const client of [gateway, registryGateway, registryImport, tasks]) client.close();
      await listener.stop();
      await publisher.stop();
      await running.stop();
      await traders.stop();
    },
  };
}

export const FACILITY = 'FAC001';

export async function putFacility(ledger: TestLedger, code = FACILITY): Promise<void> {
  const facility = { code, name: 'Northern Biochar', country: 'NA', methodologyCodes: ['C03000000'], supplier: 'Northern Carbon' };
  await ledger.registryImport.ApplyFacilities({ facilities: [facility] }, await asRegistry());
}

/** An issuance that is listed at once for a trader of the channel; returns its id. */
export async function issue(ledger: TestLedger, salesChannelId: string, traderId: string, firstSerial = '1', lastSerial = '10', expirationDate?: string): Promise<string> {
  const issuanceId = randomUUID();
  const issuance = {
    issuanceId,
    productionFacilityCode: FACILITY,
    standard: 'PURO',
    registry: 'PR',
    creditType: 'CORC_100+',
    creditTypeId: 'CORC_100_PLUS',
    methodologyCode: 'C03000000',
    vintage: 2024,
    productionStartDate: '2024-01-01T00:00:00.000Z',
    productionEndDate: '2024-12-31T00:00:00.000Z',
    issuingDate: '2025-02-01T00:00:00.000Z',
    expirationDate,
    firstSerial,
    lastSerial,
    accountHolderId: `holder-of-${traderId}`,
    salesChannelId,
    traderId,
  };
  const { results } = await ledger.registryImport.ApplyIssuances({ issuances: [issuance] }, await asRegistry());
  if (results[0]?.outcome !== 'CREATED') throw new Error(JSON.stringify(results));
  return issuanceId;
}

export const tradeOf = (salesChannelId: string, sellerId: string, buyerId: string, assets: [start: string, end: string][], fields: Partial<TransferRequested> = {}): TransferRequested => ({
  taskId: newId(),
  salesChannelId,
  type: 'TRADE',
  sellerId,
  sellerAccountHolderId: `holder-of-${sellerId}`,
  buyerId,
  autoApproval: true,
  currency: 'EUR',
  retirement: null,
  assets: assets.map(([start, end]) => ({ start, end, unitPrice: '12.5' })),
  traceparent: '',
  ...fields,
});

/** What the ledger said of a task. */
export const answerTo = (ledger: TestLedger, taskId: string) =>
  eventually(() => Promise.resolve(ledger.listener.heard.find((entry) => entry.event.taskId === taskId)), `an answer to task ${taskId}`);

export interface Listed {
  start: string;
  end: string;
  volume: number;
  certificates: string;
}

export async function listInventory(ledger: TestLedger, salesChannelId: string, traderId: string): Promise<Listed[]> {
  const parts: Buffer[] = [];
  for await (const { data } of ledger.gateway.ListInventory({ traderId }, await asUser(salesChannelId, ['ASSET_VIEWER']))) parts.push(data);
  return JSON.parse(Buffer.concat(parts).toString()) as Listed[];
}
