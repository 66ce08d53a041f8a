import { id, timeRange } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { LogEvent } from './message.ts';

export type DeliveryStatus = 'PENDING' | 'SUCCESS' | 'FAILED';

/** Deliveries of one endpoint that wait for an attempt. Beyond it the log keeps what follows. */
export const PENDING_AT_MOST = 1_000;

/** One attempt to deliver a message. */
export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null without an answer. */
  readonly statusCode: number | null;
  /** Why it failed, for people. */
  readonly error: string | null;
  /** The first kilobyte of the answer. */
  readonly answer: string | null;
}

/** One message to one endpoint. */
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

/** With its last attempt, as lists show it. */
export interface ListedDelivery extends Delivery {
  readonly lastAttempt: Attempt | null;
}

export const deliveryFilter = z.object({
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).optional(),
  eventId: id.optional(),
  createdAt: timeRange,
});
export type DeliveryFilter = z.output<typeof deliveryFilter>;
