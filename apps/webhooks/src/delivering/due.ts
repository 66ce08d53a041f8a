import type { Delivery } from '../domain/delivery.ts';
import type { EndpointState } from '../store/delivery-runs.ts';
import { findDue, findInOrder } from '../store/due-deliveries.ts';
import type { Batch } from './batch.ts';
import type { DeliveryContext } from './context.ts';

/** Due deliveries per run. */
const MAX_DUE = 50;

/** Returns the attempts that are due now, or undefined if there are none. */
export async function findDueBatch(context: DeliveryContext, endpoint: EndpointState): Promise<Batch | undefined> {
  const deliveries = await findDueDeliveries(context, endpoint);
  return deliveries.length === 0 ? undefined : { deliveries, progressAfter: () => ({}), hasMore: true };
}

/** Tests are sent even to a disabled endpoint. An ordered one gets events only up to the first that is not due. */
async function findDueDeliveries(
  { database, clock }: DeliveryContext,
  endpoint: EndpointState,
): Promise<readonly Delivery[]> {
  const now = clock.now();
  const due = await findDue(database.em(), endpoint.id, now.toISOString(), MAX_DUE);
  const tests = due.filter(({ event }) => event === null);
  if (endpoint.status !== 'ENABLED') return tests;
  if (!endpoint.ordered || due.length === tests.length) return due;
  const waiting = await findInOrder(database.em(), endpoint.id, MAX_DUE);
  const isDue = ({ nextAttemptAt }: Delivery): boolean =>
    nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now.getTime();
  const firstLater = waiting.findIndex((delivery) => !isDue(delivery));
  return [...tests, ...(firstLater === -1 ? waiting : waiting.slice(0, firstLater))];
}
