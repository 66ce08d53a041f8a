import { serviceOnly, type Role } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { openDatabase, query } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import {
  createGrpcServer,
  createServiceIdentity,
  identityEnvironment,
  implement,
  type Client,
  type GrpcServer,
} from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import {
  asRegistry,
  asUser,
  callAs,
  identityVariables,
  startTestService,
  type ServiceName,
  type TestService,
} from '@saleschannel/testing';
import type { CreateTraderRequest } from '@saleschannel/contracts/gen/traders/v1/CreateTraderRequest';
import type { CreateTraderResponse__Output } from '@saleschannel/contracts/gen/traders/v1/CreateTraderResponse';
import type { Proposal__Output } from '@saleschannel/contracts/gen/traders/v1/Proposal';
import type { SubmitProposalRequest } from '@saleschannel/contracts/gen/traders/v1/SubmitProposalRequest';
import type {
  TraderDirectoryDefinition,
  TraderDirectoryHandlers,
} from '@saleschannel/contracts/gen/traders/v1/TraderDirectory';
import type { Trader__Output } from '@saleschannel/contracts/gen/traders/v1/Trader';
import { service } from '../src/app.ts';

/** A channel that rbac does not know. */
export const UNKNOWN_CHANNEL = 'c-unknown';

const unavailable = (): never => {
  throw new Error('not part of this test');
};

/** rbac, as far as traders asks it; it is another service's business and hence the outside world here. */
export async function startRbac(): Promise<GrpcServer> {
  const { verifier } = await createServiceIdentity(
    'rbac',
    readEnvironment(identityEnvironment, identityVariables('rbac')),
  );
  const directory = implement(services.bindingDirectory, {
    ReadBinding: { callers: [], access: serviceOnly, handler: unavailable },
    GetSalesChannel: {
      callers: ['traders'],
      access: serviceOnly,
      handler: async ({ salesChannelId }) => {
        if (salesChannelId === UNKNOWN_CHANNEL) throw notFound();
        return { id: salesChannelId, name: 'A channel' };
      },
    },
  });
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [directory],
    tokens: verifier,
    logger: silentLogger,
  });
  await server.start();
  return server;
}

const ALL_ROLES: Role[] = [
  'TRADER_ADMINISTRATOR',
  'TRADERONBOARDERPROPOSAL_VIEWER',
  'TRADERONBOARDERPROPOSAL_ACCEPTER',
];

export const entity = {
  businessId: 'NO-927364518',
  name: 'Fjordkarbon AS',
  address: { zipCode: '0484', city: 'Oslo', countryName: 'Norway', street: 'Sandakerveien 114', poBox: 'PO Box 221' },
};

export interface Traders {
  readonly service: TestService;
  create(salesChannelId: string, request?: CreateTraderRequest): Promise<CreateTraderResponse__Output>;
  update(salesChannelId: string, traderId: string, patch: unknown): Promise<Trader__Output>;
  get(salesChannelId: string, traderId: string): Promise<Trader__Output>;
  list(salesChannelId: string): Promise<Trader__Output[]>;
  submit(request: SubmitProposalRequest): Promise<Proposal__Output>;
  accept(salesChannelId: string, proposalId: string): Promise<Proposal__Output>;
  reject(salesChannelId: string, proposalId: string): Promise<Proposal__Output>;
  proposals(salesChannelId: string): Promise<Proposal__Output[]>;
  /** A proposal that is pending. */
  proposal(salesChannelId: string, fields?: SubmitProposalRequest): Promise<Proposal__Output>;
  directory(caller: ServiceName): Promise<Client<TraderDirectoryHandlers, TraderDirectoryDefinition>>;
  sql<Row extends object>(text: string, params?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** A message without the markers that say which optional fields it carries. */
export function bare<T>(message: T): T {
  if (typeof message !== 'object' || message === null) return message;
  const fields = Object.entries(message).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(fields.map(([name, value]) => [name, bare(value as unknown)])) as T;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(bare(item));
  return all;
}

export async function startTraders(): Promise<Traders> {
  const rbac = await startRbac();
  const running = await startTestService(service, { variables: { RBAC_ADDRESS: rbac.address } });
  const database = await openDatabase({
    url: running.databaseUrl,
    poolMax: 2,
    entities: [],
    migrations: [],
    logger: silentLogger,
  });
  const gateway = await callAs('gateway', services.traders, running.address);
  const registry = await callAs('registry-import', services.traderDirectory, running.address);
  const as = (salesChannelId: string): Promise<{ principalToken: string }> => asUser(salesChannelId, ALL_ROLES);
  const traders: Traders = {
    service: running,
    create: async (channel, request) =>
      bare(await gateway.CreateTrader({ idempotencyKey: newId(), ...entity, ...request }, await as(channel))),
    update: async (channel, traderId, patch) =>
      bare(
        await gateway.UpdateTrader(
          { traderId, mergePatchJson: typeof patch === 'string' ? patch : JSON.stringify(patch) },
          await as(channel),
        ),
      ),
    get: async (channel, traderId) => bare(await gateway.GetTrader({ traderId }, await as(channel))),
    list: async (channel) => collect(gateway.ListTraders({}, await as(channel))),
    submit: async (request) => bare(await registry.SubmitProposal(request, await asRegistry())),
    accept: async (channel, proposalId) => bare(await gateway.AcceptProposal({ proposalId }, await as(channel))),
    reject: async (channel, proposalId) => bare(await gateway.RejectProposal({ proposalId }, await as(channel))),
    proposals: async (channel) => collect(gateway.ListProposals({}, await as(channel))),
    proposal: (salesChannelId, fields) =>
      traders.submit({ accountHolderId: newId(), salesChannelId, ...entity, ...fields }),
    directory: (caller) => callAs(caller, services.traderDirectory, running.address),
    sql: (text, params) => query(database.em(), text, params),
    async stop() {
      gateway.close();
      registry.close();
      await database.close();
      await running.stop();
      await rbac.stop();
    },
  };
  return traders;
}
