import { fileURLToPath } from 'node:url';
import {
  loadPackageDefinition,
  type GrpcObject,
  type ServiceClientConstructor,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { EventsDefinition, EventsHandlers } from './gen/events/v1/Events.ts';
import type { IdentityDefinition, IdentityHandlers } from './gen/identity/v1/Identity.ts';
import type { UserDirectoryDefinition, UserDirectoryHandlers } from './gen/identity/v1/UserDirectory.ts';
import type { InventoryDefinition, InventoryHandlers } from './gen/inventory/v1/Inventory.ts';
import type { LedgerDefinition, LedgerHandlers } from './gen/inventory/v1/Ledger.ts';
import type { SelectionChecksDefinition, SelectionChecksHandlers } from './gen/inventory/v1/SelectionChecks.ts';
import type { BindingDirectoryDefinition, BindingDirectoryHandlers } from './gen/rbac/v1/BindingDirectory.ts';
import type { RbacDefinition, RbacHandlers } from './gen/rbac/v1/Rbac.ts';
import type { RbacAdministrationDefinition, RbacAdministrationHandlers } from './gen/rbac/v1/RbacAdministration.ts';
import type {
  AccountHolderDirectoryDefinition,
  AccountHolderDirectoryHandlers,
} from './gen/registry_import/v1/AccountHolderDirectory.ts';
import type { RegistryImportDefinition, RegistryImportHandlers } from './gen/registry_import/v1/RegistryImport.ts';
import type { TasksDefinition, TasksHandlers } from './gen/tasks/v1/Tasks.ts';
import type { TraderDirectoryDefinition, TraderDirectoryHandlers } from './gen/traders/v1/TraderDirectory.ts';
import type { TradersDefinition, TradersHandlers } from './gen/traders/v1/Traders.ts';

/** Where the proto files lie: beside the libraries in the repository and in every image. */
const protoDirectory = fileURLToPath(new URL('../../../protos', import.meta.url));

/** One gRPC service: its name, its types, and its definition, loaded at first use with the one set of loader options. */
export interface ServiceContract<Handlers, Definition> {
  readonly name: string;
  readonly definition: ServiceDefinition;
  /** RPCs that must not be sent twice: a repetition would make a second record. */
  readonly notRepeatable: readonly string[];
  /** Types only; never set. */
  readonly types?: { handlers: Handlers; definition: Definition };
}

const loadedFiles = new Map<string, GrpcObject>();

function load(file: string, name: string): ServiceDefinition {
  let loaded = loadedFiles.get(file);
  if (!loaded) {
    const options = { includeDirs: [protoDirectory], longs: String, enums: String, defaults: true, oneofs: true };
    loaded = loadPackageDefinition(loadSync(file, options));
    loadedFiles.set(file, loaded);
  }
  const client = name
    .split('.')
    .reduce<unknown>((node, part) => (node as GrpcObject)[part], loaded) as ServiceClientConstructor;
  return client.service;
}

const contract = <Handlers, Definition>(
  file: string,
  name: string,
  notRepeatable: string[] = [],
): ServiceContract<Handlers, Definition> => ({
  name,
  notRepeatable,
  get definition() {
    return load(file, name);
  },
});

export const services = {
  identity: contract<IdentityHandlers, IdentityDefinition>('identity/v1/identity.proto', 'identity.v1.Identity', [
    'CreateApiKey',
    'CreateRegistryKey',
  ]),
  userDirectory: contract<UserDirectoryHandlers, UserDirectoryDefinition>(
    'identity/v1/identity.proto',
    'identity.v1.UserDirectory',
    ['IssueApiKey', 'IssueRegistryKey'],
  ),
  rbac: contract<RbacHandlers, RbacDefinition>('rbac/v1/rbac.proto', 'rbac.v1.Rbac'),
  bindingDirectory: contract<BindingDirectoryHandlers, BindingDirectoryDefinition>(
    'rbac/v1/rbac.proto',
    'rbac.v1.BindingDirectory',
  ),
  rbacAdministration: contract<RbacAdministrationHandlers, RbacAdministrationDefinition>(
    'rbac/v1/rbac.proto',
    'rbac.v1.RbacAdministration',
    ['CreateSalesChannel'],
  ),
  traders: contract<TradersHandlers, TradersDefinition>('traders/v1/traders.proto', 'traders.v1.Traders'),
  traderDirectory: contract<TraderDirectoryHandlers, TraderDirectoryDefinition>(
    'traders/v1/traders.proto',
    'traders.v1.TraderDirectory',
  ),
  inventory: contract<InventoryHandlers, InventoryDefinition>('inventory/v1/inventory.proto', 'inventory.v1.Inventory'),
  selectionChecks: contract<SelectionChecksHandlers, SelectionChecksDefinition>(
    'inventory/v1/inventory.proto',
    'inventory.v1.SelectionChecks',
  ),
  ledger: contract<LedgerHandlers, LedgerDefinition>('inventory/v1/inventory.proto', 'inventory.v1.Ledger', ['Onramp']),
  tasks: contract<TasksHandlers, TasksDefinition>('tasks/v1/tasks.proto', 'tasks.v1.Tasks'),
  events: contract<EventsHandlers, EventsDefinition>('events/v1/events.proto', 'events.v1.Events'),
  registryImport: contract<RegistryImportHandlers, RegistryImportDefinition>(
    'registry_import/v1/registry_import.proto',
    'registry_import.v1.RegistryImport',
    ['StartImport', 'Onramp'],
  ),
  accountHolderDirectory: contract<AccountHolderDirectoryHandlers, AccountHolderDirectoryDefinition>(
    'registry_import/v1/registry_import.proto',
    'registry_import.v1.AccountHolderDirectory',
  ),
} as const;
