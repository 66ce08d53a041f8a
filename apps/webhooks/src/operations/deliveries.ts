import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import { invalidRequest, notFound, requestRefused } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { ListedDelivery } from '../domain/delivery.ts';
import type { Endpoint, Replay } from '../domain/endpoint.ts';
import { countTests, findDelivery, insertTest, restartDelivery } from '../store/deliveries.ts';
import { beginReplay, requestRun } from '../store/endpoints.ts';
import { toAuditEntry, withEndpoint, type Dependencies, type EndpointRef } from './endpoints.ts';

/** Pending tests of one endpoint. */
const MAX_TESTS = 10;

/**
 * Sends one message of the type TEST.
 * @throws DomainError 'not-found' for another channel's endpoint, 'request-refused' while too many are pending
 */
export const testEndpoint = (dependencies: Dependencies, endpointRef: EndpointRef): Promise<ListedDelivery> =>
  withEndpoint(dependencies, endpointRef, async (em, _endpoint, now) => {
    if ((await countTests(em, endpointRef.id)) >= MAX_TESTS)
      throw requestRefused('Too many test messages are waiting. Retry after they were sent.');
    const test: ListedDelivery = {
      id: newId(),
      endpointId: endpointRef.id,
      messageId: newId(),
      event: null,
      previousEventId: null,
      status: 'PENDING',
      attemptCount: 0,
      scheduleAttempts: 0,
      createdAt: now,
      nextAttemptAt: now,
      lastAttempt: null,
    };
    insertTest(em, test);
    requestRun(em, endpointRef.id, now);
    return test;
  });

/**
 * Restarts the schedule of a delivery now, regardless of its status.
 * @throws DomainError 'not-found' for a delivery of another endpoint or channel, 'request-refused' while the endpoint
 * is disabled
 */
export const retryDelivery = (
  dependencies: Dependencies,
  endpointRef: EndpointRef,
  deliveryId: string,
): Promise<ListedDelivery> =>
  withEndpoint(dependencies, endpointRef, async (em, endpoint, now) => {
    const known = await findDelivery(em, deliveryId, endpointRef.id);
    if (!known) throw notFound();
    refuseDisabled(endpoint);
    restartDelivery(em, deliveryId, now);
    requestRun(em, endpointRef.id, now);
    return { ...known, status: 'PENDING', scheduleAttempts: 0, nextAttemptAt: now };
  });

/**
 * Starts to deliver events of the log again.
 * @throws DomainError 'not-found' for another channel's endpoint, 'invalid-request' for times in the wrong order,
 * 'request-refused' while the endpoint is disabled or another replay is under way
 */
export const replayEvents = (
  dependencies: Dependencies,
  endpointRef: EndpointRef,
  range: { readonly from: string; readonly to?: string | undefined; readonly failedOnly: boolean },
  actor: Actor,
): Promise<Replay> =>
  withEndpoint(dependencies, endpointRef, async (em, endpoint, now) => {
    const { from, to = now, failedOnly } = range;
    if (from >= to) {
      const detail = range.to === undefined ? 'must not be in the future' : 'must be before the end';
      throw invalidRequest('The events cannot be replayed.', [{ pointer: '#/from', code: 'period-order', detail }]);
    }
    refuseDisabled(endpoint);
    if (endpoint.replay) throw requestRefused('A replay of this endpoint is under way. Retry after it has ended.');
    const after = { from, to, failedOnly };
    beginReplay(em, endpointRef.id, after, now);
    await recordAudit(em, [{ ...toAuditEntry('webhooks.events.replayed', endpointRef, actor), after }]);
    return { ...after, position: null };
  });

function refuseDisabled({ status }: Endpoint): void {
  if (status === 'DISABLED') throw requestRefused('The webhook endpoint is disabled. Enable it first.');
}
