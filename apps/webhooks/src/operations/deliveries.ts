import { recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { invalidRequest, notFound, requestRefused } from '@saleschannel/errors';
import { newId, type Clock } from '@saleschannel/primitives';
import type { ListedDelivery } from '../domain/delivery.ts';
import type { Endpoint, Replay } from '../domain/endpoint.ts';
import { countTests, findDelivery, insertTest, restart } from '../store/deliveries.ts';
import { beginReplay, wake } from '../store/endpoints.ts';
import { actOn, withEndpoint, type Owned } from './endpoints.ts';

interface Workshop {
  readonly database: Database;
  readonly clock: Clock;
}

/** Of one endpoint that wait for their attempt. */
const TESTS_AT_MOST = 10;

/**
 * Has a message of the type TEST sent, once.
 * @throws DomainError 'not-found' for an endpoint of another channel, 'request-refused' when too many wait
 */
export const testEndpoint = (workshop: Workshop, owned: Owned): Promise<ListedDelivery> =>
  withEndpoint(workshop, owned, async (em, _endpoint, now) => {
    if ((await countTests(em, owned.id)) >= TESTS_AT_MOST)
      throw requestRefused('Too many test messages wait already: try again when they have been sent.');
    const test: ListedDelivery = {
      id: newId(),
      endpointId: owned.id,
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
    wake(em, owned.id, now);
    return test;
  });

/**
 * Tries a delivery again now, with a schedule of its own, whatever became of it.
 * @throws DomainError 'not-found' for a delivery of another endpoint or channel, 'request-refused' while the endpoint is
 * disabled
 */
export const retryDelivery = (workshop: Workshop, owned: Owned, deliveryId: string): Promise<ListedDelivery> =>
  withEndpoint(workshop, owned, async (em, endpoint, now) => {
    const known = await findDelivery(em, deliveryId, owned.id);
    if (!known) throw notFound();
    refuseDisabled(endpoint);
    restart(em, deliveryId, now);
    wake(em, owned.id, now);
    return { ...known, status: 'PENDING', scheduleAttempts: 0, nextAttemptAt: now };
  });

/**
 * Begins to deliver events of the log again.
 * @throws DomainError 'not-found' for an endpoint of another channel, 'invalid-request' for times in the wrong order,
 * 'request-refused' while the endpoint is disabled or another replay is under way
 */
export const replayEvents = (
  workshop: Workshop,
  owned: Owned,
  wanted: { readonly from: string; readonly to?: string | undefined; readonly failedOnly: boolean },
  actor: Actor,
): Promise<Replay> =>
  withEndpoint(workshop, owned, async (em, endpoint, now) => {
    const { from, to = now, failedOnly } = wanted;
    if (from >= to) {
      const fault = wanted.to === undefined ? 'must not lie in the future' : 'must lie before the end';
      throw invalidRequest('The events cannot be replayed.', [
        { pointer: '#/from', code: 'period-order', detail: fault },
      ]);
    }
    refuseDisabled(endpoint);
    if (endpoint.replay) throw requestRefused('A replay is under way at this endpoint: wait until it has ended.');
    beginReplay(em, owned.id, { from, to, failedOnly }, now);
    const after = { from, to, failedOnly };
    await recordAudit(em, [{ ...actOn('webhooks.events.replayed', owned, actor), after }]);
    return { ...after, position: null };
  });

function refuseDisabled({ status }: Endpoint): void {
  if (status === 'DISABLED') throw requestRefused('The webhook endpoint is disabled: enable it first.');
}
