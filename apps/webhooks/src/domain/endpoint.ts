import { date, fault, faults, shownText, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { faultOfPort, faultOfTarget, type TargetRules } from './target.ts';

/** What endpoints get of the log. More types may come. */
const eventTypes = ['TRANSACTION_STATUS_CHANGE'] as const;

const URL_LENGTH_AT_MOST = 2_048;
const DESCRIPTION_LENGTH_AT_MOST = 200;
const TYPES_AT_MOST = 20;
const OVERLAP_HOURS_AT_MOST = 72;

export type EndpointStatus = 'ENABLED' | 'DISABLED';
/** GONE: the receiver answered 410. FAILING: it failed for too long. */
export type DisabledReason = 'MANUAL' | 'GONE' | 'FAILING';

/** A place in the event log of a sales channel. */
export interface LogPosition {
  readonly eventId: string;
  readonly createdAt: string;
}

/** Events that are delivered again. */
export interface Replay {
  readonly from: string;
  readonly to: string;
  readonly failedOnly: boolean;
  /** Up to when events were taken up. */
  readonly position: string | null;
}

/** An endpoint as its owners see it. Times are ISO 8601 in UTC with milliseconds. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  /** Empty: all. */
  readonly eventTypes: readonly string[];
  readonly ordered: boolean;
  readonly status: EndpointStatus;
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
  .max(TYPES_AT_MOST)
  .transform((given): string[] => [...new Set(given)]);

const target = (rules: TargetRules) =>
  text({ min: 1, max: URL_LENGTH_AT_MOST }).check(({ value, issues }) => {
    const found = faultOfTarget(value, rules) ?? faultOfPort(value, rules);
    if (found !== undefined) issues.push(fault(faults.format(found), value));
  });

const description = shownText({ max: DESCRIPTION_LENGTH_AT_MOST });

export const newEndpoint = (rules: TargetRules) =>
  z.object({
    url: target(rules),
    description: description.optional().transform((given) => given || null),
    eventTypes: types,
    ordered: z.boolean(),
  });
export type NewEndpoint = z.output<ReturnType<typeof newEndpoint>>;

/** What is undefined stays. */
export const endpointChange = (rules: TargetRules) =>
  z.object({
    url: target(rules).optional(),
    description: description.transform((given) => given || null).optional(),
    eventTypes: z
      .object({ types })
      .transform((given) => given.types)
      .nullish()
      .transform((given) => given ?? undefined),
    ordered: z.boolean().optional(),
    status: z.enum(['ENABLED', 'DISABLED']).optional(),
  });
export type EndpointChange = z.output<ReturnType<typeof endpointChange>>;

export const rotation = z.object({ overlapHours: z.int().min(0).max(OVERLAP_HOURS_AT_MOST) });

/** Nothing was recorded before the epoch. */
const instant = date.transform((value) => new Date(Math.max(0, value.getTime())).toISOString());

export const newReplay = z.object({ from: instant, to: instant.optional(), failedOnly: z.boolean() });
