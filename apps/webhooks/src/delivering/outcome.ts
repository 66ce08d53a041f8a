import type { Delivery } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/endpoint.ts';
import { computeDelay, MAX_ATTEMPTS, MAX_FAILING_MS, parseRetryAfter } from '../domain/schedule.ts';
import type { AttemptsSummary, Outcome } from '../store/outcomes.ts';
import type { AttemptResult } from './sender.ts';

export interface FinishedAttempt {
  readonly delivery: Delivery;
  readonly result: AttemptResult;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly durationMs: number;
}

interface Rules {
  readonly ordered: boolean;
  readonly failingSince: string | null;
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
