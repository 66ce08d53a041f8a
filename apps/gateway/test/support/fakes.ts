import { serviceOnlyRule, type AccessRule, type Principal } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError, notFound } from '@saleschannel/errors';
import type { Call, Registration, RequestOf, ServiceKey } from '@saleschannel/grpc';
import { principalToken } from '@saleschannel/testing';
import { readExample } from './public-contract.ts';
import * as samples from './samples.ts';

type AnyRequest = Record<string, unknown>;
/** Fake RPC. Returns a message, or several for a stream. */
export type Rpc = (request: AnyRequest, call: Call) => unknown;
export type RpcTable = Record<string, Rpc>;

const user: AccessRule = { principal: 'user', roles: [] };
const registry: AccessRule = { principal: 'registry' };
const json = (value: unknown) => ({ data: Buffer.from(JSON.stringify(value)) });

/** Adds the flags of a list in CSV, or with expanded members. Its records stay the same. */
const listFlags = ({ format, expand }: AnyRequest) => ({ format, expanded: ((expand ?? []) as unknown[]).length > 0 });

async function* stream(...messages: unknown[]): AsyncGenerator<unknown> {
  for (const message of messages) yield message;
}

export interface Credentials {
  readonly bearer: Map<string, Principal>;
  /** `id:secret` → principal */
  readonly basic: Map<string, { surface: 'SALES_CHANNEL' | 'REGISTRY'; principal: Principal }>;
}

/**
 * Fake identity: it accepts the credentials of the test, and signs principals with the real signer.
 */
export const identityRpcs = (credentials: Credentials): RpcTable => ({
  async Authenticate(request) {
    const { surface, bearerToken, key, receivers } = request as unknown as RequestOf<'identity.Authenticate'>;
    const known = key ? credentials.basic.get(`${key.keyId}:${key.secret}`) : undefined;
    const ofKey = known && surface === `SURFACE_${known.surface}` ? known.principal : undefined;
    const principal = key ? ofKey : credentials.bearer.get(String(bearerToken));
    if (!principal) throw new DomainError('unauthenticated', 'The credentials are not valid.');
    return { principalToken: await principalToken(principal, ['gateway', ...receivers]) };
  },
  ListApiKeys: () => ({ keys: [samples.key] }),
  CreateApiKey: () => ({ key: samples.key, secret: 'scs_key_x' }),
  DeleteApiKey: () => samples.key,
  ListRegistryKeys: () => ({ keys: [samples.key] }),
  CreateRegistryKey: () => ({ key: samples.key, secret: 'scs_reg_x' }),
  DeleteRegistryKey: () => samples.key,
  GetMe: () => samples.me,
  ListKeyDetails: () => ({ keys: [samples.keyDetail, { ...samples.key, kind: 'REGISTRY' }] }),
  NameKey: ({ name }) => ({ ...samples.keyDetail, name }),
  IntroduceUser: () => ({ userId: 'u1' }),
  ListOwnSessions: () => ({ sessions: [samples.session, { ...samples.session, address: undefined }] }),
  EndOwnSessions: () => ({ sessions: [samples.session] }),
});

const roleResponse: Rpc = ({ userId, salesChannelId, role }) => ({ userId, salesChannelId, role });

const trail: RpcTable = {
  ListChannelAuditEvents: () => ({ total: 1, events: [samples.auditEvent], isFilteredAsRequested: true }),
  ListRegistryAuditEvents: () => ({ total: 1, events: [samples.auditEvent], isFilteredAsRequested: true }),
};

/** An empty audit trail. */
export const emptyTrail: RpcTable = {
  ListChannelAuditEvents: () => ({ total: 0, events: [], isFilteredAsRequested: true }),
  ListRegistryAuditEvents: () => ({ total: 0, events: [], isFilteredAsRequested: true }),
};

