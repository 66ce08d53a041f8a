import type { Clients } from '../clients.ts';
import { EntityTags } from '../http/entity-tags.ts';
import type { Handlers } from '../http/pipeline.ts';
import { previousHandlers, type PreviousHandlers } from '../previous-generation/handlers.ts';
import { accountHolders } from './account-holders.ts';
import { assets } from './assets.ts';
import { audit } from './audit.ts';
import { bindings } from './bindings.ts';
import { eventStreams, type EventStreamOptions } from './event-streams.ts';
import { events } from './events.ts';
import { holder } from './holder.ts';
import { imports } from './imports.ts';
import { issuances } from './issuances.ts';
import { invitations, type InvitationOptions } from './invitations.ts';
import { apiKeys, keyDetails, registryKeys } from './keys.ts';
import { ownSessions } from './sessions.ts';
import { people } from './people.ts';
import { publicRegister } from './public-register.ts';
import { registry } from './registry.ts';
import { sandbox } from './sandbox.ts';
import { search } from './search.ts';
import { service, type ServiceOptions } from './service.ts';
import { TaskWaits, type TaskWaitsOptions } from './task-waits.ts';
import { tasks } from './tasks.ts';
import { traders } from './traders.ts';
import { createTransferBatcher, transfers } from './transfers.ts';
import { webhooks } from './webhooks.ts';

/** Operation → handler, per generation of the API. An operation without a handler does not compile. */
export function handlers(
  clients: Clients,
  options: ServiceOptions & InvitationOptions & EventStreamOptions & TaskWaitsOptions,
): { current: Handlers; previous: PreviousHandlers } {
  const waits = new TaskWaits((request, call) => clients.tasks.WaitForTasks(request, call), options);
  const dependencies = { batcher: createTransferBatcher(clients), waits };
  const current: Handlers = {
    ...service(options),
    ...apiKeys(clients),
    ...registryKeys(clients),
    ...keyDetails(clients),
    ...ownSessions(clients),
    ...people(clients),
    ...search(clients),
    ...holder(clients),
    ...bindings(clients),
    ...invitations(clients, options),
    ...traders(clients),
    ...assets(clients, new EntityTags(options.contract, 'current')),
    ...transfers(clients, dependencies),
    ...publicRegister(clients),
    ...tasks(clients),
    ...events(clients),
    ...eventStreams(clients, options),
    ...webhooks(clients),
    ...sandbox(clients),
    ...audit(clients),
    ...accountHolders(clients),
    ...registry(clients),
    ...issuances(clients),
    ...imports(clients),
  };
  const previous = {
    ...current,
    ...assets(clients, new EntityTags(options.contract, 'previous')),
    ...transfers(clients, dependencies, { previousGeneration: true }),
  };
  return { current, previous: previousHandlers(previous) };
}
