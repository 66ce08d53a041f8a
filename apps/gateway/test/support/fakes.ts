import { serviceOnly, type AccessRule, type Principal } from '@saleschannel/auth';
import { services, type ServiceContract } from '@saleschannel/contracts';
import type { StartTransfersRequest__Output } from '@saleschannel/contracts/gen/tasks/v1/StartTransfersRequest';
import { DomainError, notFound } from '@saleschannel/errors';
import { createGrpcServer, createServiceIdentity, implement, type Call, type GrpcServer } from '@saleschannel/grpc';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { identityEnvironment } from '@saleschannel/grpc';
import { identityVariables, principalToken, type ServiceName } from '@saleschannel/testing';
import * as samples from './samples.ts';

type AnyRequest = Record<string, unknown>;
/** A fake RPC: a message, or several for a stream. */
export type Rpc = (request: AnyRequest, call: Call) => unknown;
export type RpcTable = Record<string, Rpc>;

const user: AccessRule = { principal: 'user', roles: [] };
const registry: AccessRule = { principal: 'registry' };
const json = (value: unknown) => ({ data: Buffer.from(JSON.stringify(value)) });

async function* stream(...messages: unknown[]): AsyncGenerator<unknown> {
  for (const message of messages) yield message;
}

export interface Credentials {
  readonly bearer: Map<string, Principal>;
  /** `id:secret` → principal */
  readonly basic: Map<string, { surface: string; principal: Principal }>;
}

/** Identity as the gateway sees it: it knows the credentials that a test gave it, and signs principals with the real signer. */
export const identityRpcs = (credentials: Credentials): RpcTable => ({
  async Authenticate({ surface, bearerToken, basic }) {
    const { username = '', password = '' } = (basic ?? {}) as { username?: string; password?: string };
    const known = basic ? credentials.basic.get(`${username}:${password}`) : undefined;
    const principal = basic
      ? known?.surface === surface
        ? known?.principal
        : undefined
      : credentials.bearer.get(String(bearerToken));
    if (!principal) throw new DomainError('unauthenticated', 'The credentials are not valid.');
    return { principalToken: await principalToken(principal) };
  },
  ListApiKeys: () => ({ keys: [samples.key] }),
  CreateApiKey: () => ({ key: samples.key, secret: 'scs_key_x' }),
  DeleteApiKey: () => samples.key,
  ListRegistryKeys: () => ({ keys: [samples.key] }),
  CreateRegistryKey: () => ({ key: samples.key, secret: 'scs_reg_x' }),
  DeleteRegistryKey: () => samples.key,
});

const roleResponse: Rpc = ({ userId, salesChannelId, role }) => ({ userId, salesChannelId, role });

