import { createClient, type ServiceClient, type ServiceIdentity } from '@saleschannel/grpc';
import type { Values } from '@saleschannel/runtime';
import type { environment } from './environment.ts';

/** The audit trails of those that keep one. */
export type AuditClients = Readonly<
  Record<'identity' | 'rbac' | 'traders' | 'inventory' | 'registryImport', ServiceClient<'auditLog'>>
>;

/** The services behind the gateway. Each public operation calls one RPC of one of them. */
export interface Clients {
  readonly identity: ServiceClient<'identity'>;
  readonly rbac: ServiceClient<'rbac'>;
  readonly traders: ServiceClient<'traders'>;
  readonly inventory: ServiceClient<'inventory'>;
  readonly ledger: ServiceClient<'ledger'>;
  readonly tasks: ServiceClient<'tasks'>;
  readonly events: ServiceClient<'events'>;
  readonly registryImport: ServiceClient<'registryImport'>;
  readonly audit: AuditClients;
}

export const createClients = (values: Values<typeof environment>, { tokens }: ServiceIdentity): Clients => ({
  identity: createClient('identity', { address: values.IDENTITY_ADDRESS, tokens }),
  rbac: createClient('rbac', { address: values.RBAC_ADDRESS, tokens }),
  traders: createClient('traders', { address: values.TRADERS_ADDRESS, tokens }),
  inventory: createClient('inventory', { address: values.INVENTORY_ADDRESS, tokens }),
  ledger: createClient('ledger', { address: values.INVENTORY_ADDRESS, tokens }),
  tasks: createClient('tasks', { address: values.TASKS_ADDRESS, tokens }),
  events: createClient('events', { address: values.EVENTS_ADDRESS, tokens }),
  registryImport: createClient('registryImport', { address: values.REGISTRY_IMPORT_ADDRESS, tokens }),
  audit: {
    identity: createClient('auditLog', { address: values.IDENTITY_ADDRESS, receiver: 'identity', tokens }),
    rbac: createClient('auditLog', { address: values.RBAC_ADDRESS, receiver: 'rbac', tokens }),
    traders: createClient('auditLog', { address: values.TRADERS_ADDRESS, receiver: 'traders', tokens }),
    inventory: createClient('auditLog', { address: values.INVENTORY_ADDRESS, receiver: 'inventory', tokens }),
    registryImport: createClient('auditLog', {
      address: values.REGISTRY_IMPORT_ADDRESS,
      receiver: 'registry-import',
      tokens,
    }),
  },
});