export const fakes = {
  audit: trail,
  rbac: {
    GetOwnBinding: () => samples.binding,
    GetUserBinding: () => samples.binding,
    ListUsers: () => stream(samples.channelUser),
    PageOpenSalesChannels: ({ search }) => ({
      salesChannels: [{ id: 'c1', name: 'Nordic' }],
      next: 'n1',
      searched: search !== undefined,
    }),
    BindUser: () => samples.binding,
    UnbindUser: () => samples.binding,
    GrantRole: roleResponse,
    RemoveRole: roleResponse,
    ListInvitations: () => ({ invitations: [samples.invitation] }),
    CreateInvitation: () => ({ invitation: samples.invitation, token: 'scs_inv_x' }),
    RevokeInvitation: () => ({ ...samples.invitation, status: 'REVOKED' }),
    AcceptInvitation: () => samples.binding,
  },
  traders: {
    CreateTrader: () => ({ trader: samples.trader, replayed: false }),
    UpdateTrader: () => samples.trader,
    GetTrader: () => samples.trader,
    PageTraders: ({ order }) => ({ traders: [samples.trader], next: 'n1', ordered: order !== undefined }),
    PageProposals: ({ search }) => ({ proposals: [samples.proposal], next: 'n1', searched: search !== undefined }),
    PageHolderProposals: () => ({ proposals: [samples.proposal], next: 'n1' }),
    ListTraders: () => stream(samples.trader, { ...samples.trader, id: 'c' }),
    ListProposals: () => stream(samples.proposal),
    AcceptProposal: () => ({ ...samples.proposal, status: 'ACCEPTED', onboardedTraderId: 'a' }),
    RejectProposal: () => ({ ...samples.proposal, status: 'REJECTED', onboardedTraderId: 'NOT_ONBOARDED' }),
  },
  inventory: {
    ListInventory: () => stream({ data: Buffer.from('[') }, json(samples.asset), { data: Buffer.from(']') }),
    ListTransactions: (request) => stream({ ...listFlags(request), ...json([samples.transaction]) }),
    PageInventory: ({ order }) => ({ ...json([samples.asset]), next: 'n1', ordered: order !== undefined }),
    PageTransactions: (request) =>
      stream({ ...listFlags(request), data: Buffer.alloc(0), next: 'n1' }, json([samples.transaction])),
    PageProductionFacilities: () => ({ facilities: [samples.facility], next: 'n1' }),
    SummarizeInventory: () => json(readExample('summarizeInventory')),
    PlanTransfer: () => json(readExample('planTransfer')),
    SummarizeTransactions: () => json(readExample('summarizeTransactions')),
    UpdateStatement: () => json(readExample('updateStatement')),
    GetTransactionDetail: () => json(readExample('getTransactionDetail')),
    GetTransaction: () => json(samples.transaction),
    GetProductionFacility: () => samples.facility,
    ListProductionFacilities: () => stream(samples.facility),
    GetSupplier: () => ({ id: 's1', name: 'Karbon', countryCode: 'NO' }),
  },
  publicRegister: {
    GetStatement: () => json(readExample('getStatement')),
    ListStatements: ({ beneficiaryPart }) => ({
      ...json(readExample('listStatements')),
      next: 'n1',
      searched: beneficiaryPart !== undefined,
    }),
    GetCertificateStatus: () => json(readExample('getCertificateStatus')),
    GetStatementKeys: () => json(readExample('getStatementKeys')),
  },
  ledger: {
    ApproveTransaction: () => json(samples.registryTransaction),
    RejectTransaction: () => json(samples.registryTransaction),
    ListFacilities: () => ({ total: 7, facilities: [samples.registryFacility] }),
    GetFacility: () => ({
      ...samples.registryFacility,
      gsrn: '1',
      creditingPeriod: { start: samples.key.createdOn, end: samples.key.expiresAt },
    }),
    ListIssuances: () => ({ total: 7, issuances: [samples.issuance] }),
    GetIssuance: () => samples.issuance,
    ListCertificates: (request) => ({ ...listFlags(request), total: 7, ...json([samples.certificates]) }),
    ListRegistryTransactions: (request) =>
      stream({ ...listFlags(request), total: 7, data: Buffer.alloc(0) }, json([samples.registryTransaction])),
    GetRegistryTransaction: () => json(samples.registryTransaction),
    GetCertificateHistory: () => json([samples.historyEntry]),
  },
  holdings: {
    ListHoldings: () => stream(json([samples.holding])),
    PageHoldings: ({ order }) => ({ ...json([samples.holding]), next: 'n1', ordered: order !== undefined }),
    SummarizeHoldings: () => json(readExample('summarizeHoldings')),
    ListHolderTransactions: (request) => stream({ ...listFlags(request), ...json([samples.holderTransaction]) }),
    PageHolderTransactions: (request) =>
      stream({ ...listFlags(request), data: Buffer.alloc(0), next: 'n1' }, json([samples.holderTransaction])),
    GetHolderTransaction: () => json(samples.holderTransaction),
    ApproveHolderTransaction: () => json(samples.holderTransaction),
    RejectHolderTransaction: () => json(samples.holderTransaction),
  },
  holderPortal: {
    GetOwnHolder: () => samples.accountHolder,
    UpdateOwnHolder: () => samples.accountHolder,
    SubmitHolderProposal: () => samples.proposal,
    OnrampHoldings: () => ({
      transactionId: samples.holderTransaction.transactionId,
      transaction: json(samples.holderTransaction),
    }),
  },
  tasks: {
    StartTransfers: (request) => ({
      results: (request as unknown as RequestOf<'tasks.StartTransfers'>).transfers.map(({ idempotencyKey }) => ({
        task: { id: `task-${idempotencyKey}`, status: 'PENDING', idempotencyKey, message: 'waiting' },
        replayed: false,
      })),
    }),
    ListTasks: () => ({ tasks: [samples.listedTask], next: 'n1' }),
    GetTask: ({ taskId }) => ({
      id: taskId,
      status: 'SUCCESS',
      idempotencyKey: 'k',
      message: 'done',
      transactionId: 't1',
    }),
    WaitForTasks: () => stream({ tasks: [] }),
  },
  events: {
    ListEvents: () => ({ events: [samples.event] }),
    StreamEvents: () => stream({ after: 'e0', events: [] }, { events: [samples.event] }),
  },
  webhooks: {
    ListEndpoints: () => ({ endpoints: [samples.webhookEndpoint] }),
    CreateEndpoint: () => ({ endpoint: samples.webhookEndpoint, secret: 'whsec_eA==' }),
    GetEndpoint: () => samples.webhookEndpoint,
    UpdateEndpoint: () => samples.webhookEndpoint,
    DeleteEndpoint: () => samples.webhookEndpoint,
    RotateSecret: () => ({ endpoint: samples.webhookEndpoint, secret: 'whsec_eA==' }),
    TestEndpoint: () => samples.webhookTest,
    ListDeliveries: () => ({ deliveries: [samples.webhookDelivery], next: 'n1' }),
    GetDelivery: () => samples.webhookDeliveryDetail,
    RetryDelivery: () => samples.webhookDelivery,
    ReplayEvents: ({ from, to, failedOnly }) => ({ from, to: to ?? samples.at, failedOnly }),
  },
  sandbox: {
    Trigger: () => ({
      message: 'done',
      traderId: 't1',
      taskId: 'k1',
      transactionId: 'x1',
      proposalId: 'p1',
      webhookEndpointIds: ['e1'],
      until: samples.at,
    }),
    Reset: () => ({ salesChannelId: 'c2', previousSalesChannelId: 'c1' }),
  },
  registryImport: {
    ListAccountHolders: ({ namePart }) => ({
      total: 1,
      accountHolders: [samples.accountHolder],
      searched: namePart !== undefined,
    }),
    GetAccountHolder: () => samples.accountHolder,
    CreateAccountHolder: () => ({ accountHolder: samples.accountHolder, created: true }),
    UpdateAccountHolder: () => samples.accountHolder,
    PutFacility: () => ({ facility: samples.registryFacility, created: true }),
    CreateIssuance: ({ issuance }) => ({ issuance: { ...samples.issuance, ...(issuance as object) }, created: true }),
    Onramp: () => ({
      transactionId: samples.registryTransaction.transactionId,
      transaction: json(samples.registryTransaction),
    }),
    SubmitProposal: () => samples.proposal,
    ListSubmittedProposals: () => ({ total: 7, proposals: [samples.proposal] }),
    GetSubmittedProposal: () => samples.proposal,
    async StartImport(parts) {
      for await (const _part of parts as unknown as AsyncIterable<unknown>);
      return samples.importState;
    },
    ListImports: () => ({ total: 1, imports: [samples.importState] }),
    GetImport: () => samples.importState,
    ListImportErrors: () => ({ total: 1, errors: [{ line: 2, code: 'x', detail: 'y' }] }),
  },
} satisfies Record<string, RpcTable>;

function findRule(key: ServiceKey, name: string): AccessRule {
  if (name === 'ListRegistryAuditEvents') return registry;
  if (name === 'Authenticate' || name === 'StartTransfers' || name === 'WaitForTasks') return serviceOnlyRule;
  if (key === 'publicRegister') return serviceOnlyRule;
  return key === 'ledger' || key === 'registryImport' ? registry : user;
}

/** A service that answers by a table, which may change while it runs. Missing RPCs return 'not-found'. */
export function createFake(key: ServiceKey, table: RpcTable): Registration {
  const contract: Registration['contract'] = services[key];
  const rpcs = Object.entries(contract.definition).map(([name, { responseStream }]) => {
    const answer: Rpc = (request, call) => {
      const rpc = table[name];
      if (!rpc) throw notFound();
      return rpc(request, call);
    };
    const unary = async (request: AnyRequest, call: Call) => answer(request, call);
    const streaming = async function* (request: AnyRequest, call: Call) {
      yield* answer(request, call) as AsyncIterable<unknown>;
    };
    const handler = responseStream ? streaming : unary;
    return [name, { callers: ['gateway'], access: findRule(key, name), handler }];
  });
  return { contract, rpcs: Object.fromEntries(rpcs) as Registration['rpcs'] };
}
