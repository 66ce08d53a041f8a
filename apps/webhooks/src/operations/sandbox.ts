import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound, requestRefused } from '@saleschannel/errors';
import type { Clock } from '@saleschannel/primitives';
import type { Endpoint } from '../domain/endpoint.ts';
import { faultOf, type Breakage } from '../domain/fault.ts';
import { listEndpoints, lockChannel, lockEndpoints, markDeleted } from '../store/endpoints.ts';
import { markLeft, setFault } from '../store/faults.ts';
import { actOn, stateOf } from './endpoints.ts';

interface Workshop {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Answers in place of the receivers of a sales channel for a while.
 * @throws DomainError 'not-found' for an endpoint of another channel, 'request-refused' where none is enabled
 */
export const breakEndpoints = (
  { database, clock }: Workshop,
  salesChannelId: string,
  breakage: Breakage,
  actor: Actor,
): Promise<{ endpointIds: string[]; until: string }> =>
  database.transaction(async (em) => {
    const now = clock.now().toISOString();
    const own = await lockedEndpoints(em, salesChannelId, now);
    const named = breakage.endpointId === undefined ? own : own.filter(({ id }) => id === breakage.endpointId);
    if (named.length === 0 && breakage.endpointId !== undefined) throw notFound();
    const endpointIds = named.flatMap(({ id, status }) => (status === 'ENABLED' ? [id] : []));
    if (endpointIds.length === 0)
      throw requestRefused('There is no webhook endpoint that is enabled: make or enable one first.');
    const fault = faultOf(breakage, now);
    setFault(em, endpointIds, fault);
    await recordAudit(
      em,
      endpointIds.map((id) => ({
        ...actOn('webhooks.endpoint.broken', { id, salesChannelId }, actor),
        after: { fault: fault.kind, until: fault.until },
      })),
    );
    return { endpointIds, until: fault.until };
  });

/**
 * Deletes the endpoints of a sales channel that is left for another one. Who makes one at the same time has made it
 * before, or is refused. Again, it does nothing.
 * @returns how many
 */
export const leaveEndpoints = (
  { database, clock }: Workshop,
  salesChannelId: string,
  actor: Actor,
  isDryRun: boolean,
): Promise<number> =>
  database.transaction(async (em) => {
    const now = clock.now().toISOString();
    await lockChannel(em, salesChannelId);
    const endpoints = await lockedEndpoints(em, salesChannelId, now);
    if (isDryRun) return endpoints.length;
    markLeft(em, salesChannelId, now);
    markDeleted(
      em,
      endpoints.map(({ id }) => id),
    );
    await recordAudit(
      em,
      endpoints.map((endpoint) => ({
        ...actOn('webhooks.endpoint.deleted', { id: endpoint.id, salesChannelId }, actor),
        before: stateOf(endpoint),
      })),
    );
    return endpoints.length;
  });

async function lockedEndpoints(em: EntityManager, salesChannelId: string, now: string): Promise<Endpoint[]> {
  await lockEndpoints(em, salesChannelId);
  return listEndpoints(em, salesChannelId, now);
}
