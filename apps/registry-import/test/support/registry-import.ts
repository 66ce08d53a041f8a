import type { KeyHolder } from '@saleschannel/auth';
import type { Registration, ReplyOf, SentTo, ServiceClient } from '@saleschannel/grpc';
import {
  asRegistry,
  removeMarkers,
  callAs,
  eventually,
  neighbour,
  startNeighbours,
  startTestService,
  type TestService,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';
import { holderLease } from '../../src/operations/account-holders.ts';
import { FakeLedger, FakeTraders } from './ledger.ts';
import { NDJSON, partsOf, holderContent, type Header, type Part } from './records.ts';

/** Shortened: each change of an account holder waits for it. */
const LEASE_MS = 100;

type AccountHolder = ReplyOf<'registryImport.GetAccountHolder'>;
type Content = NonNullable<SentTo<'registryImport.CreateAccountHolder'>['content']>;
type Page = NonNullable<SentTo<'registryImport.ListImports'>['page']>;
type Import = ReplyOf<'registryImport.GetImport'>;
type ImportErrors = ReplyOf<'registryImport.ListImportErrors'>;

/** Calls a running service as the gateway does with a registry key. */
export interface Registry {
  create(content: Content): Promise<{ accountHolder: AccountHolder; created: boolean }>;
  /** Creates an account holder, and returns its id. */
  createHolder(businessId: string): Promise<string>;
  get(accountHolderId: string): Promise<AccountHolder>;
  list(
    page: Page,
    filter?: { businessId?: string; name?: string; namePart?: string },
  ): Promise<ReplyOf<'registryImport.ListAccountHolders'>>;
  update(accountHolderId: string, patch: unknown): Promise<AccountHolder>;
  putFacility(
    facility: SentTo<'registryImport.PutFacility'>['facility'],
  ): Promise<ReplyOf<'registryImport.PutFacility'>>;
  createIssuance(request: SentTo<'registryImport.CreateIssuance'>): Promise<ReplyOf<'registryImport.CreateIssuance'>>;
  onramp(request: SentTo<'registryImport.Onramp'>): Promise<ReplyOf<'registryImport.Onramp'>>;
  submit(request: SentTo<'registryImport.SubmitProposal'>): Promise<ReplyOf<'registryImport.SubmitProposal'>>;
  /** Default: on behalf of a new account holder. */
  startImport(parts: AsyncIterable<Part>, accountHolderId?: string): Promise<Import>;
  getImport(importId: string): Promise<Import>;
  listImports(page: Page): Promise<ReplyOf<'registryImport.ListImports'>>;
  listErrors(importId: string, page: Page): Promise<ImportErrors>;
  /** Waits until the import has ended. */
  finished(importId: string): Promise<Import>;
  /** Imports a file and waits for the end. */
  importFile(file: string | Buffer, header?: Header): Promise<Import>;
  /** Returns the first hundred errors, with lines as numbers. */
  errorsOf(importId: string): Promise<{ line: number; code: string; detail: string }[]>;
  close(): void;
}

export interface RegistryImport extends Registry {
  readonly service: TestService;
  readonly ledger: FakeLedger;
  readonly traders: FakeTraders;
  /** Suspended sales channels of rbac. */
  readonly suspendedChannels: Set<string>;
  operator(): Promise<ServiceClient<'accountHolderAdministration'>>;
  clientOf(caller: KeyHolder): Promise<ServiceClient<'registryImport'>>;
  /** Client of users of account holders, as the gateway. */
  portal(): Promise<ServiceClient<'holderPortal'>>;
  directory(caller: KeyHolder): Promise<ServiceClient<'accountHolderDirectory'>>;
  /** Starts another replica. Stop it before this one. */
  startReplica(): Promise<Registry & { stop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** Enough for a file of 128 MiB on a disk that stalls for seconds. */
const UPLOAD_TIMEOUT_MS = 240_000;

export async function connectTo(address: string): Promise<Registry> {
  const client = await callAs('gateway', 'registryImport', address);
  const registry: Registry = {
    async create(content) {
      const { accountHolder, created } = removeMarkers(
        await client.CreateAccountHolder({ content }, await asRegistry()),
      );
      if (!accountHolder) throw new Error('The response has no account holder.');
      return { accountHolder, created };
    },
    async createHolder(businessId) {
      const { accountHolder } = await registry.create(holderContent(businessId));
      return accountHolder.accountHolderId;
    },
    get: async (accountHolderId) =>
      removeMarkers(await client.GetAccountHolder({ accountHolderId }, await asRegistry())),
    list: async (page, filter = {}) =>
      removeMarkers(await client.ListAccountHolders({ page, ...filter }, await asRegistry())),
    async update(accountHolderId, patch) {
      const mergePatchJson = JSON.stringify(patch);
      return removeMarkers(await client.UpdateAccountHolder({ accountHolderId, mergePatchJson }, await asRegistry()));
    },
    putFacility: async (facility) => removeMarkers(await client.PutFacility({ facility }, await asRegistry())),
    createIssuance: async (request) => removeMarkers(await client.CreateIssuance(request, await asRegistry())),
    onramp: async (request) => client.Onramp(request, await asRegistry()),
    submit: async (request) => removeMarkers(await client.SubmitProposal(request, await asRegistry())),
    startImport: async (parts, accountHolderId) =>
      removeMarkers(
        await client.StartImport(parts, { ...(await asRegistry(accountHolderId)), timeoutMs: UPLOAD_TIMEOUT_MS }),
      ),
    getImport: async (importId) => removeMarkers(await client.GetImport({ importId }, await asRegistry())),
    listImports: async (page) => removeMarkers(await client.ListImports({ page }, await asRegistry())),
    listErrors: async (importId, page) =>
      removeMarkers(await client.ListImportErrors({ importId, page }, await asRegistry())),
    finished: (importId) =>
      eventually(async () => {
        const found = await registry.getImport(importId);
        return (found.status === 'COMPLETED' || found.status === 'FAILED') && found;
      }, `the end of import ${importId}`),
    async importFile(file, header = NDJSON) {
      const { importId } = await registry.startImport(partsOf(file, header));
      return registry.finished(importId);
    },
    async errorsOf(importId) {
      const { errors } = await registry.listErrors(importId, { limit: 100 });
      return errors.map(({ line, code, detail }) => ({ line: Number(line), code, detail }));
    },
    close: () => client.close(),
  };
  return registry;
}

/** Starts the service with its own database, and in-memory inventory and traders behind real gRPC. */
export async function startRegistryImport(settings: Record<string, string> = {}): Promise<RegistryImport> {
  const usualLeaseMs = holderLease.ms;
  holderLease.ms = LEASE_MS;
  const ledger = new FakeLedger();
  const traders = new FakeTraders();
  const suspendedChannels = new Set<string>();
  const neighbours = await startNeighbours(
    ledger.registration(),
    ledger.holdingsRegistration(),
    traders.registration(),
    channelsRegistration(suspendedChannels),
  );
  const { address } = neighbours;
  const variables = { INVENTORY_ADDRESS: address, TRADERS_ADDRESS: address, RBAC_ADDRESS: address, ...settings };
  const running = await startTestService(service, { variables });
  const registry = await connectTo(running.address);
  return {
    ...registry,
    service: running,
    ledger,
    traders,
    suspendedChannels,
    operator: () => callAs('admin', 'accountHolderAdministration', running.address),
    clientOf: (caller) => callAs(caller, 'registryImport', running.address),
    portal: () => callAs('gateway', 'holderPortal', running.address),
    directory: (caller) => callAs(caller, 'accountHolderDirectory', running.address),
    async startReplica() {
      const replica = await startTestService(service, { variables, databaseUrl: running.databaseUrl });
      return { ...(await connectTo(replica.address)), stop: () => replica.stop() };
    },
    async stop() {
      holderLease.ms = usualLeaseMs;
      registry.close();
      await running.stop();
      await neighbours.stop();
    },
  };
}

/** Fake rbac, as far as this service uses it. */
export const channelsRegistration = (suspended: ReadonlySet<string>): Registration =>
  neighbour('bindingDirectory', ['registry-import'], {
    GetSalesChannels: async ({ salesChannelIds }) => ({
      salesChannels: salesChannelIds.map((id) => ({ id, status: suspended.has(id) ? 'SUSPENDED' : 'ACTIVE' })),
    }),
  });

export const counts = ({ status, linesRead, linesApplied, linesFailed }: Import) => ({
  status,
  read: Number(linesRead),
  applied: Number(linesApplied),
  failed: Number(linesFailed),
});
