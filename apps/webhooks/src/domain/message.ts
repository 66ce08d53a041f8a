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

/** What a message tells. */
export interface MessageContent {
  readonly endpointId: string;
  /** Null for a test. */
  readonly event: LogEvent | null;
  /** The event that was recorded before it in the log of the sales channel. Null for the first one, and for a test. */
  readonly previousEventId: string | null;
  /** When the delivery was made. */
  readonly createdAt: string;
}

/** The type of a message that tells of no event. */
export const TEST = 'TEST';

/** The body of a message: the same in every attempt, byte for byte. The event is as the list of events shows it. */
export function bodyOf({ endpointId, event, previousEventId, createdAt }: MessageContent): string {
  if (!event) return JSON.stringify({ type: TEST, timestamp: createdAt, data: { endpointId }, previousEventId: null });
  const { id, eventType, eventAt, transactionId, status } = event;
  const data = { id, eventType, createdAt: event.createdAt, eventAt, payload: { transactionId, status } };
  return JSON.stringify({ type: eventType, timestamp: event.createdAt, data, previousEventId });
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A secret as Standard Webhooks writes it. */
export const newSigningSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** What signs. A key object costs a sixth of what bytes cost, each time it is used. */
export const keyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));

/**
 * The header webhook-signature of Standard Webhooks: one signature for each key.
 * @param keys newest first
 * @param timestamp of the attempt, in seconds
 */
export function signatureOf(keys: readonly KeyObject[], messageId: string, timestamp: number, body: string): string {
  const signed = `${messageId}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
