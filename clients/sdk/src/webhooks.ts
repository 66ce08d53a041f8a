import { SalesChannelError } from './errors.ts';
import { readJson } from './json.ts';
import type { Event } from './types.ts';

/** Why a message was not taken. */
export type WebhookFault = 'headers' | 'timestamp' | 'signature' | 'body';

/** The message is not one of the service's, or is too old. Answer it with 400. */
export class WebhookVerificationError extends SalesChannelError {
  override name = 'WebhookVerificationError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

interface WebhookMessageOf<Type extends string, Data> {
  /** The same for every attempt to deliver this message: deal with each id once. */
  readonly id: string;
  readonly type: Type;
  readonly timestamp: string;
  readonly data: Data;
  /** The event before it among those that the endpoint gets. Null for the first one, and for a test. */
  readonly previousEventId: string | null;
}

/** What the service sends. Later versions may have further types. */
export type WebhookMessage =
  WebhookMessageOf<'TRANSACTION_STATUS_CHANGE', Event> | WebhookMessageOf<'TEST', { readonly endpointId: string }>;

/** Of the web, of another library that has `get`, or of `node:http`. */
type Headerlike = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** As it came over the wire, before any parser. */
  readonly body: string | Uint8Array;
  readonly headers: Headerlike;
  /** `whsec_…`. While a secret is rotated, the old one and the new one. */
  readonly secrets: string | readonly string[];
  /** How old a message may be, or how far ahead its clock. 300 when left out. */
  readonly toleranceSeconds?: number;
  /** In milliseconds since 1970. */
  readonly now?: number;
}

/** A name that Node and browsers know alike. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const TOLERANCE_SECONDS = 300;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

const hasGet = (headers: Headerlike): headers is Pick<Headers, 'get'> => typeof headers.get === 'function';

function headerOf(headers: Headerlike, name: string): string {
  const found = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const values = [found].flat();
  const [value] = values;
  if (values.length === 1 && typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('headers', `The header ${name} is missing, or there more than once`);
}

/** Undefined when it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** @throws TypeError that does not tell the secret */
function keyOf(secret: unknown): Promise<Key> {
  // What is no text would be made one: `null` is Base64 too.
  const bytes = typeof secret === 'string' ? bytesOf(SECRET.exec(secret)?.[1] ?? '-') : undefined;
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

/** Any signature by any of the secrets counts. The comparison is that of the platform, in constant time. */
async function isSigned(header: string, signed: Uint8Array<ArrayBuffer>, keys: readonly Key[]): Promise<boolean> {
  const signatures = header
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => bytesOf(each.slice('v1,'.length)) ?? []);
  for (const signature of signatures) {
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function messageOf(id: string, body: string | Uint8Array): WebhookMessage {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const message = readJson(text) as { type?: unknown };
    if (typeof message.type === 'string') return { ...message, id } as WebhookMessage;
  } catch {
    // What cannot be read is told below.
  }
  throw new WebhookVerificationError('body', 'The body is not a message of the service');
}

/**
 * Takes a message that the service has signed (Standard Webhooks 1.0).
 * @throws WebhookVerificationError for any other, TypeError for a secret that is none
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookMessage> {
  const { body, headers, secrets, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options;
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError('body must be the text or the bytes that came, before any parser');
  }
  const keys = await Promise.all([secrets].flat().map(keyOf));
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  // A tolerance that is no number tolerates nothing.
  const isTimely = Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!/^[0-9]{1,12}$/.test(timestamp) || !isTimely) {
    throw new WebhookVerificationError('timestamp', 'The message is too old, or its clock is ahead');
  }
  if (!(await isSigned(signature, signedBytes(id, timestamp, body), keys))) {
    throw new WebhookVerificationError('signature', 'No signature is by one of the secrets');
  }
  return messageOf(id, body);
}