export const fakes = {
  rbac: {
    GetOwnBinding: () => samples.binding,
    GetUserBinding: () => samples.binding,
    BindUser: () => samples.binding,
    UnbindUser: () => samples.binding,
    GrantRole: roleResponse,
    RemoveRole: roleResponse,
  },
  traders: {
    CreateTrader: () => ({ trader: samples.trader, replayed: false }),
    UpdateTrader: () => samples.trader,
    GetTrader: () => samples.trader,
    ListTraders: () => stream(samples.trader, { ...samples.trader, id: 'c' }),
    ListProposals: () => stream(samples.proposal),
    AcceptProposal: () => ({ ...samples.proposal, status: 'ACCEPTED', onboardedTraderId: 'a' }),
    RejectProposal: () => ({ ...samples.proposal, status: 'REJECTED', onboardedTraderId: 'NOT_ONBOARDED' }),
  },
  inventory: {
    ListInventory: () => stream({ data: Buffer.from('[') }, json(samples.asset), { data: Buffer.from(']') }),
    ListTransactions: () => stream({ data: Buffer.from(JSON.stringify([samples.transaction])) }),
    GetTransaction: () => json(samples.transaction),
    GetProductionFacility: () => samples.facility,
    ListProductionFacilities: () => stream(samples.facility),
    GetSupplier: () => ({ id: 's1', name: 'Karbon', countryCode: 'NO' }),
  },
  ledger: {
    DecideTransaction: () => json(samples.registryTransaction),
    ListFacilities: () => ({ total: 7, facilities: [samples.registryFacility] }),
    GetFacility: () => ({
      ...samples.registryFacility,
      gsrn: '1',
      creditingPeriod: { start: samples.key.createdOn, end: samples.key.expiresAt },
    }),
    ListCertificates: () => ({ total: 7, data: Buffer.from(JSON.stringify([samples.certificates])) }),
    ListRegistryTransactions: () => ({ total: 7, data: Buffer.from(JSON.stringify([samples.registryTransaction])) }),
    GetRegistryTransaction: () => json(samples.registryTransaction),
    GetCertificateHistory: () => json([samples.historyEntry]),
  },
  tasks: {
    StartTransfers: (request) => ({
      results: (request as unknown as StartTransfersRequest__Output).transfers.map(({ idempotencyKey }) => ({
        task: { id: `task-${idempotencyKey}`, status: 'PENDING', idempotencyKey, message: 'waiting' },
        replayed: false,
      })),
    }),
    GetTask: ({ taskId }) => ({
      id: taskId,
      status: 'SUCCESS',
      idempotencyKey: 'k',
      message: 'done',
      transactionId: 't1',
    }),
  },
  events: { ListEvents: () => ({ events: [samples.event] }) },
  registryImport: {
    ListAccountHolders: () => ({ total: 1, accountHolders: [samples.accountHolder] }),
    GetAccountHolder: () => samples.accountHolder,
    CreateAccountHolder: () => ({ accountHolder: samples.accountHolder, created: true }),
    UpdateAccountHolder: () => samples.accountHolder,
    PutFacility: () => ({ facility: samples.registryFacility, created: true }),
    CreateIssuance: ({ issuance }) => ({ issuance: { ...samples.issuance, ...(issuance as object) }, created: true }),
    Onramp: () => json(samples.registryTransaction),
    SubmitProposal: () => samples.proposal,
    async StartImport(parts) {
      for await (const _part of parts as unknown as AsyncIterable<unknown>);
      return samples.importState;
    },
    ListImports: () => ({ total: 1, imports: [samples.importState] }),
    GetImport: () => samples.importState,
    ListImportErrors: () => ({ total: 1, errors: [{ line: 2, code: 'x', detail: 'y' }] }),
  },
} satisfies Record<string, RpcTable>;

type ContractName = keyof typeof services;

function ruleOf(contract: ContractName, name: string): AccessRule {
  if (name === 'Authenticate' || name === 'StartTransfers') return serviceOnly;
  return contract === 'ledger' || contract === 'registryImport' ? registry : user;
}

/** A real gRPC server that answers by a table; RPCs that are not in it find nothing. The table may change while it runs. */
export async function startFake(
  service: ServiceName,
  tables: Partial<Record<ContractName, RpcTable>>,
  port = 0,
): Promise<GrpcServer> {
  const identity = await createServiceIdentity(
    service,
    readEnvironment(identityEnvironment, identityVariables(service)),
  );
  const registrations = Object.entries(tables).map(([contractName, table]) => {
    const contract = services[contractName as ContractName] as ServiceContract<unknown, unknown>;
    const rpcs = Object.fromEntries(
      Object.keys(contract.definition).map((name) => {
        const find = (): Rpc =>
          table[name] ??
          (() => {
            throw notFound();
          });
        const unary = async (request: AnyRequest, call: Call) => find()(request, call);
        const streaming = async function* (request: AnyRequest, call: Call) {
          yield* find()(request, call) as AsyncIterable<unknown>;
        };
        const handler = contract.definition[name]?.responseStream ? streaming : unary;
        return [name, { callers: ['gateway'], access: ruleOf(contractName as ContractName, name), handler }];
      }),
    );
    return implement(contract as ServiceContract<never, never>, rpcs as never);
  });
  const server = createGrpcServer({
    host: '127.0.0.1',
    port,
    services: registrations,
    tokens: identity.verifier,
    logger: silentLogger,
  });
  await server.start();
  return server;
}
