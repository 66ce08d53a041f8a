import {
  loadPackageDefinition,
  type GrpcObject,
  type ServiceClientConstructor,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { AuditServiceDefinition, AuditServiceHandlers } from './gen/audit/v1/AuditService.ts';
import type { ActivityServiceDefinition, ActivityServiceHandlers } from './gen/common/v1/ActivityService.ts';
import type {
  GatheredCallsServiceDefinition,
  GatheredCallsServiceHandlers,
} from './gen/common/v1/GatheredCallsService.ts';
import type {
  LedgerProgressServiceDefinition,
  LedgerProgressServiceHandlers,
} from './gen/common/v1/LedgerProgressService.ts';
import type { LookUpServiceDefinition, LookUpServiceHandlers } from './gen/common/v1/LookUpService.ts';
import type { EventLogServiceDefinition, EventLogServiceHandlers } from './gen/events/v1/EventLogService.ts';
import type { EventsServiceDefinition, EventsServiceHandlers } from './gen/events/v1/EventsService.ts';
import type {
  IdentityAdministrationServiceDefinition,
  IdentityAdministrationServiceHandlers,
} from './gen/identity/v1/IdentityAdministrationService.ts';
import type { IdentityServiceDefinition, IdentityServiceHandlers } from './gen/identity/v1/IdentityService.ts';
import type { SessionServiceDefinition, SessionServiceHandlers } from './gen/identity/v1/SessionService.ts';
import type {
  UserDirectoryServiceDefinition,
  UserDirectoryServiceHandlers,
} from './gen/identity/v1/UserDirectoryService.ts';
import type { ChannelUseServiceDefinition, ChannelUseServiceHandlers } from './gen/inventory/v1/ChannelUseService.ts';
import type { HoldingsServiceDefinition, HoldingsServiceHandlers } from './gen/inventory/v1/HoldingsService.ts';
import type { InventoryServiceDefinition, InventoryServiceHandlers } from './gen/inventory/v1/InventoryService.ts';
import type { LedgerServiceDefinition, LedgerServiceHandlers } from './gen/inventory/v1/LedgerService.ts';
import type {
  PublicRegisterServiceDefinition,
  PublicRegisterServiceHandlers,
} from './gen/inventory/v1/PublicRegisterService.ts';
import type {
  ReconciliationServiceDefinition,
  ReconciliationServiceHandlers,
} from './gen/inventory/v1/ReconciliationService.ts';
import type {
  SelectionCheckServiceDefinition,
  SelectionCheckServiceHandlers,
} from './gen/inventory/v1/SelectionCheckService.ts';
import type {
  BindingDirectoryServiceDefinition,
  BindingDirectoryServiceHandlers,
} from './gen/rbac/v1/BindingDirectoryService.ts';
import type {
  RbacAdministrationServiceDefinition,
  RbacAdministrationServiceHandlers,
} from './gen/rbac/v1/RbacAdministrationService.ts';
import type { RbacServiceDefinition, RbacServiceHandlers } from './gen/rbac/v1/RbacService.ts';
import type {
  AccountHolderAdministrationServiceDefinition,
  AccountHolderAdministrationServiceHandlers,
} from './gen/registry_import/v1/AccountHolderAdministrationService.ts';
import type {
  AccountHolderDirectoryServiceDefinition,
  AccountHolderDirectoryServiceHandlers,
} from './gen/registry_import/v1/AccountHolderDirectoryService.ts';
import type {
  HolderPortalServiceDefinition,
  HolderPortalServiceHandlers,
} from './gen/registry_import/v1/HolderPortalService.ts';
import type {
  ImportAdministrationServiceDefinition,
  ImportAdministrationServiceHandlers,
} from './gen/registry_import/v1/ImportAdministrationService.ts';
import type {
  RegistryImportServiceDefinition,
  RegistryImportServiceHandlers,
} from './gen/registry_import/v1/RegistryImportService.ts';
import type { SandboxServiceDefinition, SandboxServiceHandlers } from './gen/sandbox/v1/SandboxService.ts';
import type { ChannelTasksServiceDefinition, ChannelTasksServiceHandlers } from './gen/tasks/v1/ChannelTasksService.ts';
import type { TasksServiceDefinition, TasksServiceHandlers } from './gen/tasks/v1/TasksService.ts';
import type {
  TraderDirectoryServiceDefinition,
  TraderDirectoryServiceHandlers,
} from './gen/traders/v1/TraderDirectoryService.ts';
import type { TradersServiceDefinition, TradersServiceHandlers } from './gen/traders/v1/TradersService.ts';
import type {
  EndpointSandboxServiceDefinition,
  EndpointSandboxServiceHandlers,
} from './gen/webhooks/v1/EndpointSandboxService.ts';
import type { WebhooksServiceDefinition, WebhooksServiceHandlers } from './gen/webhooks/v1/WebhooksService.ts';
import { loadProtos } from './protos.ts';

/** One gRPC service: its name, types, and definition, loaded on first use with the same options for all. */
export interface ServiceContract<Handlers, Definition> {
  readonly name: string;
  /**
   * The program that serves it, from its proto package. Tokens for a call are issued for it. Undefined if several
   * programs serve it.
   */
  readonly owner: string | undefined;
  readonly definition: ServiceDefinition;
  /** RPCs that the protos declare free of side effects or idempotent: a call without an answer may be repeated. */
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

/** Packages whose services several programs serve. */
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
  lookUp: contract<LookUpServiceHandlers, LookUpServiceDefinition>(
    'common/v1/look_up.proto',
    'common.v1.LookUpService',
  ),
  /** Served by every service with activity to report. */
  activity: contract<ActivityServiceHandlers, ActivityServiceDefinition>(
    'common/v1/activity.proto',
    'common.v1.ActivityService',
  ),
  identityAdministration: contract<IdentityAdministrationServiceHandlers, IdentityAdministrationServiceDefinition>(
    'identity/v1/identity.proto',
    'identity.v1.IdentityAdministrationService',
  ),
  accountHolderAdministration: contract<
    AccountHolderAdministrationServiceHandlers,
    AccountHolderAdministrationServiceDefinition
  >('registry_import/v1/registry_import.proto', 'registry_import.v1.AccountHolderAdministrationService'),
  identity: contract<IdentityServiceHandlers, IdentityServiceDefinition>(
    'identity/v1/identity.proto',
    'identity.v1.IdentityService',
  ),
  sessions: contract<SessionServiceHandlers, SessionServiceDefinition>(
    'identity/v1/sessions.proto',
    'identity.v1.SessionService',
  ),
  userDirectory: contract<UserDirectoryServiceHandlers, UserDirectoryServiceDefinition>(
    'identity/v1/identity.proto',
    'identity.v1.UserDirectoryService',
  ),
  rbac: contract<RbacServiceHandlers, RbacServiceDefinition>('rbac/v1/rbac.proto', 'rbac.v1.RbacService'),
  bindingDirectory: contract<BindingDirectoryServiceHandlers, BindingDirectoryServiceDefinition>(
    'rbac/v1/rbac.proto',
    'rbac.v1.BindingDirectoryService',
  ),
  rbacAdministration: contract<RbacAdministrationServiceHandlers, RbacAdministrationServiceDefinition>(
    'rbac/v1/rbac.proto',
    'rbac.v1.RbacAdministrationService',
  ),
  traders: contract<TradersServiceHandlers, TradersServiceDefinition>(
    'traders/v1/traders.proto',
    'traders.v1.TradersService',
  ),
  traderDirectory: contract<TraderDirectoryServiceHandlers, TraderDirectoryServiceDefinition>(
    'traders/v1/traders.proto',
    'traders.v1.TraderDirectoryService',
  ),
  inventory: contract<InventoryServiceHandlers, InventoryServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.InventoryService',
  ),
  selectionCheck: contract<SelectionCheckServiceHandlers, SelectionCheckServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.SelectionCheckService',
  ),
  channelUse: contract<ChannelUseServiceHandlers, ChannelUseServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.ChannelUseService',
  ),
  reconciliation: contract<ReconciliationServiceHandlers, ReconciliationServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.ReconciliationService',
  ),
  publicRegister: contract<PublicRegisterServiceHandlers, PublicRegisterServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.PublicRegisterService',
  ),
  ledger: contract<LedgerServiceHandlers, LedgerServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.LedgerService',
  ),
  holdings: contract<HoldingsServiceHandlers, HoldingsServiceDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.HoldingsService',
  ),
  tasks: contract<TasksServiceHandlers, TasksServiceDefinition>('tasks/v1/tasks.proto', 'tasks.v1.TasksService'),
  channelTasks: contract<ChannelTasksServiceHandlers, ChannelTasksServiceDefinition>(
    'tasks/v1/tasks.proto',
    'tasks.v1.ChannelTasksService',
  ),
  events: contract<EventsServiceHandlers, EventsServiceDefinition>('events/v1/events.proto', 'events.v1.EventsService'),
  eventLog: contract<EventLogServiceHandlers, EventLogServiceDefinition>(
    'events/v1/events.proto',
    'events.v1.EventLogService',
  ),
  webhooks: contract<WebhooksServiceHandlers, WebhooksServiceDefinition>(
    'webhooks/v1/webhooks.proto',
    'webhooks.v1.WebhooksService',
  ),
  endpointSandbox: contract<EndpointSandboxServiceHandlers, EndpointSandboxServiceDefinition>(
    'webhooks/v1/webhooks.proto',
    'webhooks.v1.EndpointSandboxService',
  ),
  sandbox: contract<SandboxServiceHandlers, SandboxServiceDefinition>(
    'sandbox/v1/sandbox.proto',
    'sandbox.v1.SandboxService',
  ),
  /** Served by every service that applies the ledger's status changes. */
  ledgerProgress: contract<LedgerProgressServiceHandlers, LedgerProgressServiceDefinition>(
    'common/v1/ledger_progress.proto',
    'common.v1.LedgerProgressService',
  ),
  registryImport: contract<RegistryImportServiceHandlers, RegistryImportServiceDefinition>(
    'registry_import/v1/registry_import.proto',
    'registry_import.v1.RegistryImportService',
  ),
  holderPortal: contract<HolderPortalServiceHandlers, HolderPortalServiceDefinition>(
    'registry_import/v1/registry_import.proto',
    'registry_import.v1.HolderPortalService',
  ),
  accountHolderDirectory: contract<AccountHolderDirectoryServiceHandlers, AccountHolderDirectoryServiceDefinition>(
    'registry_import/v1/registry_import.proto',
    'registry_import.v1.AccountHolderDirectoryService',
  ),
  importAdministration: contract<ImportAdministrationServiceHandlers, ImportAdministrationServiceDefinition>(
    'registry_import/v1/registry_import.proto',
    'registry_import.v1.ImportAdministrationService',
  ),
  /** Served by every gRPC server, for concurrent calls of its other services. */
  gatheredCalls: contract<GatheredCallsServiceHandlers, GatheredCallsServiceDefinition>(
    'common/v1/gathered_calls.proto',
    'common.v1.GatheredCallsService',
  ),
  /** Served by every service with an audit trail. */
  auditLog: contract<AuditServiceHandlers, AuditServiceDefinition>('audit/v1/audit.proto', 'audit.v1.AuditService'),
} as const;

export type Services = typeof services;
