import type { KeyObject } from 'node:crypto';
import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import { bodyOf, signatureOf, type Delivery } from '../domain/delivery.ts';
import type { EventLog } from '../neighbours/event-log.ts';
import type { EndpointState } from '../store/delivery-runs.ts';
import { consumeLateFault, findFault } from '../store/faults.ts';
import type { Lease } from '../store/leases.ts';
import type { RunSlot } from './delivery-queues.ts';
import type { FinishedAttempt } from './outcome.ts';
import type { AttemptResult, Sender } from './sender.ts';
import type { SharedLog } from './shared-log.ts';

/** Dependencies of delivery runs. */
export interface DeliveryContext {
  readonly database: Database;
  readonly log: EventLog;
  /** The same log, read once for all endpoints close to its end. */
  readonly sharedLog: SharedLog;
  readonly sender: Sender;
  /** Only in a sandbox. */
  readonly injectFault: FaultInjector | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Counts an attempt. */
  record(delivery: Delivery, result: AttemptResult, durationMs: number): void;
  /** Decrypts the endpoint's secrets into signing keys, newest first. */
  openKeys(endpoint: EndpointState): Promise<readonly KeyObject[]>;
}

/** One run for one endpoint. */
export interface DeliveryRun {
  readonly lease: Lease;
  readonly slot: RunSlot;
  /** True if the endpoint's last attempt failed. */
  readonly isSuspect: boolean;
  /** False if the log is known to have nothing new for the endpoint. */
  readonly hasEvents: boolean;
  /** False once the lease may expire soon, or the process stops. */
  mayBegin(): boolean;
  /** Aborts attempts in flight. */
  readonly signal: AbortSignal;
}

/** Concurrent messages to one unordered endpoint. */
const MAX_IN_FLIGHT = 8;
/** After this time a run starts no more attempts and records its results. */
const MAX_RUN_MS = 5_000;
const USER_AGENT = 'SalesChannel-Webhooks/1';

/**
 * Sends deliveries in order until one fails or the run must end.
 * @returns attempts in the order in which they ended, and the number of leading deliveries that were tried
 */
export async function sendBatch(
  context: DeliveryContext,
  endpoint: EndpointState,
  run: DeliveryRun,
  deliveries: readonly Delivery[],
): Promise<{ attempts: FinishedAttempt[]; tried: number }> {
  if (deliveries.length === 0) return { attempts: [], tried: 0 };
  const keys = await context.openKeys(endpoint);
  const attempts: FinishedAttempt[] = [];
  const tried = new Set<Delivery>();
  const endsAt = performance.now() + MAX_RUN_MS;
  let next = 0;
  let hasFailed = false;
  const mayBegin = (): boolean =>
    !hasFailed && !run.slot.isSlow() && run.mayBegin() && (next === 0 || performance.now() < endsAt);
  const sendInOrder = async (): Promise<void> => {
    while (next < deliveries.length && mayBegin()) {
      const delivery = deliveries[next++] as Delivery;
      const finished = await run.slot.send(() => attempt(context, endpoint, run, keys, delivery));
      if (!finished) return;
      // A failed test predicts nothing about the waiting events.
      if (finished.result.error !== undefined && delivery.event !== null) hasFailed = true;
      tried.add(delivery);
      attempts.push(finished);
    }
  };
  const concurrency = endpoint.ordered || run.isSuspect ? 1 : MAX_IN_FLIGHT;
  await Promise.all(Array.from({ length: Math.min(concurrency, deliveries.length) }, sendInOrder));
  const firstUntried = deliveries.findIndex((delivery) => !tried.has(delivery));
  return { attempts, tried: firstUntried === -1 ? deliveries.length : firstUntried };
}

/** Returns undefined for an aborted attempt. */
async function attempt(
  { clock, sender, injectFault, record }: DeliveryContext,
  { url }: EndpointState,
  { signal }: DeliveryRun,
  keys: readonly KeyObject[],
  delivery: Delivery,
): Promise<FinishedAttempt | undefined> {
  if (signal.aborted) return undefined;
  const startedMs = clock.now().getTime();
  const began = performance.now();
  const timestamp = Math.floor(startedMs / 1_000);
  const body = bodyOf(delivery);
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': delivery.messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(keys, delivery.messageId, timestamp, body),
  };
  try {
    const result = (await injectFault?.(delivery)) ?? (await sender.send(url, headers, body, signal));
    const durationMs = Math.round(performance.now() - began);
    record(delivery, result, durationMs);
    return { delivery, result, startedMs, endedMs: clock.now().getTime(), durationMs };
  } catch {
    return undefined;
  }
}

const DOWN = 503;

/** Returns a failure instead of sending to the receiver, or undefined to send. */
type FaultInjector = (delivery: Delivery) => Promise<AttemptResult | undefined>;

/** Injects the faults of a sandbox. Each attempt reads them again, so that they take effect immediately. */
export const createFaultInjector =
  (database: Database, clock: Clock): FaultInjector =>
  async ({ endpointId, event }) => {
    const now = clock.now().toISOString();
    const kind = await findFault(database.em(), endpointId, now);
    if (kind === 'DOWN') return failure('The sandbox answers in place of the receiver: webhook-down.');
    // A test has one attempt, so it cannot be late.
    if (kind === undefined || event === null) return undefined;
    const seconds = await consumeLateFault(database.em(), endpointId, now);
    if (seconds === undefined) return undefined;
    return failure('The sandbox answers in place of the receiver: webhook-late.', seconds);
  };

const failure = (text: string, retryAfter?: number): AttemptResult => ({
  statusCode: DOWN,
  error: `answered ${DOWN}`,
  text,
  retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
});
