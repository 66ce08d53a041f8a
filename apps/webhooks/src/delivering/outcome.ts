import type { Delivery } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/endpoint.ts';
import { ATTEMPTS_AT_MOST, delayAfter, FAILING_AT_MOST_MS, retryAfterOf } from '../domain/schedule.ts';
import type { Outcome, PassResult } from '../store/passes.ts';
import type { Answer } from './sender.ts';

/** One attempt that has ended. */
export interface Ended {
  readonly delivery: Delivery;
  readonly answer: Answer;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly durationMs: number;
}

/** What decides what becomes of a failed message. */
interface Rules {
  readonly ordered: boolean;
  readonly failingSince: string | null;
  readonly random: () => number;
}

/** The receiver does not want messages any more (RFC 9110 section 15.5.11). */
const GONE = 410;
/** Those that may ask for patience. */
const PATIENCE = new Set([429, 503]);
/** PostgreSQL keeps milliseconds in an int. */
const iso = (ms: number): string => new Date(ms).toISOString();

/** What became of the attempts of a pass, in the order in which they ended. */
export function resultOf(attempts: readonly Ended[], rules: Rules): PassResult {
  const outcomes: Outcome[] = [];
  let { failingSince } = rules;
  let lastSuccessAt: string | undefined;
  let lastFailureAt: string | undefined;
  let disable: DisabledReason | undefined;
  for (const ended of attempts) {
    const isTest = ended.delivery.event === null;
    const outcome = outcomeOf(ended, rules);
    outcomes.push(outcome);
    // A test tells its sender something, and changes nothing.
    if (isTest) continue;
    if (ended.answer.error === undefined) {
      lastSuccessAt = iso(ended.endedMs);
      failingSince = null;
      continue;
    }
    lastFailureAt = iso(ended.endedMs);
    failingSince ??= iso(ended.startedMs);
    if (ended.answer.statusCode === GONE) disable = 'GONE';
    else if (isTooMuch(outcome, failingSince, ended.endedMs, rules)) disable ??= 'FAILING';
  }
  const hasTried = lastSuccessAt !== undefined || lastFailureAt !== undefined;
  return { outcomes, lastSuccessAt, lastFailureAt, disable, ...(hasTried ? { failingSince } : {}) };
}

function isTooMuch({ delivery }: Outcome, failingSince: string, nowMs: number, { ordered }: Rules): boolean {
  if (ordered) return delivery.status === 'PENDING' && delivery.nextAttemptAt === null;
  return nowMs - Date.parse(failingSince) >= FAILING_AT_MOST_MS;
}

function outcomeOf({ delivery, answer, startedMs, endedMs, durationMs }: Ended, { ordered, random }: Rules): Outcome {
  const attemptCount = delivery.attemptCount + 1;
  const scheduleAttempts = delivery.scheduleAttempts + 1;
  const attempt = {
    number: attemptCount,
    startedAt: iso(startedMs),
    durationMs,
    statusCode: answer.statusCode ?? null,
    error: answer.error ?? null,
    answer: answer.text ?? null,
  };
  const tried = { ...delivery, attemptCount, scheduleAttempts, nextAttemptAt: null };
  const ended = (status: 'SUCCESS' | 'FAILED'): Outcome => ({
    delivery: { ...tried, status, endedAt: iso(endedMs) },
    attempt,
  });
  if (answer.error === undefined) return ended('SUCCESS');
  if (delivery.event === null) return ended('FAILED');
  const isPatient = answer.statusCode !== undefined && PATIENCE.has(answer.statusCode);
  const delay = delayAfter(
    scheduleAttempts,
    random(),
    isPatient ? retryAfterOf(answer.retryAfter, endedMs) : undefined,
  );
  const isLast = scheduleAttempts >= ATTEMPTS_AT_MOST;
  if (isLast && !ordered && answer.statusCode !== GONE) return ended('FAILED');
  // One that waits for its endpoint to be enabled again has no time.
  const nextAttemptAt = delay === undefined || answer.statusCode === GONE ? null : iso(endedMs + delay);
  return { delivery: { ...tried, status: 'PENDING', nextAttemptAt, endedAt: null }, attempt };
}
