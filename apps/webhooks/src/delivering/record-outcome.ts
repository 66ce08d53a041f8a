import { recordAudit, serviceActor } from '@saleschannel/audit';
import type { DisabledReason } from '../domain/endpoint.ts';
import { lockLeased, type EndpointState, type LockedEndpoint } from '../store/delivery-runs.ts';
import { scheduleNextRun, type NextRun } from '../store/due-deliveries.ts';
import type { Lease } from '../store/leases.ts';
import { writeResult, type RunResult } from '../store/outcomes.ts';
import type { DeliveryContext } from './context.ts';

/**
 * Commits the results of a run together with its progress.
 * @returns undefined once the lease has ended: another replica repeats the work
 */
export function recordOutcome(
  { database, logger, clock }: DeliveryContext,
  loaded: EndpointState,
  lease: Lease,
  result: RunResult,
): Promise<NextRun | undefined> {
  return database.transaction(async (em) => {
    const locked = await lockLeased(em, lease);
    if (!locked) return undefined;
    const { id, salesChannelId } = loaded;
    const applied = hasChanged(loaded, locked) ? withoutPenalty(result, clock.now().toISOString()) : result;
    writeResult(em, id, locked, applied);
    const next = await scheduleNextRun(em, id);
    const reason = locked.status === 'ENABLED' ? applied.disable : undefined;
    if (reason) {
      logger.info({ endpointId: id, salesChannelId, reason }, 'webhook endpoint disabled');
      await recordAudit(em, [disabledByService(id, salesChannelId, reason)]);
    }
    return next;
  });
}

/** True if the owner set another URL, or enabled the endpoint again, while messages were in flight. */
const hasChanged = (loaded: EndpointState, { url, failingSince }: LockedEndpoint): boolean =>
  url !== loaded.url || (loaded.failingSince !== null && failingSince === null);

/**
 * A failure before the owner's change does not count against the endpoint: failed deliveries are due again at once,
 * with a fresh schedule.
 */
const withoutPenalty = (result: RunResult, nextAttemptAt: string): RunResult => ({
  ...result,
  disable: undefined,
  ...(result.failingSince ? { failingSince: result.lastFailureAt } : {}),
  outcomes: result.outcomes.map(({ delivery, attempt }) => ({
    delivery: delivery.status === 'PENDING' ? { ...delivery, scheduleAttempts: 0, nextAttemptAt } : delivery,
    attempt,
  })),
});

const disabledByService = (id: string, salesChannelId: string, disabledReason: DisabledReason) => ({
  action: 'webhooks.endpoint.updated' as const,
  actor: serviceActor('webhooks'),
  scopes: [salesChannelId],
  subject: { type: 'webhook-endpoint', id },
  before: { status: 'ENABLED', disabledReason: null },
  after: { status: 'DISABLED', disabledReason },
});
