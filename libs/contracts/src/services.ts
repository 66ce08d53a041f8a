import { fileURLToPath } from 'node:url';
import {
  loadPackageDefinition,
  type GrpcObject,
  type ServiceClientConstructor,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import {
  type MethodDefinition,
  loadSync,
  type MessageTypeDefinition,
  type PackageDefinition,
} from '@grpc/proto-loader';
import type * as audit from './gen/audit.v1.ts';
import type * as common from './gen/common.v1.ts';
import type { Problem, Problem__Output } from './gen/common.v1.ts';
import type * as events from './gen/events.v1.ts';
import type { Status, Status__Output } from './gen/google.rpc.ts';
import type * as identity from './gen/identity.v1.ts';
import type * as inventory from './gen/inventory.v1.ts';
import type * as rbac from './gen/rbac.v1.ts';
import type * as registryImport from './gen/registry_import.v1.ts';
import type * as sandbox from './gen/sandbox.v1.ts';
import type * as tasks from './gen/tasks.v1.ts';
import type * as traders from './gen/traders.v1.ts';
import type * as webhooks from './gen/webhooks.v1.ts';

/** Folder of the proto files, next to the folder of the libraries, in the repository and in every image. */
const protoDirectory = fileURLToPath(new URL('../../../protos', import.meta.url));

const loaded = new Map<string, PackageDefinition>();

/** Loads the definitions of a proto file and its imports. The generated types rely on these options. */
function loadProtos(file: string): PackageDefinition {
  const known = loaded.get(file);
  if (known) return known;
  const options = { includeDirs: [protoDirectory], longs: String, enums: String, defaults: true, oneofs: true };
  const definitions = loadSync(file, options);
  loaded.set(file, definitions);
  return definitions;
}

const message = <Input, Output>(file: string, name: string): MessageTypeDefinition<Input, Output> =>
  loadProtos(file)[name] as unknown as MessageTypeDefinition<Input, Output>;

/** Message types of errors in the trailers of failed calls. */
export const errorMessages = {
  get problem(): MessageTypeDefinition<Problem, Problem__Output> {
    return message('common/v1/problem.proto', 'common.v1.Problem');
  },
  get status(): MessageTypeDefinition<Status, Status__Output> {
    return message('google/rpc/status.proto', 'google.rpc.Status');
  },
};

export type { Problem, Problem__Output } from './gen/common.v1.ts';

/** Name, types and definition of a gRPC service. The definition is loaded on first use. */
export interface ServiceContract<Handlers, Definition> {
  readonly name: string;
  /**
   * The program that serves the gRPC service, by its proto package. Tokens of calls are issued for this program.
   * Undefined if several programs serve it.
   */
  readonly owner: string | undefined;
  readonly definition: ServiceDefinition;
  /** RPCs that the protos declare free of side effects or idempotent. A call without an answer may be repeated. */
  readonly repeatable: readonly string[];
  /** Types only, never set. */
  readonly types?: { handlers: Handlers; definition: Definition };
}

function loadDefinition(file: string, name: string): ServiceDefinition {
  const loaded = loadPackageDefinition(loadProtos(file));
  const client = name
    .split('.')
    .reduce<unknown>((node, part) => (node as GrpcObject)[part], loaded) as ServiceClientConstructor;
  return client.service;
}

const isRepeatable = ({ options }: MethodDefinition<object, object>): boolean =>
  options.idempotency_level === 'NO_SIDE_EFFECTS' || options.idempotency_level === 'IDEMPOTENT';

/** Proto packages whose services several programs serve. */
const sharedPackages = ['audit', 'common'];

function findOwner(name: string): string | undefined {
  const owner = String(name.split('.', 1)[0]).replaceAll('_', '-');
  return sharedPackages.includes(owner) ? undefined : owner;
}

function contract<Handlers, Definition>(file: string, name: string): ServiceContract<Handlers, Definition> {
  let definition: ServiceDefinition | undefined;
  const load = (): ServiceDefinition => (definition ??= loadDefinition(file, name));
  return {
    name,
    owner: findOwner(name),
    get definition() {
      return load();
    },
    get repeatable() {
      const methods = Object.entries(load()) as [string, unknown][] as [string, MethodDefinition<object, object>][];
      return methods.filter(([, method]) => isRepeatable(method)).map(([method]) => method);
    },
  };
}

/** Every gRPC service of the system. */
export const services = {
  lookUp: contract<common.LookUpServiceHandlers, common.LookUpServiceDefinition>(
    'common/v1/look_up.proto',
    'common.v1.LookUpService',
  ),
  /** Served by every service with activity to report. */
  activity: contract<common.ActivityServiceHandlers, common.ActivityServiceDefinition>(
    'common/v1/activity.proto',
    'common.v1.ActivityService',
  ),
  identityAdministration: contract<
    identity.IdentityAdministrationServiceHandlers,
    identity.IdentityAdministrationServiceDefinition
  >('identity/v1/identity.proto', 'identity.v1.IdentityAdministrationService'),
  accountHolderAdministration: contract<
    registryImport.AccountHolderAdministrationServiceHandlers,
    registryImport.AccountHolderAdministrationServiceDefinition
  >('registry_import/v1/registry_import.proto', 'registry_import.v1.AccountHolderAdministrationService'),
  identity: contract<identity.IdentityServiceHandlers, identity.IdentityServiceDefinition>(
    'identity/v1/identity.proto',
    'identity.v1.IdentityService',
  ),
  sessions: contract<identity.SessionServiceHandlers, identity.SessionServiceDefinition>(
    'identity/v1/sessions.proto',
    'identity.v1.SessionService',
  ),
  userDirectory: contract<identity.UserDirectoryServiceHandlers, identity.UserDirectoryServiceDefinition>(
    'identity/v1/identity.proto',
    'identity.v1.UserDirectoryService',
  ),
  rbac: contract<rbac.RbacServiceHandlers, rbac.RbacServiceDefinition>('rbac/v1/rbac.proto', 'rbac.v1.RbacService'),
  bindingDirectory: contract<rbac.BindingDirectoryServiceHandlers, rbac.BindingDirectoryServiceDefinition>(
    'rbac/v1/rbac.proto',
    'rbac.v1.BindingDirectoryService',
  ),
  rbacAdministration: contract<rbac.RbacAdministrationServiceHandlers, rbac.RbacAdministrationServiceDefinition>(
    'rbac/v1/rbac.proto',
    'rbac.v1.RbacAdministrationService',
  ),
  traders: contract<traders.TradersServiceHandlers, traders.TradersServiceDefinition>(
    'traders/v1/traders.proto',
    'traders.v1.TradersService',
  ),
  traderDirectory: contract<traders.TraderDirectoryServiceHandlers, traders.TraderDirectoryServiceDefinition>(
    'traders/v1/traders.proto',
    'traders.v1.TraderDirectoryService',
  ),
  inventory: contract<inventory.InventoryServiceHandlers, inventory.InventoryServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.InventoryService',
  ),
  selectionCheck: contract<inventory.SelectionCheckServiceHandlers, inventory.SelectionCheckServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.SelectionCheckService',
  ),
  channelUse: contract<inventory.ChannelUseServiceHandlers, inventory.ChannelUseServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.ChannelUseService',
  ),
  reconciliation: contract<inventory.ReconciliationServiceHandlers, inventory.ReconciliationServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.ReconciliationService',
  ),
  publicRegister: contract<inventory.PublicRegisterServiceHandlers, inventory.PublicRegisterServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.PublicRegisterService',
  ),
  ledger: contract<inventory.LedgerServiceHandlers, inventory.LedgerServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.LedgerService',
  ),
  holdings: contract<inventory.HoldingsServiceHandlers, inventory.HoldingsServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.HoldingsService',
  ),
  tasks: contract<tasks.TasksServiceHandlers, tasks.TasksServiceDefinition>(
    'tasks/v1/tasks.proto',
    'tasks.v1.TasksService',
  ),
  channelTasks: contract<tasks.ChannelTasksServiceHandlers, tasks.ChannelTasksServiceDefinition>(
    'tasks/v1/tasks.proto',
    'tasks.v1.ChannelTasksService',
  ),
  events: contract<events.EventsServiceHandlers, events.EventsServiceDefinition>(
    'events/v1/events.proto',
    'events.v1.EventsService',
  ),
  eventLog: contract<events.EventLogServiceHandlers, events.EventLogServiceDefinition>(
    'events/v1/events.proto',
    'events.v1.EventLogService',
  ),
  webhooks: contract<webhooks.WebhooksServiceHandlers, webhooks.WebhooksServiceDefinition>(
    'webhooks/v1/webhooks.proto',
    'webhooks.v1.WebhooksService',
  ),
  endpointSandbox: contract<webhooks.EndpointSandboxServiceHandlers, webhooks.EndpointSandboxServiceDefinition>(
    'webhooks/v1/webhooks.proto',
    'webhooks.v1.EndpointSandboxService',
  ),
  sandbox: contract<sandbox.SandboxServiceHandlers, sandbox.SandboxServiceDefinition>(
    'sandbox/v1/sandbox.proto',
    'sandbox.v1.SandboxService',
  ),
  /** Served by every service that applies the ledger's status changes. */
  ledgerProgress: contract<common.LedgerProgressServiceHandlers, common.LedgerProgressServiceDefinition>(
    'common/v1/ledger_progress.proto',
    'common.v1.LedgerProgressService',
  ),
  registryImport: contract<
    registryImport.RegistryImportServiceHandlers,
    registryImport.RegistryImportServiceDefinition
  >('registry_import/v1/registry_import.proto', 'registry_import.v1.RegistryImportService'),
  holderPortal: contract<registryImport.HolderPortalServiceHandlers, registryImport.HolderPortalServiceDefinition>(
    'registry_import/v1/registry_import.proto',
    'registry_import.v1.HolderPortalService',
  ),
  accountHolderDirectory: contract<
    registryImport.AccountHolderDirectoryServiceHandlers,
    registryImport.AccountHolderDirectoryServiceDefinition
  >('registry_import/v1/registry_import.proto', 'registry_import.v1.AccountHolderDirectoryService'),
  importAdministration: contract<
    registryImport.ImportAdministrationServiceHandlers,
    registryImport.ImportAdministrationServiceDefinition
  >('registry_import/v1/registry_import.proto', 'registry_import.v1.ImportAdministrationService'),
  /** Served by every gRPC server, for concurrent calls of its other services. */
  gatheredCalls: contract<common.GatheredCallsServiceHandlers, common.GatheredCallsServiceDefinition>(
    'common/v1/gathered_calls.proto',
    'common.v1.GatheredCallsService',
  ),
  /** Served by every service with an audit trail. */
  auditLog: contract<audit.AuditServiceHandlers, audit.AuditServiceDefinition>(
    'audit/v1/audit.proto',
    'audit.v1.AuditService',
  ),
} as const;

export type Services = typeof services;
