import { date, fault, faults, shownText, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { checkPort, checkTarget, type TargetRules } from './target.ts';

/** Event types that endpoints may select. */
const eventTypes = ['TRANSACTION_STATUS_CHANGE'] as const;

const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 200;
const MAX_TYPES = 20;
const MAX_OVERLAP_HOURS = 72;

/** `GONE`: the receiver answered 410. `FAILING`: it failed for too long. */
export type DisabledReason = 'MANUAL' | 'GONE' | 'FAILING';

/** Position in the event log of a sales channel. */
export interface LogPosition {
  readonly eventId: string;
  readonly createdAt: string;
}

/** Range of events to deliver again. */
export interface Replay {
  readonly from: string;
  readonly to: string;
  readonly failedOnly: boolean;
  /** Creation time of the last event handled. Null at the start. */
  readonly position: string | null;
}

/** An endpoint as its owners see it. Times are in ISO 8601, UTC, with milliseconds. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  /** Empty for all types. */
  readonly eventTypes: readonly string[];
  readonly ordered: boolean;
  readonly status: 'ENABLED' | 'DISABLED';
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Newest first. */
  readonly secrets: readonly { readonly createdAt: string; readonly expiresAt: string | null }[];
  readonly position: LogPosition | null;
  readonly pendingDeliveries: number;
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  readonly failingSince: string | null;
  readonly replay: Replay | null;
}

const types = z
  .array(z.enum(eventTypes))
  .max(MAX_TYPES)
  .transform((selected): string[] => [...new Set(selected)]);

const target = (rules: TargetRules) =>
  text({ min: 1, max: MAX_URL_LENGTH }).check(({ value, issues }) => {
    const problem = checkTarget(value, rules) ?? checkPort(value, rules);
    if (problem !== undefined) issues.push(fault(faults.format(problem), value));
  });

const description = shownText({ max: MAX_DESCRIPTION_LENGTH });

export const newEndpoint = (rules: TargetRules) =>
  z.object({
    url: target(rules),
    description: description.optional().transform((value) => value || null),
    eventTypes: types,
    ordered: z.boolean(),
  });
export type NewEndpoint = z.output<ReturnType<typeof newEndpoint>>;

/** Undefined values stay unchanged. */
export const endpointChange = (rules: TargetRules) =>
  z.object({
    url: target(rules).optional(),
    description: description.transform((value) => value || null).optional(),
    eventTypes: z
      .object({ types })
      .transform((selection) => selection.types)
      .nullish()
      .transform((value) => value ?? undefined),
    ordered: z.boolean().optional(),
    status: z.enum(['ENABLED', 'DISABLED']).optional(),
  });
export type EndpointChange = z.output<ReturnType<typeof endpointChange>>;

export const rotation = z.object({ overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS) });

/** Clamped to the epoch: no event is older. */
const instant = date.transform((value) => new Date(Math.max(0, value.getTime())).toISOString());

export const newReplay = z.object({ from: instant, to: instant.optional(), failedOnly: z.boolean() });

/** `DOWN`: every attempt gets 503. `LATE`: the next message gets 503 once, with Retry-After. */
export type FaultKind = 'DOWN' | 'LATE';

const MIN_SECONDS = 10;
const MAX_SECONDS = 3_600;
/** Lifetime of an unused `LATE` fault. */
const LATE_LIFETIME_MS = 3_600_000;

export const newFault = z.object({
  endpointId: z.string().optional(),
  fault: z.enum(['DOWN', 'LATE'] satisfies FaultKind[]),
  seconds: z.int().min(MIN_SECONDS).max(MAX_SECONDS),
});
export type NewFault = z.output<typeof newFault>;

/** Active fault of an endpoint. */
export interface Fault {
  readonly kind: FaultKind;
  /** End, in ISO 8601. */
  readonly until: string;
  readonly retryAfterSeconds: number | null;
}

export const toFault = ({ fault, seconds }: NewFault, now: string): Fault => ({
  kind: fault,
  until: new Date(Date.parse(now) + (fault === 'DOWN' ? seconds * 1_000 : LATE_LIFETIME_MS)).toISOString(),
  retryAfterSeconds: fault === 'DOWN' ? null : seconds,
});
