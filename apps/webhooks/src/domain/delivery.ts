import { id, timeRange } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { LogEvent } from './message.ts';

export type DeliveryStatus = 'PENDING' | 'SUCCESS' | 'FAILED';

/** Waiting deliveries of one endpoint. Beyond this limit, events stay in the log. */
export const MAX_PENDING = 1_000;

/** An attempt to deliver a message. */
export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null without a response. */
  readonly statusCode: number | null;
  /** Reason of a failure, as text for people. */
  readonly error: string | null;
  /** First kilobyte of the response. */
  readonly answer: string | null;
}

/** A message to an endpoint. */
export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly messageId: string;
  /** Null for a test. */
  readonly event: LogEvent | null;
  readonly previousEventId: string | null;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  /** Attempts of the current schedule. */
  readonly scheduleAttempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
}

export interface ListedDelivery extends Delivery {
  readonly lastAttempt: Attempt | null;
}

export const deliveryFilter = z.object({
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).optional(),
  eventId: id.optional(),
  createdAt: timeRange,
});
export type DeliveryFilter = z.output<typeof deliveryFilter>;
