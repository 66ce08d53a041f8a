import type { OperationId } from '@saleschannel/auth';
import type { Clients } from '../clients.ts';
import type { ContractOperation } from '../contract/document.ts';
import type { Handler } from '../http/pipeline.ts';
import { accountPortal, apiKeys } from './api-keys.ts';
import { assets } from './assets.ts';
import { bindings } from './bindings.ts';
import { events } from './events.ts';
import { imports } from './imports.ts';
import { accountHolders, ledger } from './registry.ts';
import { service, type ServiceOptions } from './service.ts';
import { traders } from './traders.ts';
import { transfers } from './transfers.ts';

/** Operation → handler; an operation of the access table without one does not compile. */
export function handlers(clients: Clients, options: ServiceOptions): Map<string, Handler> {
  const authorized: Record<OperationId, Handler> = {
    ...apiKeys(clients),
    ...accountPortal(clients),
    ...bindings(clients),
    ...traders(clients),
    ...assets(clients),
    ...transfers(clients),
    ...events(clients),
    ...accountHolders(clients),
    ...ledger(clients),
    ...imports(clients),
  };
  return new Map(Object.entries({ ...authorized, ...service(options) }));
}

/** @throws Error when the contract and the handlers are not the same set of operations */
export function assertComplete(operations: readonly ContractOperation[], handlers: ReadonlyMap<string, unknown>): void {
  const promised = new Set(operations.map(({ id }) => id));
  const missing = [...promised].filter((id) => !handlers.has(id));
  const unknown = [...handlers.keys()].filter((id) => !promised.has(id));
  if (missing.length > 0) throw new Error(`operations of the contract without a handler: ${missing.join(', ')}`);
  if (unknown.length > 0)
    throw new Error(`handlers of operations that the contract does not have: ${unknown.join(', ')}`);
}
