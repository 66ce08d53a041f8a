import type { AuditedService } from '@saleschannel/contracts';
import { createClient, type ServiceIdentity } from '@saleschannel/grpc';
import type { Values } from '@saleschannel/runtime';
import type { environment } from './environment.ts';

/** Clients of the services behind the gateway. Most public operations call one RPC of one service. */
export type Clients = ReturnType<typeof createClients>;

/** Creates the clients. The RPCs listed with a client are look-ups by key, batched across concurrent requests. */
export function createClients(values: Values<typeof environment>, { tokens }: ServiceIdentity) {
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
    /** Undefined outside a sandbox. */
    sandbox: values.SANDBOX ? createClient('sandbox', { address: values.SANDBOX_ADDRESS, tokens }) : undefined,
    /** Clients of audit trails. */
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
