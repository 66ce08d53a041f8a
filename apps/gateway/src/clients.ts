import type { AuditedService } from '@saleschannel/contracts';
import { createClient, type ServiceClient, type ServiceIdentity } from '@saleschannel/grpc';
import type { Values } from '@saleschannel/runtime';
import type { environment } from './environment.ts';

/** Clients of audit trails, by service. */
export type AuditClients = Readonly<Record<AuditedService, ServiceClient<'auditLog'>>>;

/** Clients of the services behind the gateway. Most public operations call one RPC of one service. */
export interface Clients {
  readonly identity: ServiceClient<'identity'>;
  readonly rbac: ServiceClient<'rbac'>;
  readonly traders: ServiceClient<'traders'>;
  readonly inventory: ServiceClient<'inventory'>;
  readonly publicRegister: ServiceClient<'publicRegister'>;
  readonly ledger: ServiceClient<'ledger'>;
  readonly holdings: ServiceClient<'holdings'>;
  readonly tasks: ServiceClient<'tasks'>;
  readonly events: ServiceClient<'events'>;
  readonly webhooks: ServiceClient<'webhooks'>;
  readonly registryImport: ServiceClient<'registryImport'>;
  readonly holderPortal: ServiceClient<'holderPortal'>;
  /** Undefined outside a sandbox. */
  readonly sandbox: ServiceClient<'sandbox'> | undefined;
  readonly audit: AuditClients;
}

/** Creates the clients. The RPCs listed with a client are look-ups by key, batched across concurrent requests. */
export function createClients(values: Values<typeof environment>, { tokens }: ServiceIdentity): Clients {
  const createAuditClient = (receiver: AuditedService, address: string) =>
    createClient('auditLog', { address, receiver, tokens });
  return {
    identity: createClient('identity', { address: values.IDENTITY_ADDRESS, tokens }, ['Authenticate']),
    rbac: createClient('rbac', { address: values.RBAC_ADDRESS, tokens }, ['GetOwnBinding', 'GetUserBinding']),
    traders: createClient('traders', { address: values.TRADERS_ADDRESS, tokens }, ['GetTrader']),
    inventory: createClient('inventory', { address: values.INVENTORY_ADDRESS, tokens }, [
      'GetTransaction',
      'GetTransactionDetail',
      'GetProductionFacility',
      'GetSupplier',
    ]),
    publicRegister: createClient('publicRegister', { address: values.INVENTORY_ADDRESS, tokens }),
    ledger: createClient('ledger', { address: values.INVENTORY_ADDRESS, tokens }, [
      'GetFacility',
      'GetIssuance',
      'GetRegistryTransaction',
    ]),
    holdings: createClient('holdings', { address: values.INVENTORY_ADDRESS, tokens }, ['GetHolderTransaction']),
    tasks: createClient('tasks', { address: values.TASKS_ADDRESS, tokens }, ['GetTask']),
    events: createClient('events', { address: values.EVENTS_ADDRESS, tokens }),
    webhooks: createClient('webhooks', { address: values.WEBHOOKS_ADDRESS, tokens }),
    registryImport: createClient('registryImport', { address: values.REGISTRY_IMPORT_ADDRESS, tokens }, [
      'GetAccountHolder',
      'GetSubmittedProposal',
      'GetImport',
    ]),
    holderPortal: createClient('holderPortal', { address: values.REGISTRY_IMPORT_ADDRESS, tokens }, ['GetOwnHolder']),
    sandbox: values.SANDBOX ? createClient('sandbox', { address: values.SANDBOX_ADDRESS, tokens }) : undefined,
    audit: {
      identity: createAuditClient('identity', values.IDENTITY_ADDRESS),
      rbac: createAuditClient('rbac', values.RBAC_ADDRESS),
      traders: createAuditClient('traders', values.TRADERS_ADDRESS),
      inventory: createAuditClient('inventory', values.INVENTORY_ADDRESS),
      'registry-import': createAuditClient('registry-import', values.REGISTRY_IMPORT_ADDRESS),
      webhooks: createAuditClient('webhooks', values.WEBHOOKS_ADDRESS),
    },
  };
}
