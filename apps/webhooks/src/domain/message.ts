import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

/** An entry of the event log. */
export interface LogEvent {
  readonly id: string;
  readonly eventType: string;
  readonly createdAt: string;
  readonly eventAt: string;
  readonly transactionId: string;
  readonly status: string;
}

/** Source of a message's body. */
export interface MessageContent {
  readonly endpointId: string;
  /** Null for a test. */
  readonly event: LogEvent | null;
  /** Preceding event in the sales channel's log. Null for the first event and for a test. */
  readonly previousEventId: string | null;
  /** Creation time of the delivery. */
  readonly createdAt: string;
}

/** Type of a message without an event. */
export const TEST_TYPE = 'TEST';

/** Returns the body, byte for byte the same in every attempt. The event looks as in the list of events. */
export function bodyOf({ endpointId, event, previousEventId, createdAt }: MessageContent): string {
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
