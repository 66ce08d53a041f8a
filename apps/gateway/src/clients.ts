import { services } from '@saleschannel/contracts';
import { createClient, type ServiceIdentity } from '@saleschannel/grpc';
import type { Values } from '@saleschannel/runtime';
import type { environment } from './environment.ts';

/** The services behind the gateway. Each public operation calls one RPC of one of them. */
export function createClients(values: Values<typeof environment>, identity: ServiceIdentity) {
  const { tokens } = identity;
  return {
    identity: createClient(services.identity, { address: values.IDENTITY_ADDRESS, tokens }),
    rbac: createClient(services.rbac, { address: values.RBAC_ADDRESS, tokens }),
    traders: createClient(services.traders, { address: values.TRADERS_ADDRESS, tokens }),
    inventory: createClient(services.inventory, { address: values.INVENTORY_ADDRESS, tokens }),
    ledger: createClient(services.ledger, { address: values.INVENTORY_ADDRESS, tokens }),
    tasks: createClient(services.tasks, { address: values.TASKS_ADDRESS, tokens }),
    events: createClient(services.events, { address: values.EVENTS_ADDRESS, tokens }),
    registryImport: createClient(services.registryImport, { address: values.REGISTRY_IMPORT_ADDRESS, tokens }),
  };
}

export type Clients = ReturnType<typeof createClients>;
