import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { id, timeRange } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** Waiting deliveries of one endpoint. Beyond this limit, events stay in the log. */
export const MAX_PENDING = 1_000;

/** An entry of the event log. */
export interface LogEvent {
  readonly id: string;
  readonly eventType: string;
  readonly createdAt: string;
  readonly eventAt: string;
  readonly transactionId: string;
  readonly status: string;
}

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
  /** Preceding event in the sales channel's log. Null for the first event and for a test. */
  readonly previousEventId: string | null;
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED';
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

/** Type of a message without an event. */
export const TEST_TYPE = 'TEST';

/** Returns the body, byte for byte the same in every attempt. The event looks as in the list of events. */
export function bodyOf({ endpointId, event, previousEventId, createdAt }: Delivery): string {
  if (!event)
    return JSON.stringify({ type: TEST_TYPE, timestamp: createdAt, data: { endpointId }, previousEventId: null });
  const { id, eventType, eventAt, transactionId, status } = event;
  const data = { id, eventType, createdAt: event.createdAt, eventAt, payload: { transactionId, status } };
  return JSON.stringify({ type: eventType, timestamp: event.createdAt, data, previousEventId });
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates a secret in the form of Standard Webhooks. */
export const newSigningSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Converts a secret to a key object, which signs six times faster than bytes. */
export const toSigningKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));

/**
 * Returns the header `webhook-signature` of Standard Webhooks: one signature per key.
 * @param keys newest first
 * @param timestamp time of the attempt, in seconds
 */
export function signatureOf(keys: readonly KeyObject[], messageId: string, timestamp: number, body: string): string {
  const signed = `${messageId}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
