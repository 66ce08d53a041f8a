import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import { toFault, type Endpoint, type NewFault } from '../domain/endpoint.ts';
import { listEndpoints, lockChannel, lockEndpoints, markDeleted } from '../store/endpoints.ts';
import { markReplaced, setFault } from '../store/faults.ts';
import { toAuditEntry, toAuditState, type Dependencies } from './endpoints.ts';

/**
 * Injects a fault into deliveries of a sales channel for a limited time.
 * @throws DomainError 'not-found' for another channel's endpoint, 'request-refused' if none is enabled
 */
export const breakEndpoints = (
  { database, clock }: Dependencies,
  salesChannelId: string,
  newFault: NewFault,
  actor: Actor,
): Promise<{ endpointIds: string[]; until: string }> =>
  database.transaction(async (em) => {
    const now = clock.now().toISOString();
    const own = await lockAndList(em, salesChannelId, now);
    const named = newFault.endpointId === undefined ? own : own.filter(({ id }) => id === newFault.endpointId);
    if (named.length === 0 && newFault.endpointId !== undefined) throw notFound();
    const endpointIds = named.flatMap(({ id, status }) => (status === 'ENABLED' ? [id] : []));
    if (endpointIds.length === 0) throw requestRefused('No webhook endpoint is enabled. Create or enable one first.');
    const fault = toFault(newFault, now);
    setFault(em, endpointIds, fault);
    await recordAudit(
      em,
      endpointIds.map((id) => ({
        ...toAuditEntry('webhooks.endpoint.broken', { id, salesChannelId }, actor),
        after: { fault: fault.kind, until: fault.until },
      })),
    );
    return { endpointIds, until: fault.until };
  });

/**
 * Deletes the endpoints of a sales channel that a reset replaces. A concurrent creation comes first or is refused.
 * Idempotent.
 * @returns the number of endpoints
 */
export const deleteReplacedEndpoints = (
  { database, clock }: Dependencies,
  salesChannelId: string,
  actor: Actor,
  isDryRun: boolean,
): Promise<number> =>
  database.transaction(async (em) => {
    const now = clock.now().toISOString();
    await lockChannel(em, salesChannelId);
    const endpoints = await lockAndList(em, salesChannelId, now);
    if (isDryRun) return endpoints.length;
    markReplaced(em, salesChannelId, now);
    markDeleted(
      em,
      endpoints.map(({ id }) => id),
    );
    await recordAudit(
      em,
      endpoints.map((endpoint) => ({
        ...toAuditEntry('webhooks.endpoint.deleted', { id: endpoint.id, salesChannelId }, actor),
        before: toAuditState(endpoint),
      })),
    );
    return endpoints.length;
  });

async function lockAndList(em: EntityManager, salesChannelId: string, now: string): Promise<Endpoint[]> {
  await lockEndpoints(em, salesChannelId);
  return listEndpoints(em, salesChannelId, now);
}
