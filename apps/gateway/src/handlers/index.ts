import type { Clients } from '../clients.ts';
import { EntityTags } from '../http/entity-tags.ts';
import type { Handlers } from '../http/pipeline.ts';
import { convertHandlers, type PreviousHandlers } from '../previous-generation/handlers.ts';
import { createAccountHolderHandlers, createHolderHandlers } from './account-holders.ts';
import { createAssetHandlers } from './assets.ts';
import { createAuditHandlers } from './audit.ts';
import {
  createBindingHandlers,
  createPeopleHandlers,
  createInvitationHandlers,
  type InvitationOptions,
  createSessionHandlers,
} from './people.ts';
import { createEventStreamHandlers, type EventStreamOptions, createEventHandlers } from './events.ts';
import { createImportHandlers } from './imports.ts';
import { createIssuanceHandlers, createRegistryHandlers } from './registry.ts';
import { createApiKeyHandlers, createKeyDetailHandlers, createRegistryKeyHandlers } from './keys.ts';
import { createPublicHandlers } from './public-register.ts';
import { createSandboxHandlers } from './sandbox.ts';
import { createSearchHandlers } from './search.ts';
import { createServiceHandlers, type ServiceOptions } from './service.ts';
import { TaskWaits, type TaskWaitsOptions } from './task-waits.ts';
import { createTaskHandlers } from './tasks.ts';
import { createTraderHandlers } from './traders.ts';
import { createTransferBatcher, createTransferHandlers } from './transfers.ts';
import { createWebhookHandlers } from './webhooks.ts';

/** Operation → handler, per generation of the API. An operation without a handler does not compile. */
export function createHandlers(
  clients: Clients,
  options: ServiceOptions & InvitationOptions & EventStreamOptions & TaskWaitsOptions,
): { current: Handlers; previous: PreviousHandlers } {
  const waits = new TaskWaits((request, call) => clients.tasks.WaitForTasks(request, call), options);
  const dependencies = { batcher: createTransferBatcher(clients), waits };
  const current: Handlers = {
    ...createServiceHandlers(options),
    ...createApiKeyHandlers(clients),
    ...createRegistryKeyHandlers(clients),
    ...createKeyDetailHandlers(clients),
    ...createSessionHandlers(clients),
    ...createPeopleHandlers(clients),
    ...createSearchHandlers(clients),
    ...createHolderHandlers(clients),
    ...createBindingHandlers(clients),
    ...createInvitationHandlers(clients, options),
    ...createTraderHandlers(clients),
    ...createAssetHandlers(clients, new EntityTags(options.contract, 'current')),
    ...createTransferHandlers(clients, dependencies),
    ...createPublicHandlers(clients),
    ...createTaskHandlers(clients),
    ...createEventHandlers(clients),
    ...createEventStreamHandlers(clients, options),
    ...createWebhookHandlers(clients),
    ...createSandboxHandlers(clients),
    ...createAuditHandlers(clients),
    ...createAccountHolderHandlers(clients),
    ...createRegistryHandlers(clients),
    ...createIssuanceHandlers(clients),
    ...createImportHandlers(clients),
  };
  const previous = {
    ...current,
    ...createAssetHandlers(clients, new EntityTags(options.contract, 'previous')),
    ...createTransferHandlers(clients, dependencies, { previousGeneration: true }),
  };
  return { current, previous: convertHandlers(previous) };
}
