import { SalesChannelError } from './errors.ts';
import { readJson } from './json.ts';
import type { Event } from './types.ts';

/** Why a message was refused. */
export type WebhookFault = 'headers' | 'timestamp' | 'signature' | 'body';

/** The message is not from the service, or is too old. Respond with 400. */
export class WebhookVerificationError extends SalesChannelError {
  override name = 'WebhookVerificationError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

interface WebhookMessageOf<Type extends string, Data> {
  /** The same in every attempt: process each id once. */
  readonly id: string;
  readonly type: Type;
  readonly timestamp: string;
  readonly data: Data;
  /** Previous event delivered to the endpoint. Null for the first event, and for a test. */
  readonly previousEventId: string | null;
}

/** Messages of the service. Later versions may add types. */
export type WebhookMessage =
  WebhookMessageOf<'TRANSACTION_STATUS_CHANGE', Event> | WebhookMessageOf<'TEST', { readonly endpointId: string }>;

/** Headers of the web, of a library with `get`, or of `node:http`. */
type Headerlike = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** As received, before any parser. */
  readonly body: string | Uint8Array;
  readonly headers: Headerlike;
  /** `whsec_…`. During a rotation, both the old and the new secret. */
  readonly secrets: string | readonly string[];
  /** Maximum age of a message, and maximum offset of its clock. Default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/** Key type available in Node and browsers. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const TOLERANCE_SECONDS = 300;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

const hasGet = (headers: Headerlike): headers is Pick<Headers, 'get'> => typeof headers.get === 'function';

function readHeader(headers: Headerlike, name: string): string {
  const header = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const values = [header].flat();
  const [value] = values;
  if (values.length === 1 && typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('headers', `The header ${name} is missing or repeated`);
}

/** Undefined unless valid base64. */
function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** @throws TypeError that does not contain the secret */
function importKey(secret: unknown): Promise<Key> {
  // Other values would be converted to text: `null` is valid Base64.
  const bytes = typeof secret === 'string' ? decodeBase64(SECRET.exec(secret)?.[1] ?? '-') : undefined;
  if (bytes === undefined || bytes.length === 0) throw new TypeError('a secret has the form whsec_<base64>');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  const all = new Uint8Array(head.length + content.length);
  all.set(head);
  all.set(content, head.length);
  return all;
}

/** Accepts any signature by any of the secrets. The platform compares in constant time. */
async function isSigned(header: string, signed: Uint8Array<ArrayBuffer>, keys: readonly Key[]): Promise<boolean> {
  const signatures = header
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => decodeBase64(each.slice('v1,'.length)) ?? []);
  for (const signature of signatures) {
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function parseMessage(id: string, body: string | Uint8Array): WebhookMessage {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const message = readJson(text) as { type?: unknown };
    if (typeof message.type === 'string') return { ...message, id } as WebhookMessage;
  } catch {
    // Reported below.
  }
  throw new WebhookVerificationError('body', 'The body is not a message of the service');
}

/**
 * Verifies a message signed by the service (Standard Webhooks 1.0).
 * @throws WebhookVerificationError for an invalid message, TypeError for an invalid secret
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookMessage> {
  const { body, headers, secrets, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options;
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError('body must be the text or bytes as received, before any parser');
  const keys = await Promise.all([secrets].flat().map(importKey));
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signature = readHeader(headers, 'webhook-signature');
  // A tolerance of NaN accepts nothing.
  const isTimely = Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!/^[0-9]{1,12}$/.test(timestamp) || !isTimely)
    throw new WebhookVerificationError('timestamp', 'The timestamp is too old or in the future');
  if (!(await isSigned(signature, signedBytes(id, timestamp, body), keys)))
    throw new WebhookVerificationError('signature', 'No signature matches any of the secrets');
  return parseMessage(id, body);
}
