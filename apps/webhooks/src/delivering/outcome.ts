import { recordAudit, serviceActor } from '@saleschannel/audit';
import type { Delivery } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/endpoint.ts';
import { computeDelay, MAX_ATTEMPTS, MAX_FAILING_MS, parseRetryAfter } from '../domain/schedule.ts';
import {
  lockLeased,
  scheduleNextRun,
  writeResult,
  type AttemptsSummary,
  type EndpointState,
  type LockedEndpoint,
  type NextRun,
  type Outcome,
  type RunResult,
} from '../store/delivery-runs.ts';
import type { Lease } from '../store/leases.ts';
import type { DeliveryContext } from './attempts.ts';
import type { AttemptResult } from './sender.ts';

export interface FinishedAttempt {
  readonly delivery: Delivery;
  readonly result: AttemptResult;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly durationMs: number;
}

interface Rules extends Pick<EndpointState, 'ordered' | 'failingSince'> {
  readonly random: () => number;
}

/** The receiver wants no more messages (RFC 9110 section 15.5.11). */
const GONE = 410;
/** Statuses whose Retry-After is honoured. */
const RETRY_AFTER_STATUSES = new Set([429, 503]);
const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Computes the new state of deliveries and endpoint.
 * @param attempts in the order in which they ended
 */
export function summarizeAttempts(attempts: readonly FinishedAttempt[], rules: Rules): AttemptsSummary {
  const outcomes: Outcome[] = [];
  let { failingSince } = rules;
  let lastSuccessAt: string | undefined;
  let lastFailureAt: string | undefined;
  let disable: DisabledReason | undefined;
  for (const finished of attempts) {
    const outcome = toOutcome(finished, rules);
    outcomes.push(outcome);
    // A test informs its sender and does not change the endpoint.
    if (finished.delivery.event === null) continue;
    if (finished.result.error === undefined) {
      lastSuccessAt = iso(finished.endedMs);
      failingSince = null;
      continue;
    }
    lastFailureAt = iso(finished.endedMs);
    failingSince ??= iso(finished.startedMs);
    if (finished.result.statusCode === GONE) disable = 'GONE';
    else if (hasFailedTooLong(outcome, failingSince, finished.endedMs, rules)) disable ??= 'FAILING';
  }
  const hasEvents = lastSuccessAt !== undefined || lastFailureAt !== undefined;
  return { outcomes, lastSuccessAt, lastFailureAt, disable, ...(hasEvents ? { failingSince } : {}) };
}

/** An ordered endpoint fails with its first exhausted schedule, another one after MAX_FAILING_MS without a success. */
function hasFailedTooLong({ delivery }: Outcome, failingSince: string, nowMs: number, { ordered }: Rules): boolean {
  if (ordered) return delivery.status === 'PENDING' && delivery.nextAttemptAt === null;
  return nowMs - Date.parse(failingSince) >= MAX_FAILING_MS;
}

function toOutcome(finished: FinishedAttempt, { ordered, random }: Rules): Outcome {
  const { delivery, result, startedMs, endedMs, durationMs } = finished;
  const attemptCount = delivery.attemptCount + 1;
  const scheduleAttempts = delivery.scheduleAttempts + 1;
  const attempt = {
    number: attemptCount,
    startedAt: iso(startedMs),
    durationMs,
    statusCode: result.statusCode ?? null,
    error: result.error ?? null,
    answer: result.text ?? null,
  };
  const tried = { ...delivery, attemptCount, scheduleAttempts, nextAttemptAt: null };
  const ended = (status: 'SUCCESS' | 'FAILED'): Outcome => ({
    delivery: { ...tried, status, endedAt: iso(endedMs) },
    attempt,
  });
  if (result.error === undefined) return ended('SUCCESS');
  if (delivery.event === null) return ended('FAILED');
  const maySetDelay = result.statusCode !== undefined && RETRY_AFTER_STATUSES.has(result.statusCode);
  const delay = computeDelay(
    scheduleAttempts,
    random(),
    maySetDelay ? parseRetryAfter(result.retryAfter, endedMs) : undefined,
  );
  const isLast = scheduleAttempts >= MAX_ATTEMPTS;
  if (isLast && !ordered && result.statusCode !== GONE) return ended('FAILED');
  // Without a time, the delivery waits until its endpoint is enabled again.
  const nextAttemptAt = delay === undefined || result.statusCode === GONE ? null : iso(endedMs + delay);
  return { delivery: { ...tried, status: 'PENDING', nextAttemptAt, endedAt: null }, attempt };
}

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
